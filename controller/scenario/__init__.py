"""Written scenarios: a text says what is given, what happens and what must then be true; it is played through the core.

FORMAT.md describes the language. text.py reads it; steps.py, facts.py and others define its words; player.py makes the
events.
"""
