"""Signatures of heads, by the system's own `ssh-keygen -Y`: who published this receipt.

A signature says who, never since when; only publication says that. Keys are the hosts' own ssh keys: nothing here makes
a key, and no passphrase is read by this program (`ssh-keygen` and its agent ask for it). Source: reliability section 5;
docs/log-format.md section 10.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from events.errors import NotRecorded, Unmet, Unreadable

NAMESPACE = "host-ledger-head@v1"
"""Keeps a signature of a head from being used for anything else."""
MAX_PASSPHRASE_SECONDS = 120.0
"""How long somebody may take to type a passphrase."""


def sign(text: str, key: str, namespace: str = NAMESPACE, *, ask: bool) -> str:
    """The armoured signature of a text.

    Args:
        key: A private ssh key; or a public one whose private half an agent holds.
        ask: May ssh-keygen ask for a passphrase at the terminal?

    Raises:
        Unreadable: `sign.key`, no key that can sign. Unmet: `sign.tool`, there is no ssh-keygen, or it waits for input.
    """
    if not os.path.isfile(key):
        raise Unreadable("sign.key", f"there is no key at {key}", "hl receipt --sign KEY")
    result = _ssh_keygen("sign", "-q", "-f", key, "-n", namespace, text=text, ask=ask)
    if result.returncode != 0 or not result.stdout.startswith("-----BEGIN SSH SIGNATURE-----"):
        errors = result.stderr.strip().splitlines()
        raise Unreadable(
            "sign.key",
            f"{key} could not sign: {errors[-1] if errors else 'ssh-keygen says nothing'}",
            "ssh-add it first, or name the private key",
        )
    return result.stdout


def check_signers(signers: str) -> None:
    """Refuse a file of allowed signers that is not there.

    Raises:
        Unreadable: `sign.signers`.
    """
    if not os.path.isfile(signers):
        raise Unreadable(
            "sign.signers", f"there is no file {signers}", "each line of it: mara ssh-ed25519 AAAA... (man ssh-keygen)"
        )


def signer(text: str, signature: str, signers: str, namespace: str = NAMESPACE) -> str | None:
    """Whose signature this is, by the file of allowed signers; None: of nobody in it, or of another text.

    Args:
        signers: As ssh-keygen reads it: one `NAME KEYTYPE KEY` a line.

    Raises:
        Unmet: `sign.tool`, no ssh-keygen here.
    """
    with _written(signature) as path:
        principals = _ssh_keygen("find-principals", "-s", path, "-f", signers)
        for name in principals.stdout.splitlines() if principals.returncode == 0 else ():
            options = ("-f", signers, "-I", name, "-n", namespace, "-s", path)
            if _ssh_keygen("verify", *options, text=text).returncode == 0:
                return name
    return None


@contextmanager
def _written(signature: str) -> Iterator[str]:
    """The path of a private file with a signature, while it is checked: ssh-keygen reads signatures only from files."""
    try:
        handle, path = tempfile.mkstemp(prefix="hl-", suffix=".sig")  # made with rights 0600
        with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
            file.write(signature)
    except OSError as error:
        what = f"no file can be made for ssh-keygen: {error.strerror}"
        raise NotRecorded("output.disk", what, "make room, or set TMPDIR") from None
    try:
        yield path
    finally:
        os.unlink(path)


def _ssh_keygen(command: str, *options: str, text: str = "", ask: bool = False) -> subprocess.CompletedProcess[str]:
    """Run ssh-keygen. Without `ask` it has no terminal, so it can never wait for input.

    Raises:
        Unmet: `sign.tool`.
    """
    tool = shutil.which("ssh-keygen")
    if tool is None:
        what = "signatures need ssh-keygen (OpenSSH 8.2 or newer), and it is not installed here"
        raise Unmet("sign.tool", what, "install OpenSSH; hl receipt without --sign needs nothing")
    env = os.environ if ask else {**os.environ, "SSH_ASKPASS_REQUIRE": "never"}
    try:
        result = subprocess.run(
            [tool, "-Y", command, *options],
            input=text.encode(),  # not as text: Windows would make two characters of every newline
            capture_output=True,
            timeout=MAX_PASSPHRASE_SECONDS,
            check=False,
            env=env,
            start_new_session=not ask,
        )
        output = (part.decode("utf-8", "replace").replace("\r\n", "\n") for part in (result.stdout, result.stderr))
        return subprocess.CompletedProcess(result.args, result.returncode, *output)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unmet("sign.tool", f"ssh-keygen did not answer: {error}", "ssh-keygen -Y sign by hand") from None
