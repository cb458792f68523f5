"""Tables in files: read as text, what their columns are, predicted block by block.

`read_table` reads a whole one, `opened` a block at a time; `prepare` says what to learn from it;
`predict_table` writes it again with predictions. What is wrong with a table is a `TableError`.
"""

from unfis.app.requests import ColumnOptions
from unfis.app.tables.inputs import prepare
from unfis.app.tables.sources import opened
from unfis.app.tables.table import read_table
from unfis.data.files import TableError

__all__ = ["ColumnOptions", "TableError", "opened", "prepare", "read_table"]
