"""The model file: a fitted model as JSON that a person can read, believed in nothing.

A file is UTF-8 text, one JSON object, one rule a line. It holds no training row and no code. These
are its fields, in this order:

    format, version     "unfis rules", 1; unfis: the version that wrote it
    task, link          "classification" ("logistic" of two classes, else "softmax") or
                        "regression" ("identity", or "exp" for a count)
    target              {"name": what the print calls it, "column": of the table, or null}
    classes             {"kind": "text", "whole", "number", "truth", "any", "labels": in order}; no
                        labels in regression
    start, unit         z = start + points of the rules that hold; link(unit * z) is the answer
    rules               the model: {"if", "then", "evidence", "points", "found"} each
    given, fixed        places (from 0) of rules that a person wrote or changed, and of those whose
                        points a person set
    inputs, notation    the columns in order, how they are called, how their cells are read, and
                        between which values training had them
    columns             the columns' names as the table has them (a list is a tuple), or null
    costs               of each answer (column) where each class is true (row); [] where all are 1
    constraints         {"signs": {input: 1 or -1}, "groups": inputs that may stand in one rule}
    settings            the estimator's parameters; {"pairs": [[name, value], ...]} is a dict
    ridge, length       how strongly points are held near 0, and the model's place on the path
    origin              rows, their fingerprint (SHA-256), versions of packages, what was held out
    calibration         "scores" of held-out rows of each class, or range of the answer between
                        "borders", rising, and the "weights" of these; or null
    estimate            the starts and points ("numbers", exact) that rows say, the "precision" of
                        these and the "dispersion" of the loss, for more rows to come; or null
    more rules          other rules, of other lengths and of the folds, without points
    models              {"start", "unit", "rules": [place, points, found] each}; places count on
                        from `rules` (0 is the first one) into `more rules`; folds have no found
    path                the places of the models of each length, from no rules on; [] if edited
    folds               the same of each fold
    checksum            SHA-256 of all other fields: json.dumps(..., sort_keys=True,
                        separators=(",", ":"))

The "if" of a rule has a condition by the name of each input. Its degrees are multiplied:

    {"from": 3}                         1 from 3 on
    {"above": 5.1, "fully from": 6.3}   0 up to 5.1, rising to 1 at 6.3
    {"below": 4}                        1 below 4, 0 from there on
    {"fully to": 3, "below": 4}         1 up to 3, falling to 0 at 4
    {"from": 1, "below": 4}             both, each in either way
    {"is": ["A", "B"]}                  1 for these categories
    {"known": 1}                        1 for any value; {"known": 0, "unknown": 1} for none
    {..., "unknown": 0.3}               the degree of a missing value, 0 where it is not given

"then" is the class that the points are for, the second one of two, or null. Numbers are exact.
"evidence" is what the rows showed: "rows" where the rule holds (by weight and degree) and "mean" of
the target there (the share of the class), and the same of the other rows; null if nobody knows.
"found" says how many of the folds' models have the rule, or one like it.

A network of `UNFISNetworkClassifier` is a document of its own, "unfis network" (network.py): its
`rules` are arrays of centres, widths, logits (null where all inputs are in) and consequents in the
units of the network, value = offset + scale * the network's; `start` is where the prior holds them.
"""

from unfis.model_file.file import read_any_model, read_model, write_model
from unfis.model_file.text import ModelFileError

__all__ = ["ModelFileError", "read_any_model", "read_model", "write_model"]
