"""What exists only inside Pyodide: the start, the bridge between page and Python, and stand-ins for what is missing."""
