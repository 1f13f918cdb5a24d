"""Streamlit entry: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

from ui import chat, metrics, operators

# A file of our own: Streamlit fetches its named icons from another host.
ICON = Path(__file__).parent / "ui" / "icon.svg"


def main() -> None:
    """Draw the chosen page."""
    st.set_page_config(page_title="Bastão", page_icon=ICON, layout="wide")
    pages = [
        st.Page(chat.page, title="Atendimento", icon=":material/forum:", url_path="atendimento", default=True),
        st.Page(operators.page, title="Fila", icon=":material/support_agent:", url_path="fila"),
        st.Page(metrics.page, title="Números", icon=":material/monitoring:", url_path="numeros"),
    ]
    st.navigation(pages).run()


if __name__ == "__main__":
    main()
