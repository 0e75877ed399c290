"""What is worked out once, before a page is built: the values that strong players go by. Needs numpy; never shipped."""
