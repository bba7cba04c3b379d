"""The wire protocols: encode messages to bytes and decode them. Pure, except `tdp.conform`, which uses its caller's
line and clock.
"""
