"""Written scenarios: a text with givens, events and expected results, which is played through the core.

FORMAT.md describes the language. text.py reads it; steps.py, facts.py and further modules define its words; player.py
makes the events.
"""
