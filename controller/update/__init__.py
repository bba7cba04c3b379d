"""`sabot update`: replaces the whole root of a card by a signed root, and returns to the previous root on request.

`decision` permits or refuses; `slots` is the state of the two roots that the boot loader reads; `trial` judges a new
root's first start; `bundle` calls `rauc`, which checks the signature and writes.
"""
