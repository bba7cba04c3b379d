"""Scenarios: texts that describe how a table begins, what happens there, and what must result. Scenarios are played
through the core. FORMAT.md describes the language. text.py reads a text; steps.py, facts.py and other modules define
its words; player.py makes the events.
"""
