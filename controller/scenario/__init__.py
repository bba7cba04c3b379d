"""Written scenarios: a text that says how a table begins, the events there, and the expected results; the events are
played through the core.

FORMAT.md describes the language. text.py reads a text; steps.py, facts.py and further modules define its words;
player.py makes the events.
"""
