"""What is done with a fitted model: training, edits, measures."""
