"""The model file: JSON that is complete, the same for the same model, and believed in nothing.

`document` says what is in it, `text` how it is written and read, `parts` what its parts become,
`origin` where a model comes from, `keeping` joins them to the estimator. docs/model-file.md tells
readers of other programs.
"""

from unfis.model_file.keeping import Keeping
from unfis.model_file.origin import Origin
from unfis.model_file.text import ModelFileError

__all__ = ["Keeping", "ModelFileError", "Origin"]
