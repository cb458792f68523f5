"""How good answers to some rows were: numbers, with their intervals."""
