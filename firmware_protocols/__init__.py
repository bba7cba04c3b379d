"""The wire protocols: encode messages to bytes and decode them. All are pure except `tdp.conform`, which uses its
caller's line and clock.
"""
