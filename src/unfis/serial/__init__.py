"""Plain data that is checked, files that are whole or not there, and values in messages."""
