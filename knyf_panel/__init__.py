"""Karciany Knyf, Kości and Knister: the games, their exact odds, and their rules in Polish and English."""
