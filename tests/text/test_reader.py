"""The print is the model: a reader of the text alone gets the same predictions."""

import numpy as np
from hypothesis import given, settings
from text.models import made
from text.reader import TextReader

from unfis.text import listing


def row_of(names, values):
    row = {}
    for j, value in enumerate(values.tolist()):
        known = names.categories[j][int(value)] if names.categories[j] and value == value else value
        row[names.inputs[j]] = None if value != value else known
    return row


@given(data=made())
@settings(max_examples=200, deadline=None)
def test_a_reader_of_the_text_gets_the_predictions(data):
    names, model, values = data
    reader = TextReader(listing(model, names))
    predictions = model.predictions(values)
    for row, expected in zip(values, predictions, strict=True):
        found = reader.prediction(row_of(names, row))
        if model.link == "softmax":
            found = [found[names.output(c)] for c in range(len(names.outputs))]
        elif model.link == "logistic":
            expected = expected[1]
        np.testing.assert_allclose(found, expected, rtol=2e-4, atol=2e-5)
