"""Broken firmwares: simulated devices with one small override, each of which breaks one numbered duty of PROTOCOL.md.

A draw is one trial of the conformance kit: an author writes broken firmwares from the text alone, often for numbers
drawn by lot, and the kit must find each of them. A sceptic is an author who tries to write firmwares that the kit
misses.
"""
