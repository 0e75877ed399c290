"""Side-by-side measurements. Each module prints a table, or JSON with --json; none of them is a test."""
