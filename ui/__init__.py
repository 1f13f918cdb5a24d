"""Streamlit pages. They draw typed events and know no specialist by name."""
