"""`sabot update`: replaces the root file system of the memory card by a signed root; returns to the previous one.

`decision` permits or refuses; `slots` is the state of the two roots that the boot loader reads; `trial` judges a new
root's first start; `bundle` calls `rauc`, which checks the signature and writes.
"""
