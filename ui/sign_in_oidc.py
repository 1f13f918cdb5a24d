"""The login of the operators' pages at an OpenID Connect provider: Streamlit proves who it is, ops.oidc says what that allows."""

from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any, assert_never

import streamlit as st
from streamlit.errors import StreamlitSecretNotFoundError

from ops.oidc import NEEDED, NotIn, OidcSettings, SignedIn, operator_in
from settings import ConfigurationError
from ui import cards


def operator_of(settings: OidcSettings) -> str | None:
    """Return the operator who is logged in; draw what stands in the way of anybody else.

    Raises:
        ConfigurationError: the provider is not configured, or the library for it is not installed.
    """
    _check()
    match operator_in(st.user.to_dict(), settings, now=datetime.now(UTC)):
        case SignedIn(name=name):
            st.sidebar.caption(f"Você entrou como {name}.")
            st.sidebar.button("Sair", key="sair", icon=":material/logout:", on_click=st.logout)
            return name
        case NotIn() as found:
            _explain(found)
            return None
        case unknown:
            assert_never(unknown)


def _explain(found: NotIn) -> None:
    who = found.name or "Esta conta"
    match found.because:
        case "logged_out":
            st.html("<h2>Área da equipe</h2><p>Entre com a sua conta de trabalho para ver a fila e os números.</p>")
        case "expired":
            cards.note("Sua entrada venceu. Entre de novo para continuar.")
        case "no_role":
            cards.failure(f"{who} não tem o papel de atendente. Peça acesso a quem administra as contas.")
        case "no_name":
            cards.failure("Sua conta não traz o nome que o atendimento usa. Fale com quem administra as contas.")
        case unknown:
            assert_never(unknown)
    if found.because in ("logged_out", "expired"):
        st.button("Entrar", key="entrar", type="primary", icon=":material/login:", on_click=st.login)
    else:
        st.button("Sair e entrar com outra conta", key="sair", icon=":material/logout:", on_click=st.logout)


def _check() -> None:
    if find_spec("authlib") is None:
        raise ConfigurationError("sign_in: needs a library more: pip install -r requirements-oidc.txt")
    try:
        given: Mapping[str, Any] = st.secrets.get("auth", {})
    except StreamlitSecretNotFoundError:
        given = {}
    if missing := [key for key in NEEDED if not given.get(key)]:
        raise ConfigurationError(f"sign_in: .streamlit/secrets.toml lacks {', '.join(missing)} under [auth]")
