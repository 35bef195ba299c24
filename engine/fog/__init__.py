"""The rules of Fog of War as its memo gives them: a second game beside Air, Land & Sea. Needs nothing but Python.

Every rule carries the memo's paragraph. What the memo leaves out is a value of the board's `Box`, asked for and never
assumed.
"""
