"""The kernel in virtual time: real drivers, core and journal; scripted devices, a disk in memory, a clock by hand."""
