"""`sabot update`: replaces the whole root of a card by a signed one, and leads back to the one before.

`decision` says yes or no; `slots` is the state of the two roots that the boot loader reads; `trial` judges a new root's
first start; `bundle` and `installing` ask `rauc`, which checks the signature and writes.
"""
