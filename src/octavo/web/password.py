"""The password of the pages: kept as an Argon2 hash, and the sessions of those who know it.

The file beside the catalogue is its owner's alone. It holds the hash and the secret by which sessions are signed; a new
password brings a new secret, which ends every session. Nothing is kept of a session but in the browser's cookie.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import stat
import sys
import time
import unicodedata
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from octavo.errors import StorageError, UsageError

LEAST_LETTERS, MOST_LETTERS = 10, 500
SESSION = 14 * 24 * 3600
"""Seconds that a session lasts."""
TRIES, PAUSE = 5, 30.0
"""Wrong passwords that an address has at once, and the seconds after which it has one more."""
TRIES_OF_ALL, PAUSE_OF_ALL = 40, 3.0
"""The same for all addresses together."""
_MOST_ADDRESSES = 2_000
_FORM = 1


def password_path(home: Path) -> Path:
    """Where the password of a home is kept."""
    return home / "password.json"


@dataclass(frozen=True, slots=True)
class Password:
    """A password that is set."""

    hashed: str
    secret: bytes

    def is_right(self, text: str) -> bool:
        """Whether that is the password. Takes a twentieth of a second and 64 MB, on purpose."""
        from argon2 import PasswordHasher
        from argon2.exceptions import InvalidHashError, VerificationError

        if len(text) > MOST_LETTERS:
            return False
        try:
            return PasswordHasher().verify(self.hashed, _normal(text))
        except (VerificationError, InvalidHashError):
            return False

    def new_session(self, now: float | None = None) -> str:
        """What a browser keeps after the right password: until when, and a signature."""
        until = int((time.time() if now is None else now) + SESSION)
        number = f"{until}.{secrets.token_urlsafe(12)}"
        return f"{number}.{self._signature('session', number)}"

    def is_session(self, cookie: str, now: float | None = None) -> bool:
        """Whether a session is of this password and still lasts."""
        number, _, signature = cookie.rpartition(".")
        if not _is_same(self._signature("session", number), signature):
            return False
        until = number.partition(".")[0]
        moment = time.time() if now is None else now
        return until.isascii() and until.isdigit() and moment < int(until) <= moment + SESSION + 60

    def token(self, cookie: str) -> str:
        """What the form that ends a session carries."""
        return self._signature("leave", cookie)

    def is_token(self, cookie: str, token: str) -> bool:
        """Whether a form that ends a session was made for it."""
        return _is_same(self.token(cookie), token)

    def _signature(self, purpose: str, text: str) -> str:
        return hmac.digest(self.secret, f"{purpose}:{text}".encode("utf-8", "replace"), "sha256").hex()


def _is_same(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode("utf-8", "replace"), other.encode("utf-8", "replace"))


def _normal(text: str) -> bytes:
    """The same password however a keyboard puts accents together."""
    return unicodedata.normalize("NFKC", text).encode("utf-8", "surrogatepass")


def set_password(home: Path, text: str) -> None:
    """Set the password of a home, in place of the one that is set; every session ends.

    Raises:
        UsageError: it is too short or too long.
        StorageError: it can't be kept.
    """
    from argon2 import PasswordHasher

    if not LEAST_LETTERS <= len(text) <= MOST_LETTERS:
        raise UsageError(
            f"A password has {LEAST_LETTERS} to {MOST_LETTERS} letters; this has {len(text)}.",
            hint="A few words in a row are easy to remember and hard to guess.",
        )
    said = {"form": _FORM, "hash": PasswordHasher().hash(_normal(text)), "secret": secrets.token_hex(32)}
    path = password_path(home)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        home.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        # Never readable by others, not for a moment.
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as out:
            json.dump(said, out)
            out.flush()
            os.fsync(out.fileno())
        new.replace(path)
    except OSError as error:
        new.unlink(missing_ok=True)
        raise StorageError(f"The password can't be kept in {path}: {error.strerror or error}.") from error


def remove_password(home: Path) -> bool:
    """Take the password away; False where none was set.

    Raises:
        StorageError: it can't be taken away.
    """
    try:
        password_path(home).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StorageError(f"{password_path(home)} can't be deleted: {error.strerror or error}.") from error
    return True


def load_password(home: Path) -> Password | None:
    """The password that is set; None where none is.

    Raises:
        UsageError: others may read the file, or it is none of Octavo's.
    """
    path = password_path(home)
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} can't be read: {error}.", hint="`octavo config password` sets a new one.") from error
    if sys.platform != "win32" and mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise UsageError(f"Others may read {path}.", hint=f"chmod 600 {path} - or set a new password.")
    try:
        said = json.loads(text)
        form, hashed, secret = said["form"], str(said["hash"]), bytes.fromhex(said["secret"])
    except (ValueError, KeyError, TypeError):
        form, hashed, secret = 0, "", b""
    if form != _FORM or not hashed.startswith("$argon2id$") or len(secret) < 32:
        raise UsageError(f"{path} is damaged.", hint="`octavo config password` sets a new one.")
    return Password(hashed, secret)


class Keeper:
    """The password as the file has it now: one that is set anew, or taken away, counts at once."""

    def __init__(self, home: Path) -> None:
        """Look after the password of `home`."""
        self._path = password_path(home)
        self._home = home
        self._seen: tuple[int, int, int] | None = None
        self._password: Password | None = None

    @property
    def is_set(self) -> bool:
        """Whether there is one, be it one that can't be read."""
        return os.path.lexists(self._path)

    def password(self) -> Password | None:
        """The password; None where none is set or it can't be read, so that nobody is let in."""
        try:
            found = self._path.stat()
            state = (found.st_mtime_ns, found.st_ino, found.st_mode)
            if state != self._seen:
                self._password, self._seen = load_password(self._home), state
        except (OSError, UsageError):
            self._password = self._seen = None
        return self._password


class Tries:
    """Counts wrong passwords, by address and in all. Threads may share one."""

    def __init__(self) -> None:
        """Nobody has tried yet."""
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str, now: float | None = None) -> float:
        """Seconds until that address may try; 0 where it may now, and then this is a try."""
        moment = time.monotonic() if now is None else now
        with self._lock:
            wait = max(self._wait(address, TRIES, PAUSE, moment), self._wait("", TRIES_OF_ALL, PAUSE_OF_ALL, moment))
            if wait <= 0:
                self._take(address, TRIES, PAUSE, moment)
                self._take("", TRIES_OF_ALL, PAUSE_OF_ALL, moment)
        return max(0.0, wait)

    def forgive(self, address: str) -> None:
        """The password was right."""
        with self._lock:
            self._left.pop(address, None)

    def _now(self, address: str, most: int, pause: float, moment: float) -> float:
        left, at = self._left.get(address, (float(most), moment))
        return min(float(most), left + (moment - at) / pause)

    def _wait(self, address: str, most: int, pause: float, moment: float) -> float:
        left = self._now(address, most, pause, moment)
        return 0.0 if left >= 1 else (1 - left) * pause

    def _take(self, address: str, most: int, pause: float, moment: float) -> None:
        self._left[address] = (self._now(address, most, pause, moment) - 1, moment)
        self._left.move_to_end(address)
        while len(self._left) > _MOST_ADDRESSES:
            self._left.popitem(last=False)
