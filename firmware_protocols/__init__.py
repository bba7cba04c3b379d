"""The wire protocols: encode messages to bytes and decode them. All modules are pure except `tdp.conform`, which uses
the line and the clock of its caller.
"""
