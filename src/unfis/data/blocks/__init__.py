"""Tables that come in blocks, and may be larger than memory: iterators, Parquet files.

`blocks_of` gives the blocks of either, `ColumnUnion` and `ClassUnion` learn from all of them what
one table would have taught, and `gathering` keeps their rows in files from which training reads.
"""

from unfis.data.blocks.sources import blocks_of, comes_in_blocks
from unfis.data.blocks.spool import gathering
from unfis.data.blocks.unions import ClassUnion, ColumnUnion

__all__ = ["ClassUnion", "ColumnUnion", "blocks_of", "comes_in_blocks", "gathering"]
