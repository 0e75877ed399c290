"""End-to-end tests: the same ones in Chromium, Firefox and WebKit."""
