"""The only package that imports LangGraph: state, nodes, toolbox, and the two doors."""
