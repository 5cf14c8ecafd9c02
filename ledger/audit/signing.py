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

from events.errors import NotRecorded, Unmet, Unreadable

NAMESPACE = "host-ledger-head@v1"
"""Keeps a signature of a head from passing for one of anything else."""
PATIENCE = 120.0
"""Seconds that somebody may take to type a passphrase."""


def sign(text: str, key: str, namespace: str = NAMESPACE, *, ask: bool) -> str:
    """The armoured signature of a text.

    Args:
        key: A private ssh key; or a public one whose private half an agent holds.
        ask: May ssh-keygen ask for a passphrase at the terminal?

    Raises:
        Unreadable: `sign.key`, that is no key that can sign. Unmet: `sign.tool`, no ssh-keygen here, or it waits.
    """
    if not os.path.isfile(key):
        raise Unreadable("sign.key", f"there is no key at {key}", "hl receipt --sign KEY")
    done = _ssh_keygen("sign", "-q", "-f", key, "-n", namespace, typed=text, ask=ask)
    if done.returncode != 0 or not done.stdout.startswith("-----BEGIN SSH SIGNATURE-----"):
        said = done.stderr.strip().splitlines()
        raise Unreadable(
            "sign.key",
            f"{key} could not sign: {said[-1] if said else 'ssh-keygen says nothing'}",
            "ssh-add it first, or name the private key",
        )
    return done.stdout


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
    with _written(signature) as place:
        found = _ssh_keygen("find-principals", "-s", place, "-f", signers)
        for name in found.stdout.splitlines() if found.returncode == 0 else ():
            words = ("-f", signers, "-I", name, "-n", namespace, "-s", place)
            if _ssh_keygen("verify", *words, typed=text).returncode == 0:
                return name
    return None


class _written:
    """A private file that holds a signature for as long as it is looked at: ssh-keygen reads it from nowhere else."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __enter__(self) -> str:
        try:
            handle, self.place = tempfile.mkstemp(prefix="hl-", suffix=".sig")  # made with rights 0600
            with os.fdopen(handle, "w", encoding="ascii", newline="\n") as file:
                file.write(self.text)
        except OSError as error:
            what = f"no file can be made for ssh-keygen: {error.strerror}"
            raise NotRecorded("output.disk", what, "make room, or set TMPDIR") from None
        return self.place

    def __exit__(self, *error: object) -> None:
        os.unlink(self.place)


def _ssh_keygen(act: str, *words: str, typed: str = "", ask: bool = False) -> subprocess.CompletedProcess[str]:
    """One run of it. Without `ask` it has no terminal, so it can never wait for somebody.

    Raises:
        Unmet: `sign.tool`.
    """
    tool = shutil.which("ssh-keygen")
    if tool is None:
        what = "signatures need ssh-keygen (OpenSSH 8.2 or newer), and it is not installed here"
        raise Unmet("sign.tool", what, "install OpenSSH; hl receipt without --sign needs nothing")
    env = os.environ if ask else {**os.environ, "SSH_ASKPASS_REQUIRE": "never"}
    try:
        done = subprocess.run(
            [tool, "-Y", act, *words],
            input=typed.encode(),  # not as text: Windows would make two characters of every newline
            capture_output=True,
            timeout=PATIENCE,
            check=False,
            env=env,
            start_new_session=not ask,
        )
        said = (part.decode("utf-8", "replace").replace("\r\n", "\n") for part in (done.stdout, done.stderr))
        return subprocess.CompletedProcess(done.args, done.returncode, *said)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unmet("sign.tool", f"ssh-keygen did not answer: {error}", "ssh-keygen -Y sign by hand") from None
