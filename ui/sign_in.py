"""Who sits at the operators' pages: whom an OIDC provider vouches for where one is configured, else a chosen name in the
demo, and a login of BASTAO_OPERATOR_LOGIN in production."""

import hmac
from collections.abc import Mapping

import streamlit as st

from ops.sign_in import SignIn, sign_in
from settings import ConfigurationError, load_settings
from ui import sign_in_oidc
from ui.bridge import Backend

_LOGIN, _KEPT = "BASTAO_OPERATOR_LOGIN", "operador"
_SHORTEST = 12
_DEMO_NAME = "Marta"


def operator_of(found: Backend, environ: Mapping[str, str]) -> str | None:
    """Draw the sign-in where it is needed; return who is there, None until somebody is. Raises `ConfigurationError`."""
    if (oidc := load_settings(environ).sign_in) is not None:
        return sign_in_oidc.operator_of(oidc)
    if found.bastao.mode == "demo":
        st.sidebar.caption("Modo de demonstração: ninguém confere quem entra aqui.")
        name = st.sidebar.text_input(
            "Seu nome", value=_DEMO_NAME, key="operador_demo", max_chars=40, help="Só na demonstração."
        )
        return name.strip() or None  # fmt: skip
    logins = logins_of(environ)
    known: str | None = st.session_state.get(_KEPT)
    if known in logins:
        st.sidebar.caption(f"Você entrou como {known}.")
        return known
    with st.form("entrar"):
        name = st.text_input("Usuário", key="usuario")
        password = st.text_input("Senha", type="password", key="senha")
        if st.form_submit_button("Entrar", type="primary"):
            entered = _entered(found, logins, name.strip(), password)
            if entered.outcome == "in":
                st.session_state[_KEPT] = name.strip()
                st.rerun()
            st.error(_refusal(entered))
    return None


def _entered(found: Backend, logins: Mapping[str, str], name: str, password: str) -> SignIn:
    right = may_enter(logins, name, password)
    return found.read(sign_in(found.bastao.services, name=name, known=name in logins, right=right))


def _refusal(entered: SignIn) -> str:
    if entered.outcome == "locked":
        return f"Muitas tentativas. Espere {max(1, round(entered.retry_s / 60))} min e tente de novo."
    return "Usuário ou senha não conferem."


def logins_of(environ: Mapping[str, str]) -> dict[str, str]:
    """Read "name:password,name2:password2". Raises `ConfigurationError`, naming the variable and never a password."""
    logins: dict[str, str] = {}
    for number, entry in enumerate((e.strip() for e in environ.get(_LOGIN, "").split(",") if e.strip()), start=1):
        name, colon, password = entry.partition(":")
        if not colon or not name.strip() or len(password) < _SHORTEST:
            raise ConfigurationError(
                f"{_LOGIN}: entry {number} is not name:password with {_SHORTEST} characters or more"
            )
        logins[name.strip()] = password
    return logins


def may_enter(logins: Mapping[str, str], name: str, password: str) -> bool:
    """Tell whether a login is right, in the same time for an unknown name."""
    expected = logins.get(name)
    same = hmac.compare_digest((expected or "-").encode(), password.encode())
    return same and expected is not None
