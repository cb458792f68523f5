"""docs/reproduction.md: what of the paper holds, by the recorded numbers, a file per section."""
