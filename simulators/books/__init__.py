"""The books that check a table from outside: physical cards, the controller's status, the journal's export.

They share no code with the controller, its drivers or its protocols; each reads one source alone, and `compare.py`
lays them side by side. What differs is a violation, a plain sentence with both figures.
"""
