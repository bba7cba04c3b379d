"""Written scenarios: a text says what is given, what happens and what must then be true; it is played through the core.

FORMAT.md is the whole language. parse.py reads it, steps.py and facts.py are its words, player.py makes the events.
"""
