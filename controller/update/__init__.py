"""`sabot update`: replaces the memory card's root file system by a signed one, or returns to the previous one.

`decision` permits or refuses an update. `slots` is the state of the two root file systems, which the boot loader reads.
`trial` judges the first start of a new root file system. `bundle` calls `rauc`, which checks the signature and writes.
"""
