"""The steps of a turn. A node unpacks state, calls functions that could be tested without LangGraph, packs the update."""
