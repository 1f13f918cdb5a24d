"""What specialists can do: plain async functions, each declared READ, WRITE or SIGNAL."""
