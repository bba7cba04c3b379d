"""The types of the controller's socket: requests, answers, the status, the kinds of values. Data only.

Clients (the command line, the panel) know nothing of the controller but this package; an import contract enforces that.
Sentences arrive in the language that the request asks for.
"""
