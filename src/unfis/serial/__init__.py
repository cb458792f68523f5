"""Plain data that is checked, and files that are whole or not there."""
