"""What the login at a provider needs is named where it is missing, and nobody is in."""

from importlib.util import find_spec

from streamlit.testing.v1 import AppTest


def draw() -> None:
    import streamlit as st

    from ops.oidc import OidcSettings
    from settings import ConfigurationError
    from ui.sign_in_oidc import operator_of

    try:
        st.write(f"dentro: {operator_of(OidcSettings())}")
    except ConfigurationError as error:
        st.write(f"falta: {error}")


def test_what_is_missing_is_named() -> None:
    (said,) = [element.value for element in AppTest.from_function(draw).run().markdown]
    missing = "pip install -r requirements-oidc.txt" if find_spec("authlib") is None else "redirect_uri, cookie_secret"
    assert said.startswith("falta: sign_in: ")
    assert missing in said
