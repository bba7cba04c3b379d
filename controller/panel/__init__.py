"""The web panel: the table's screens in a browser, live, and what people press there.

A process of its own with no right of its own. It knows the controller by the Unix socket and the values of
`controller.protocol` alone; each act is decided and journaled there, for the person whose PIN opened the connection.
Pages are made here from the catalogue and sent whole; the browser's script only puts them in place and says what was
pressed.
"""
