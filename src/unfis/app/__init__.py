"""What people use without writing code: the command, tables in files, the report, the demo."""
