"""What build.py does, step by step. Standard library only: it runs before anything is installed."""
