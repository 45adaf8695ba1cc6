"""Ids and secrets. Ids tell nothing about order or number; secrets are 256-bit and stored only as hashes."""

import secrets
from base64 import b32encode
from hashlib import sha256


def new_id(prefix: str) -> str:
    """`c_…`, `m_…`: 130 random bits."""
    return f"{prefix}_{b32encode(secrets.token_bytes(17)).decode().rstrip('=').lower()[:26]}"


def new_token(kind: str, campaign: str) -> str:
    """A secret that names its campaign: `gt.<campaign>.<43 characters>`. Shown once."""
    return f"{kind}.{campaign}.{secrets.token_urlsafe(32)}"


def campaign_of(token: str) -> str | None:
    """The campaign that a token or an invite code is for."""
    parts = token.split(".")
    return parts[1] if len(parts) == 3 and len(token) <= 200 else None


def hashed(token: str) -> bytes:
    """What is stored of a secret."""
    return sha256(b"greffier/credential/1" + token.encode("utf-8", "replace")).digest()
