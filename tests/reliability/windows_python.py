"""A real CPython for Windows, put together for Wine out of the package registries, for `make test-windows`.

The interpreter itself, `python311.dll` with its own modules, is in Panda3D's wheel for Windows, which carries it for
programs that are made with Panda3D. What is written in Python comes from the Python 3.11 that runs this. Built here,
with MinGW: `python.exe` (it calls `Py_Main`), `python3.dll` (which hands every name on), and what Wine 8 lacks.

    python tests/reliability/windows_python.py FOLDER WORDS...     puts it there, once, and runs it with these words
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

INTERPRETER = "panda3d==1.10.16"
PACKAGES = """click pydantic tabulate tzdata colorama pytest pytest-timeout freezegun hypothesis phevaluator
    prompt_toolkit resvg-py httpx PyNaCl cffi tree-sitter tree-sitter-powershell mslex""".split()  # noqa: SIM905
WINDOWS = "--platform win_amd64 --python-version 3.11 --implementation cp --only-binary :all:".split()  # noqa: SIM905
COMPILER, DUMP = "x86_64-w64-mingw32-gcc", "x86_64-w64-mingw32-objdump"
MAIN = """
#include <windows.h>
int wmain(int argc, wchar_t **argv) {
    HMODULE python = LoadLibraryW(L"python311.dll");
    int (*run)(int, wchar_t **) = python ? (void *)GetProcAddress(python, "Py_Main") : NULL;
    return run ? run(argc, argv) : 9;
}
"""
RANDOM = """
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return SystemFunction036(data, (ULONG)size); }
"""
AT_START = '''"""Wine's C library does not say why a byte could not be locked; that of Windows says EACCES."""
import errno, msvcrt
_locking = msvcrt.locking
def locking(fd, mode, nbytes, /):
    try:
        _locking(fd, mode, nbytes)
    except OSError as error:
        if error.errno == 0:
            raise PermissionError(errno.EACCES, "Permission denied") from None
        raise
msvcrt.locking = locking
'''


def lacking() -> list[str]:
    """What must be here first."""
    tools = [tool for tool in ("wine", COMPILER, DUMP) if shutil.which(tool) is None]
    return tools + ([] if sys.version_info[:2] == (3, 11) else ["a Python 3.11 that runs this"])


def run(*words: str | Path) -> str:
    return subprocess.run([*map(str, words)], check=True, capture_output=True, text=True).stdout


def pip(*words: str | Path) -> None:
    run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words)


def compiled(target: Path, source: str, *more: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "source.c").write_text(source, encoding="ascii")
        run(COMPILER, "-O1", "-o", target, f"{folder}/source.c", *more)


def build(into: Path) -> None:
    (into / "DLLs").mkdir(parents=True)
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-deps", *WINDOWS, "-d", folder, INTERPRETER)
        (wheel,) = Path(folder).glob("*.whl")
        with zipfile.ZipFile(wheel) as files:
            for name in files.namelist():
                place, _, file = name.rpartition("/")
                if place != "deploy_libs" or file.startswith("api-ms-win"):
                    continue
                beside = file.lower() in ("python311.dll", "vcruntime140.dll")
                (into / ("" if beside else "DLLs") / file).write_bytes(files.read(name))
    ours = shutil.ignore_patterns("site-packages", "test", "lib-dynload", "config-*", "idlelib", "__pycache__")
    shutil.copytree(sysconfig.get_path("stdlib"), into / "Lib", ignore=ours)
    (into / "Lib" / "sitecustomize.py").write_text(AT_START, encoding="ascii")
    pip("install", "--no-warn-conflicts", *WINDOWS, "--target", into / "Lib" / "site-packages", *PACKAGES)
    compiled(into / "bcryptprimitives.dll", RANDOM, "-shared", "-ladvapi32")
    lines = run(DUMP, "-p", into / "python311.dll").partition("[Ordinal/Name Pointer]")[2].partition("\n\n")[0]
    names = sorted({line.split()[-1] for line in lines.splitlines() if line.strip().startswith("[")})
    hands_on = "LIBRARY python3.dll\nEXPORTS\n" + "".join(f"{name}=python311.{name}\n" for name in names)
    (into / "python3.def").write_text(hands_on, encoding="ascii")
    run(COMPILER, "-shared", "-nostdlib", "-o", into / "python3.dll", into / "python3.def")
    compiled(into / "python.exe", MAIN, "-municode")  # the last: with it the whole is there


def under_wine(folder: Path, words: list[str]) -> int:
    """Run it with a registry of its own. Wine's Python takes nothing but pipes for its three files."""
    env = {**os.environ, "WINEPREFIX": str(folder / "wine"), "WINEDEBUG": "-all", "PYTHONDONTWRITEBYTECODE": "1"}
    nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(["wine", "wineboot"], env=env, check=True, **nothing)  # type: ignore[call-overload]
    try:
        started = subprocess.Popen(
            ["wine", str(folder / "python.exe"), "-u", *words],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        for line in started.stdout or ():
            sys.stdout.write(line.decode("utf-8", "replace"))
            sys.stdout.flush()
        return started.wait()
    finally:
        subprocess.run(["wineserver", "-k"], env=env, check=False)


def main() -> int:
    folder = Path(sys.argv[1]).absolute()
    if missing := lacking():
        print(f"left out: {', '.join(missing)} not here")
        return 0
    if not (folder / "python.exe").is_file():
        shutil.rmtree(folder, ignore_errors=True)
        build(folder)
    return under_wine(folder, sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
