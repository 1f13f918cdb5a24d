"""Reading and running: what operators, owners and surfaces need beside the two doors."""
