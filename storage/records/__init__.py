"""One module per family of tables: plain async functions on a connection, rows as frozen values.

None of them opens or closes a connection. A function that needs several statements to hold together opens a transaction
itself (a savepoint inside the caller's), and its docstring says so.
"""
