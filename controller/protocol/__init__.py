"""The data types of the controller's socket: requests, answers, the status, the kinds of values.

The clients (the command line, the panel) import no other package of the controller; an import contract enforces that.
Sentences arrive in the language that the request asks for.
"""
