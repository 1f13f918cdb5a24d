"""Chat models behind one registry."""
