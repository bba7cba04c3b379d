"""The web panel: shows the table's screens in a browser, live, and takes the presses of the people there.

The panel is a process of its own without any right. It knows the controller only by the Unix socket and by the values
of `controller.protocol`. The controller decides and journals each act, for the person whose PIN opened the connection.
The panel makes pages from the catalogue and sends them whole. The browser's script only puts a page in place and
reports a press.
"""
