"""The command line of the controller: `sabot`."""
