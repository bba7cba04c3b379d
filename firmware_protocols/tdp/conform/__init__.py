"""Checks that a device keeps the duties of PROTOCOL.md: the bytes that the checks send, the answers that they expect,
and the section that asks for each answer.
"""
