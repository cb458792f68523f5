"""From rows to rules: one search for every kind of table and task.

`bins` and `shapes` say which conditions may be tried, `sums` and `gains` what they would gain;
`additions`, `extensions` and `boxes` propose, `borders` moves what they found, `refit` finds the
points, `walk` goes forward and back, `judge` chooses, `whole` rounds.
"""
