"""The checks of our own wire protocol, in virtual time: made of good simulated devices, and of each kind of bad one."""
