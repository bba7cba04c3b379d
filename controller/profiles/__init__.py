"""The law of each jurisdiction on each kind of machine, as data: one file each. config/profile_file.py reads them."""
