"""The web panel: shows the table's screens in a browser, live, and takes the presses of the people there.

The panel is a separate process without rights of its own. It knows the controller only by the Unix socket and by the
values of `controller.protocol`. The controller decides and journals each act, for the person who is signed in on the
connection, or whose PIN or badge and key come with the act. The panel makes pages from the catalogue and sends them
whole. The browser's script only puts a page in place and reports a press.
"""
