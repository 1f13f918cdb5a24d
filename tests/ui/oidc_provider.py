"""A small OpenID Connect provider: it asks who one is by a link for each, and proves it by an ID token signed with its own key."""

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from fastapi import FastAPI, Form, HTTPException, Request
from fastapi.responses import HTMLResponse
from jwt.algorithms import RSAAlgorithm

CLIENT, SECRET = "bastao-pages", "a secret that the provider gave the pages"
Claims = Mapping[str, Any]


def create_provider(people: Mapping[str, Claims], *, redirect_uri: str) -> FastAPI:
    """Return the provider. `people` are who may log in, with the claims of their ID tokens."""
    app, key = FastAPI(), rsa.generate_private_key(public_exponent=65537, key_size=2048)
    codes: dict[str, dict[str, str]] = {}

    @app.get("/.well-known/openid-configuration")
    async def discovery(request: Request) -> dict[str, Any]:
        issuer = str(request.base_url).rstrip("/")
        return {
            "issuer": issuer, "authorization_endpoint": f"{issuer}/authorize", "token_endpoint": f"{issuer}/token",
            "jwks_uri": f"{issuer}/jwks", "userinfo_endpoint": f"{issuer}/userinfo", "response_types_supported": ["code"],
            "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["RS256"],
            "code_challenge_methods_supported": ["S256"],
        }  # fmt: skip

    @app.get("/authorize")
    async def authorize(request: Request) -> HTMLResponse:
        asked = dict(request.query_params)
        if (asked["client_id"], asked["redirect_uri"], asked["response_type"]) != (CLIENT, redirect_uri, "code"):
            raise HTTPException(400, "unknown client")
        links: list[str] = []
        for name in people:
            code = secrets.token_urlsafe(16)
            codes[code] = {"name": name, "nonce": asked["nonce"], "challenge": asked["code_challenge"]}
            address = f"{redirect_uri}?{urlencode({'code': code, 'state': asked['state']})}"
            links.append(f'<p><a href="{address.replace("&", "&amp;")}">{name}</a></p>')
        return HTMLResponse("".join(links))

    @app.post("/token")
    async def token(request: Request, code: str = Form(), code_verifier: str = Form()) -> dict[str, Any]:
        basic = base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
        given = codes.pop(code, None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(code_verifier.encode()).digest()).decode().rstrip("=")
        if request.headers.get("authorization") != f"Basic {basic}" or given is None or given["challenge"] != proof:
            raise HTTPException(400, "invalid_grant")
        now = int(time.time())
        claims = {
            "iss": str(request.base_url).rstrip("/"), "aud": CLIENT, "sub": given["name"], "iat": now, "exp": now + 3600,
            "nonce": given["nonce"], **people[given["name"]],
        }  # fmt: skip
        signed = jwt.encode(claims, key, algorithm="RS256", headers={"kid": "1"})
        return {
            "access_token": secrets.token_urlsafe(16),
            "token_type": "Bearer",
            "expires_in": 3600,
            "id_token": signed,
        }

    @app.get("/jwks")
    async def jwks() -> dict[str, Any]:
        public = json.loads(RSAAlgorithm.to_jwk(key.public_key()))
        return {"keys": [{**public, "kid": "1", "use": "sig", "alg": "RS256"}]}

    return app
