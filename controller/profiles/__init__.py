"""The profiles as data: one TOML file for the law of one jurisdiction on one kind of machine. config/profile_file.py
reads them.
"""
