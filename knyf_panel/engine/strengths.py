"""The strengths of computer players, weakest first."""

STRENGTHS = ("beginner", "skilled", "strong")
