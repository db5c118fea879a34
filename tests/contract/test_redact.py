"""Secrets and roots of paths never reach a text; what a model typed otherwise does."""

import base64
import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handrail.contract.redact import (
    REDACTED,
    is_harmless,
    is_secret_field,
    redact_text,
    visible_part,
)


def encoded(value: object) -> str:
    """Base64url of JSON, as a segment of a token."""
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


JWT = f"{encoded({'alg': 'HS256'})}.{encoded({'sub': '12345'})}.SflKxwRJSMeKKF2QT4fwpMeJf36POk6y"
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7yn3\n-----END RSA PRIVATE KEY-----"

# the text as written -> the part that must not survive
SECRETS = {
    JWT: JWT,
    PEM: "MIIEowIBAAKCAQEA7yn3",
    "AKIAIOSFODNN7EXAMPLE": "AKIAIOSFODNN7EXAMPLE",
    "ASIAIOSFODNN7EXAMPLE": "ASIAIOSFODNN7EXAMPLE",
    "AIzaSyD4q8Zl0aQ7mV2bN5cX9kP3rT6wE1yU0oI": "SyD4q8Zl0aQ7mV2bN5cX9kP3rT6wE1yU0oI",
    "ghp_16C7e42F292c6912E7710c838347Ae178B4a": "16C7e42F292c6912E7710c838347Ae178B4a",
    "gho_16C7e42F292c6912E7710c838347Ae178B4a": "16C7e42F292c6912E7710c838347Ae178B4a",
    "github_pat_11ABCDEFG0aBcDeFgHiJkL_mNoPqRsT": "11ABCDEFG0aBcDeFgHiJkL_mNoPqRsT",
    "xoxb-123456789012-abcdefABCDEF": "123456789012-abcdefABCDEF",
    "sk-proj-Ab12Cd34Ef56Gh78Ij90": "Ab12Cd34Ef56Gh78Ij90",
    "sk-abcdefghijklmnopqrstuvwx": "abcdefghijklmnopqrstuvwx",
    "sk_live_4eC39HqLyjWDarjtT1zdp7dc": "4eC39HqLyjWDarjtT1zdp7dc",
    "postgres://bob:hunter2pass@db.example.com:5432/app": "hunter2pass",
    "smtp://me@example.com:hunter2pass@mail.example.com": "hunter2pass",
    "https://bob:hunter2/p@ss@example.com/x": "hunter2",
    "Authorization: Bearer zq81.xk": "zq81.xk",
    "Bearer abcDEF123456": "abcDEF123456",
    "Basic dXNlcjpwYXNzd29yZA==": "dXNlcjpwYXNzd29yZA",
    "Basic dXNlcjpwYXNzd29yZA==/home/x/y.txt": "dXNlcjpwYXNzd29yZA",
    "Cookie: sid=zq81xk; theme=dark": "zq81xk",
    "password=hunter2pass": "hunter2pass",
    "api_key: hunter2pass": "hunter2pass",
    "API key: hunter2pass": "hunter2pass",
    "Server=db;Password=hunter2pass;Database=x": "hunter2pass",
    '{"password": "hunter2 \\"pass"}': "hunter2",
    '{\\"password\\": \\"hunter2pass\\"}': "hunter2pass",
    "{'token': ['hunter2pass', 'other3pass']}": "other3pass",
    "https://example.com/?access_token=hunter2pass&page=2": "hunter2pass",
    "deploy --token hunter2pass": "hunter2pass",
    "<password>hunter2pass</password>": "hunter2pass",
}

INNOCENT = [
    "www.example.com",
    "9fceb02d0ae598e95dc970b74767f19372d61af8",
    "123e4567-e89b-12d3-a456-426614174000",
    "C-9921",
    "2026-05-03",
    "2026-05-03T00:00:00+02:00",
    "joe.doe@example.com",
    "https://example.com:8080/a/b/page.html?x=1&next=/a/b/c#top",
    "iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE",
    "data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ/AAA/BBB",
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRof",
    "sk-learn-tutorial-for-beginners",
    "task-management-12345678",
    "basic functionality, basic information",
    "bearer authentication",
    "the token count: 5",
    "max_tokens=512",
    "password: string",
    "invalid password: must be longer",
    "src/app/main.py",
    "../lib/x.txt",
    "/priority",
    "/items/0",
    "/items/0/qty",
    "/api/v1/users",
    "//div[@id='x']/span/a",
    r"^/home/\w+/x$",
    "and/or",
]

PATHS = {
    "/home/x/y.txt": "…/y.txt",
    "/Users/John Smith/Documents/a b.txt": "…/a b.txt",
    "/data/sales.csv": "…/sales.csv",
    "/etc/passwd": "…/passwd",
    "/home/x/project/": "…/project/",
    "C:\\x\\y.txt": "…/y.txt",
    "C:\\Users\\John Smith\\y.txt": "…/y.txt",
    "c:/x/y.txt": "…/y.txt",
    "\\\\server\\share\\d\\y.txt": "…/y.txt",
    "file:///home/x/y.txt": "…/y.txt",
    "file:///C:/x/y.txt": "…/y.txt",
    "sqlite:////home/x/db.sqlite": "sqlite:…/db.sqlite",
    "see /home/x/y.txt, then /etc/hosts.": "see …/y.txt, then …/hosts.",
    'File "/usr/lib/python3/x.py", line 3': 'File "…/x.py", line 3',
}

pieces = st.text(max_size=40)


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_replaced(text: str) -> None:
    """Each kind of secret gives way to the mark."""
    clean = redact_text(text)
    assert (SECRETS[text] in clean, REDACTED in clean) == (False, True)


@given(before=pieces, text=st.sampled_from(sorted(SECRETS)), after=pieces)
def test_secrets_are_found_anywhere(before: str, text: str, after: str) -> None:
    """What stands around a secret does not protect it."""
    assert SECRETS[text] not in redact_text(f"{before} {text} {after}")


@given(text=st.sampled_from(sorted(SECRETS)), data=st.data())
def test_invisible_characters_do_not_protect(text: str, data: st.DataObject) -> None:
    """A zero-width space within a secret is seen through."""
    at = text.index(SECRETS[text]) + data.draw(st.integers(0, len(SECRETS[text])))
    clean = redact_text(f"{text[:at]}\u200b{text[at:]}")
    assert SECRETS[text] not in clean.replace("\u200b", "")


@pytest.mark.parametrize("text", INNOCENT)
def test_the_rest_survives(text: str) -> None:
    """What is neither secret nor an absolute path stays as it was typed."""
    assert redact_text(text) == text
    assert redact_text(f"given: {text}") == f"given: {text}"


@pytest.mark.parametrize("text", PATHS)
def test_paths_lose_their_root(text: str) -> None:
    """An absolute path keeps only the name of its file (NFR-011)."""
    assert redact_text(text) == PATHS[text]


def test_only_the_password_of_a_connection_is_replaced() -> None:
    """User, host and database help the model."""
    expected = f"postgres://bob:{REDACTED}@db:5432/app"
    assert redact_text("postgres://bob:hunter2@db:5432/app") == expected


fragments = st.lists(
    st.sampled_from([*SECRETS, *INNOCENT, *PATHS, '"', "'", "\\", "/", ":", "@", "=", " ", "\n"])
    | st.text(max_size=5),
    max_size=8,
).map("".join)


@given(fragments)
def test_redaction_settles(text: str) -> None:
    """Redacting what is redacted changes nothing."""
    once = redact_text(text)
    assert redact_text(once) == once


@given(st.text(alphabet="skey-_. AKIbearzwX09:=/\\\"'<>@", max_size=60) | fragments)
def test_harmless_texts_are_left_alone(text: str) -> None:
    """The fast answer never contradicts the rules."""
    if is_harmless(text):
        padded = f"{text}\u00e9"
        assert redact_text(padded) == padded


WINDOW = 2048


@pytest.mark.parametrize("text", SECRETS)
def test_the_edge_of_the_window_leaks_nothing(text: str) -> None:
    """No usable piece of a secret is left, wherever the window ends."""
    core = SECRETS[text]
    usable = {core[at : at + 10] for at in range(max(1, len(core) - 9))}
    for begin in range(WINDOW - len(text) - 2, WINDOW + 2):
        clean, cut = visible_part("x " * (begin // 2) + text + " x" * WINDOW, 100)
        assert cut
        assert not any(piece in clean for piece in usable)


def test_a_long_header_at_the_edge_leaks_nothing() -> None:
    """A token whose header alone is longer than the margin is dropped from its first character."""
    token = f"{encoded({'alg': 'RS256', 'x5c': ['Q' * 1500]})}.{encoded({'sub': 1})}.abc"
    clean, _ = visible_part("x " * 500 + token + " x" * WINDOW, 100)
    assert (token[:8] in clean, clean.startswith("x x")) == (False, True)


def test_a_long_key_block_hides_the_window() -> None:
    """A block longer than the window, whose end is not seen, is redacted as a whole."""
    block = PEM.replace("7yn3", "7yn3" * 1000)
    assert visible_part(block, 100) == (REDACTED, True)


@pytest.mark.parametrize(
    "unit",
    ["a", "ey", "Ab3/", "://u:", "key=", "password: ", 'token="', "auth={", "C:\\a ", " /a", "-"],
)
def test_long_texts_are_bounded(unit: str) -> None:
    """However long, only a window of a text is looked at."""
    text = unit * 400_000
    assert visible_part(text, 100) == visible_part(text[:40_000], 100)
    assert len(visible_part(text, 100)[0]) <= 4 * WINDOW


SECRET_NAMES = (
    "password passwd token api_key apiKey API-KEY APIKey x_api_key X-Api-Key authorization secret "
    "client_secret cookie Set-Cookie accessToken access_tokens refresh-token db_pass DB_PASSWORD "
    "credentials OPENAI_API_KEY privateKey ssh_key auth jwt user.password /db/password "
    "password_hash token_secret authtoken contraseña passphrase newPassword2"
)
ORDINARY_NAMES = (
    "token_count max_tokens tokens total_tokens author authority key primary_key public_key keys "
    "monkey keyword next_page_token pageToken password_length has_password token_type secretary "
    "cookie_policy passport compass id session_id cwd path 0 _"
)


@pytest.mark.parametrize("name", SECRET_NAMES.split())
def test_secret_names(name: str) -> None:
    """Any case and any separator."""
    assert is_secret_field(name)


@pytest.mark.parametrize("name", ORDINARY_NAMES.split())
def test_ordinary_names(name: str) -> None:
    """Counts, types, paging and look-alikes are not secret."""
    assert not is_secret_field(name)


@given(
    st.lists(st.sampled_from(["user", "x", "my", "new", "3"]), max_size=3),
    st.sampled_from(["api key", "access token", "client secret", "password", "set cookie"]),
    st.sampled_from(["-", "_", ".", " ", "/", ""]),
    st.sampled_from([str.lower, str.upper, str.title]),
)
def test_style_does_not_matter(
    lead: list[str], name: str, separator: str, style: Callable[[str], str]
) -> None:
    """Separators and case never turn a secret name into an ordinary one."""
    words = [*lead, *name.split()]
    if separator:
        assert is_secret_field(separator.join(style(word) for word in words))
    else:
        assert is_secret_field("".join(word.title() for word in words))


@given(st.text(alphabet="aZ_-9 \u00e9\u4e2d\ud800", max_size=300))
def test_strange_names_are_ordinary(name: str) -> None:
    """Letters that make no telling word are no secret, however many."""
    assert not is_secret_field(name)
