"""The paper's experiments again.

- `unfis_paper.datasets`: its data sets by name;
- `unfis_paper.compared`: the systems that it compares itself with, as classifiers;
- `unfis_paper.reproduction`: its tables and figures, beside what people use instead;
- `unfis_paper.app`: the command `unfis-paper`.
"""
