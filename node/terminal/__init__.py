"""The table in a terminal: what a person sees, types and is told.

What is drawn is a pure function of the seat's view (`render`, `news`, `sheets`, `choices`); `person` drives
it, and `visit` brings a person or a bot to a table and home again.
"""
