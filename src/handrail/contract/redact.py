"""Which values a text for the model must not hold, and the same text or value without them.

Two kinds of secret are known: a value under a telling field name, and a string that gives itself
away by its structure. Both rules err on the side of silence, with one counterweight: a model must
recognise what it typed, so ids, hashes, dates, addresses and plain URLs pass untouched.

Order matters. Every rule runs on the full text *before* anything is shortened, otherwise half a
key would be left at the cut. `visible_part` is the one exception: for a text far longer than what
can be shown it looks at a window, and drops what a secret across the edge could have left.

Every pattern is linear, or does bounded work at each place where it may start.

Paths: an absolute path becomes ``…/name.txt``. With a drive letter, a UNC prefix or ``file://``
it is surely a path. A POSIX path is one if it has two segments and begins like a file system
(``/home``, ``/etc`` ...) or ends in a file extension, or if it has three segments, none of them a
number and the first not ``api`` or ``v1``. So ``/priority``, ``/items/0`` and ``/api/v1/users``
stay. In prose a path ends at a space; only a value that is a path as a whole may hold spaces.

Not found: secrets without a telling name or prefix, encoded ones (base64, percent), and
passwords in prose ("my password is ...").

Source: seed 004, NFR-009..NFR-011; the contract `handrail/1`, section 4, Bounds.
"""

import json
import re
import unicodedata
from base64 import urlsafe_b64decode
from functools import lru_cache
from itertools import islice

__all__ = [
    "REDACTED",
    "UNREADABLE",
    "is_harmless",
    "is_secret_field",
    "redact_text",
    "visible_part",
]

REDACTED = "[redacted]"
UNREADABLE = "[unreadable]"


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NAME_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_NAME_STEM = re.compile(
    "password|passwd|passphrase|passcode|passwort|kennwort|contrasena|dbpass|clientsecret|apikey"
    "|(?:secret|private|access)key|(?:access|auth|refresh|api|session|bearer)token"
)
_SECRET_WORDS = _words(
    "pwd secret secrets credential credentials authorization jwt otp totp cvv cvc csrf xsrf senha"
)
_VALUE_WORDS = _words("value string text raw hash data header plain encrypted b64 base")
_ABOUT_WORDS = _words(
    "count counts limit limits length len size type types kind policy budget usage expiry expires "
    "expiration expired ttl at name names url uri endpoint min max required enabled disabled "
    "strength rules age version status format field fields scope scopes index number id ids"
)
_FLAG_WORDS = _words(
    "max min num total has is no count used allow require requires show hide accept"
)
_PAGING_WORDS = _words(
    "page next prev previous continuation sync pagination cursor stop eos bos pad unk sep cls mask "
    "start end special idempotency"
)
_TOKEN_KINDS = _words("access refresh auth api bearer session secret personal bot")
_KEY_KINDS = _words(
    "api secret private access encryption signing master auth ssh account session shared hmac "
    "service subscription functions deploy app aws storage gpg pgp"
)
_PASS_KINDS = _words("db user smtp mysql admin root ftp http redis mail email login proxy")
_AUTH_KINDS = _words("basic http proxy bearer api")


def is_secret_field(name: str) -> bool:
    """Whether values under this name are secret, in any case and separator style.

    ``apiKey``, ``API-KEY`` and ``x_api_key`` are; ``token_count``, ``max_tokens``,
    ``next_page_token``, ``public_key`` and ``author`` are not.
    """
    return _judge_name(name if len(name) <= 128 else name[-128:])


@lru_cache(maxsize=2048)
def _judge_name(name: str) -> bool:
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = [word.lower() for word in _NAME_WORD.findall(name)]
    while len(words) > 1 and words[-1] in _VALUE_WORDS:
        words.pop()
    if not words:
        return False
    joined = "".join(words)
    if joined.endswith("secretid"):
        return True
    if words[-1] in _ABOUT_WORDS or words[0] in _FLAG_WORDS:
        return False
    if _NAME_STEM.search(joined) or not _SECRET_WORDS.isdisjoint(words):
        return True
    return _judge_last(words[-1], words[-2] if len(words) > 1 else "")


def _judge_last(last: str, before: str) -> bool:
    """Words that are secret only at the end of a name, depending on the word before."""
    if last.endswith("token"):
        return (last[:-5] or before) not in _PAGING_WORDS
    if last == "tokens":
        return before in _TOKEN_KINDS
    if last in {"key", "keys"}:
        return before in _KEY_KINDS
    if last == "pass":
        return before in _PASS_KINDS
    if last == "auth":
        return not before or before in _AUTH_KINDS
    return last in {"cookie", "cookies", "bearer"}


_CALM = re.compile(r"[A-Za-z0-9 _.,()'!?+*#&;@$-]*")
_LONG_RUN = re.compile("[^ ]{11}")
_HINT = re.compile(
    r"sk[-_]|rk_|A[KS]IA|AIza|gh[pousr]_|github_pat|xox|xapp|e[yw]|whsec|glpat|npm_|hf_|pypi-|SG\."
    r"|ya29|GOCSPX|dop_v1|shp"
)


def is_harmless(text: str) -> bool:
    """Whether a plain ASCII text surely holds nothing to redact or escape (a fast, cautious no)."""
    if _CALM.fullmatch(text) is None:
        return False
    if "-" in text:
        if text[0] == "-" or "--" in text or " -" in text:
            return False
    elif len(text) < 11:
        return True
    lowered = text.lower()
    if "bearer" in lowered or "basic" in lowered:
        return False
    return _LONG_RUN.search(text) is None or _HINT.search(text) is None


_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    "\U000e0000-\U000e0fff]+"
)


def redact_text(text: str) -> str:
    """The text without secrets and without roots of absolute paths; idempotent, never raises.

    A secret broken up by invisible characters is found too; then these characters are lost.
    If a rule fails, the whole text is ``[unreadable]``.
    """
    try:
        if is_harmless(text):
            return text
        clean = _settled(text)
        if not text.isascii() and _INVISIBLE.search(text):
            bare = _settled(_INVISIBLE.sub("", text))
            if bare != _INVISIBLE.sub("", clean):
                return bare
        return clean
    except Exception:
        return UNREADABLE


def _settled(text: str) -> str:
    """A replacement may lay bare what it stood against, so scan until nothing changes."""
    for _ in range(4):
        text, before = _scan(text), text
        if text == before:
            break
    return text


def _scan(text: str) -> str:
    lowered = text.lower()
    if "begin" in lowered:
        text = _PEM.sub(REDACTED, text)
    if "://" in text and "@" in text:
        text = _userinfo(text)
    if _STEM.search(lowered):
        text = _FLAG.sub(_named, _ELEMENT.sub(_named, _assignments(text)))
    if _HINT.search(text):
        text = _DOTTED.sub(_jwt, _KEY.sub(_key, text))
    if "bearer" in lowered or "basic" in lowered:
        text = _SCHEME.sub(_credentials, text)
    if "/" in text or "\\" in text:
        text = _paths(text)
    return text


_PEM = re.compile(
    r"-{4,5} ?BEGIN [A-Z0-9 ]{1,64}-{4,5}.*?(?:-{4,5} ?END [A-Z0-9 ]{1,64}-{4,5}|\Z)", re.S
)
_USERINFO = re.compile(
    r"""(://[^\s/:?#"'<>\[]{0,128}:)(?!\d{1,5}(?:[/?#,;)"'\s]|\Z))(?:[^\s"'<>]{1,256}|\S{1,256})@"""
)


def _userinfo(text: str) -> str:
    """Replace the password of every ``scheme://user:password@``, up to the last ``@`` of a run."""
    out: list[str] = []
    done = 0
    begin = text.find("://")
    while begin >= 0:
        match = _USERINFO.match(text, begin) if text.find("@", begin, begin + 400) >= 0 else None
        if match:
            out += (text[done : match.end(1)], REDACTED)
            done = match.end() - 1
        begin = text.find("://", match.end() if match else begin + 3)
    return "".join(out) + text[done:]


_START = r"(?:(?<![0-9A-Za-z])|(?<=\\[nrt]))"
_KEY = re.compile(
    rf"{_START}(?P<sk>sk-[0-9A-Za-z_-]{{8,}})|{_START}[sr]k_(?:live|test)_[0-9A-Za-z]{{8,}}"
    r"|AKIA[0-9A-Z]{8,}|ASIA(?=[A-Z]{0,15}[0-9])[0-9A-Z]{8,}|AIza[0-9A-Za-z_-]{30,}"
    r"|gh[pousr]_[0-9A-Za-z]{16,}|github_pat_[0-9A-Za-z_]{16,}"
    r"|xox[abeoprs]-[0-9A-Za-z-]{8,}|xapp-[0-9A-Za-z-]{10,}|whsec_[0-9A-Za-z+/]{16,}"
    r"|glpat-[0-9A-Za-z_-]{16,}|npm_[0-9A-Za-z]{30,}|hf_[0-9A-Za-z]{30,}|pypi-[0-9A-Za-z_-]{40,}"
    r"|SG\.[0-9A-Za-z_-]{16,64}\.[0-9A-Za-z_-]{16,}|ya29\.[0-9A-Za-z_-]{20,}"
    r"|GOCSPX-[0-9A-Za-z_-]{20,}|dop_v1_[0-9a-f]{40,}|shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32,}"
)
_SK_KIND = re.compile(r"(?:proj|ant|or|svcacct|admin|live|test)-[0-9A-Za-z_-]{8,}")


def _key(match: re.Match[str]) -> str:
    """``sk-`` also begins words of CSS and of libraries: ask for something key-like behind it."""
    key = match["sk"]
    if key is None or _SK_KIND.match(key, 3):
        return REDACTED
    for part in re.split("[-_]", key[3:]):
        if len(part) >= 20 or (len(part) >= 8 and not part.isalpha()):
            return REDACTED
    return key


_DOTTED = re.compile(r"(?<![0-9A-Za-z_-])[0-9A-Za-z_-]{4,}+(?:\.[0-9A-Za-z_-]+)+")
_OPENING = re.compile("e[yw]")


def _jwt(match: re.Match[str]) -> str:
    """Cut from the first segment that decodes to a JSON object (RFC 7515, section 3.1)."""
    start = 0
    segments = match[0].split(".")
    for segment in segments[:-1]:
        for opening in islice(_OPENING.finditer(segment), 8):
            if _is_header(segment[opening.start() :]):
                return match[0][: start + opening.start()] + REDACTED
        start += len(segment) + 1
    return match[0]


def _is_header(segment: str) -> bool:
    try:
        return isinstance(json.loads(urlsafe_b64decode(segment + "=" * (-len(segment) % 4))), dict)
    except RecursionError:
        return True
    except ValueError:
        return False


_SCHEME = re.compile(r"(?i)(bearer|basic)((?:\s|%20|\+){1,8})([0-9a-z._~+/=-]{6,})")


def _credentials(match: re.Match[str]) -> str:
    """``Bearer`` and ``Basic`` are also words: ask for something like credentials behind them."""
    scheme, gap, token = match.groups()
    if scheme.lower() == "basic":
        secret = _is_user_and_password(token)
    else:
        stem = token.rstrip(".")
        secret = len(stem) >= 20 or re.search(r"[0-9._~+/=]|[a-z][A-Z]", stem) is not None
    return f"{scheme}{gap}{REDACTED}" if secret else match[0]


def _is_user_and_password(token: str) -> bool:
    """Whether base64 of ``user:password`` (RFC 7617) begins here."""
    base = re.split("[^0-9A-Za-z+/_-]", token)[0].replace("+", "-").replace("/", "_")
    base = base[:-1] if len(base) % 4 == 1 else base
    user, colon, _ = urlsafe_b64decode(base + "=" * (-len(base) % 4)).partition(b":")
    return bool(colon) and user.isascii() and user.decode().isprintable()


_STEM = re.compile(
    "pass|pwd|secret|token|key|auth|cookie|credential|jwt|otp|cvv|cvc|csrf|xsrf|bearer|sig|kennwort"
    "|contrase|senha"
)
_ASSIGNMENT = re.compile(
    rf"(?i)(?P<name>(?:{_STEM.pattern})[\w.-]{{0,40}}+)"
    r"""["'`\\\]]{0,4}\s{0,3}(?:=>|:=|==|[=:]|%3d)\s{0,3}(?!//)"""
)
_BACKWARDS = re.compile(r"([\w.-]{0,24})(?: ([\w-]{1,24}))?")
_QUOTED = re.compile(r"""(\\*)(["'`])""")
_BARE = re.compile(r"""(?:(?![;,&|]\s{0,2}[\w .-]{1,40}=)[^\s"'<>&])+""")
_HEADER = re.compile(
    r"(?i)((?:bearer|basic|token|digest|negotiate|apikey|hawk|oauth|aws4-hmac-sha256)\s+)?"
    r"""[^\r\n"'<>]+"""
)
_HEADER_NAMES = _words("authorization proxy-authorization cookie set-cookie")
_SIGNATURES = _words("sig x-amz-signature x-goog-signature")
_WEAK_NAMES = _words("key keys token tokens cookie cookies")
_NO_VALUE = _words(
    "string integer number boolean object array null none str int bool bytes true false required "
    "missing invalid unknown expected optional must should is are was may cannot can not too the a "
    "an and or field value this that it to of for at use please see add set remove no"
)


def _assignments(text: str) -> str:
    """Replace the value in ``password=...``, ``"api_key": "..."``, ``Authorization: ...``."""
    out: list[str] = []
    done = 0
    for match in _ASSIGNMENT.finditer(text):
        name = _full_name(text, match)
        begin = match.end()
        if begin < done or name is None or text.startswith(REDACTED, begin):
            continue
        begin, end = _value_span(text, begin, name)
        if end <= begin or text[begin:end].lower().rstrip(".,;:!?)]}") in _NO_VALUE:
            continue
        if text.startswith(REDACTED, begin):
            continue
        out += (text[done:begin], REDACTED)
        done = end
    return "".join(out) + text[done:] if out else text


def _full_name(text: str, match: re.Match[str]) -> str | None:
    """The name in front of the separator, if it is a secret one."""
    start = match.start()
    before = _BACKWARDS.match(text[max(0, start - 49) : start][::-1])
    name, word = match["name"], None
    if before:
        name, word = before[1][::-1] + name, before[2]
    lowered = name.lower()
    if lowered in _SIGNATURES:
        return name
    full = f"{word[::-1]} {name}" if word and lowered in _WEAK_NAMES else name
    return name if is_secret_field(full) else None


def _value_span(text: str, begin: int, name: str) -> tuple[int, int]:
    """Where the value that begins here starts and ends; an unclosed one runs to the end."""
    quote = _QUOTED.match(text, begin)
    if quote:
        return quote.end(), _closing_quote(text, quote)
    if text[begin : begin + 1] in {"{", "["}:
        return begin, _closing_bracket(text, begin)
    bare = _BARE.match(text, begin)
    end = bare.end() if bare else begin
    if name.lower() in _HEADER_NAMES:
        header = _HEADER.match(text, begin)
        if header and (header[1] or "=" in header[0]):
            return begin + len(header[1] or ""), header.end()
    while end > begin + 1 and text[end - 1] in ",;.)]}":
        end -= 1
    return begin, end


def _closing_quote(text: str, quote: re.Match[str]) -> int:
    if quote[1]:
        end = text.find(quote[0], quote.end())
        return len(text) if end < 0 else end
    closing = re.compile(rf"(?:[^{quote[2]}\\]|\\.)*+", re.S).match(text, quote.end())
    return closing.end() if closing else len(text)


def _closing_bracket(text: str, begin: int) -> int:
    depth = 0
    for bracket in re.compile(r"[][{}]").finditer(text, begin):
        depth += 1 if bracket[0] in "[{" else -1
        if depth == 0:
            return bracket.end()
    return len(text)


_ELEMENT = re.compile(r"(<([\w:.-]{1,64})(?:\s[^<>]{0,100})?>)([^<\s][^<]*)")
_FLAG = re.compile(r"((?<![\w-])--?([\w-]{2,40}+)\s{1,3})((?!-)[^\s\"']+|\"[^\"]*|'[^']*)")


def _named(match: re.Match[str]) -> str:
    """Replace the text of ``<password>...`` and the word after ``--password``."""
    lead, name, value = match.groups()
    if value.lower() in _NO_VALUE or value == REDACTED or not is_secret_field(name):
        return match[0]
    return lead + (value[0] if value[0] in "\"'" else "") + REDACTED


_SEGMENT = r"""[^\s/\\'"`<>|:*?,;(){}\[\]]+"""
_DEEP = r"""[^\\/:*?"<>|\r\n]{1,255}"""
_NAME = r"""[^\\/:*?"'<>|\s,;]"""
_PATH = re.compile(
    rf"""
    (?P<file>(?<![A-Za-z])(?i:file):/{{1,4}}(?=[^\s/]))?
    (?:
      (?P<drive>(?<![0-9A-Za-z])[A-Za-z]:[\\/]{{1,4}}(?:{_DEEP}[\\/]{{1,4}})*)(?P<drive_name>{_NAME}*)
    | (?P<unc>
        (?<![\w\\^])\\{{2,4}}(?:[?.]\\{{1,2}})?[\w.$-]{{2,64}}\\{{1,2}}(?:{_DEEP}\\{{1,2}})*
      )(?P<unc_name>{_NAME}+)
    | (?P<posix>
        (?:
          (?:(?<![\w./~…%^\\+*)}}\]-])|(?<=\\[nrt]))(?:\\?/|//|////)(?!/)
        | (?(file)|(?!))
        )
        {_SEGMENT}(?:\\?/{_SEGMENT})*+/?
      )
    )
    | ://(?!//)[^\s"'<>]+ | ;base64,[A-Za-z0-9+/=]+
    """,
    re.X,
)
_SPACED = r"""[^\s/\\"<>|:*?;,](?:[^/\\"<>|:*?;,\r\n]{0,253}[^\s/\\"<>|:*?;,])?"""
_WHOLE_PATH = re.compile(rf"""/(?:{_SPACED}/)+{_SPACED}""")
_ROOTS = _words(
    "home Users root etc usr var tmp opt mnt srv proc sys dev Library private System Applications "
    "Volumes bin sbin lib lib64 boot run media snap nix workspace workspaces"
)
_EXTENSION = re.compile(r"[^.].*\.[A-Za-z][A-Za-z0-9_]{0,9}")
_ROUTE = re.compile(r"api|rest|graphql|v\d+|9j|html")
_BASE64 = re.compile(r"[A-Za-z0-9+/=]{40,}")


def _paths(text: str) -> str:
    if text[0] == "/" and " " in text and _WHOLE_PATH.fullmatch(text):
        parts = text[1:].split("/")
        if parts[0] in _ROOTS or _EXTENSION.fullmatch(parts[-1]):
            return f"…/{parts[-1]}"
    return _PATH.sub(_path, text)


def _path(match: re.Match[str]) -> str:
    drive, unc, posix = match["drive"], match["unc"], match["posix"]
    if drive is not None:
        name = match["drive_name"]
        deep = len(re.findall(r"[\\/]+", drive)) > 1
        if deep or _EXTENSION.fullmatch(name):
            return f"…/{name or _last(drive)}"
        return match[0]
    if unc is not None:
        return f"…/{match['unc_name']}"
    follower = match.string[match.end() : match.end() + 1]
    if posix is not None and (match["file"] or _is_file(posix, follower)):
        return "…/" + _last(posix)
    return match[0]


def _last(path: str) -> str:
    """The last segment, with its trailing slash if there is one."""
    segments = [part for part in re.split(r"[\\/]+", path) if part]
    return segments[-1] + ("/" if path[-1] in "\\/" else "")


def _is_file(path: str, follower: str) -> bool:
    """Whether an absolute POSIX path is one of files, not a route, XPath or JSON Pointer."""
    segments = [part for part in path.replace("\\", "").split("/") if part]
    if len(segments) < 2:
        return False
    if segments[0] in _ROOTS:
        return True
    if path.startswith("//") or (follower and follower in "[{(*"):
        return False
    if _ROUTE.fullmatch(segments[0]) or _BASE64.fullmatch(path):
        return False
    if _EXTENSION.fullmatch(segments[-1].rstrip(".!")):
        return True
    return len(segments) > 2 and not any(part.isdigit() or part == "-" for part in segments)


_MARGIN = 256
_BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def visible_part(text: str, room: int) -> tuple[str, bool]:
    """The redacted text, or its beginning where it is far longer than `room`; whether it was cut.

    The beginning is longer than `room` unless redaction shrank it. A secret across the edge of
    the window leaves nothing: PEM blocks, quoted values and two-part tokens are found unclosed,
    an unfinished token header or password in a URL is cut off here, and any shorter rest is
    inside the margin that is always dropped.
    """
    window = max(2048, 2 * room + 1024)
    if len(text) <= window:
        return redact_text(text), False
    clean = redact_text(text[:window])
    if clean == UNREADABLE:
        return clean, False
    run = clean[len(clean.rstrip(_BASE64URL)) :]
    for opening in _OPENING.finditer(run):
        if run.startswith(("eyJ", "eyA", "ewo", "ew0", "ewk"), opening.start()):
            clean = clean[: len(clean) - len(run) + opening.start()]
            break
    url = clean.rfind("://", max(0, len(clean) - 1024))
    if url >= 0 and "@" not in clean[url:] and ":" in re.split(r"[\s/?#]", clean[url + 3 :])[0]:
        clean = clean[:url]
    return clean[: max(0, len(clean) - _MARGIN)] or REDACTED, True
