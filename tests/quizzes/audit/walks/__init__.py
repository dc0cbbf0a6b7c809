"""How each code of the audit log comes about: by a page, a call or, where there is none, a command.

A walk does it as a person does, in a browser of known address; what it needs beforehand is written
by services, without leaving a row of the same code.
"""
