"""The types at both ends of the controller's socket: requests, answers, the status, the kinds of values. Data alone.

Clients (the command line, the panel) know the controller by this package and nothing else of it; an import
contract holds them to that. Words arrive in the language that the request asks for.
"""
