"""Check a log without host-ledger: python3 check_log.py log.jsonl. Format: log-format.md."""

import os
import re
import sys
from hashlib import sha256

HEX = rb'"([0-9a-f]{64})"'
LINE = re.compile(
    rb'\{"seq":(\d+),"prev":' + HEX + rb',"seal":' + HEX + rb'(?:,"salt":"([0-9a-f]{32})","body":(\{[^\n]*\}))?\}\n'
)
prev, number, opened = b"0" * 64, 0, 0
if len(sys.argv) != 2 or not os.path.isfile(sys.argv[1]) or not os.access(sys.argv[1], os.R_OK):
    sys.exit("usage: python3 check_log.py LOG, a plain file that you may read")
with open(sys.argv[1], "rb") as log:
    for number, line in enumerate(iter(lambda: log.readline(65537), b""), 1):
        found = LINE.fullmatch(line)
        if not found or len(line) > 65536:
            sys.exit(f"line {number}: not laid out as an entry")
        seq, named, seal, salt, body = found.groups()
        if seq != b"%d" % number:
            sys.exit(f"line {number}: numbered {seq.decode()}")
        if named != prev:
            sys.exit(f"line {number}: does not follow from the line before it")
        if salt and sha256(salt + b"\n" + body).hexdigest().encode() != seal:
            sys.exit(f"line {number}: its content does not fit its seal")
        opened += salt is not None
        prev = sha256(b"host-ledger/1\n%d\n%s\n%s\n" % (number, named, seal)).hexdigest().encode()
print(f"{number} lines, {opened} open, head {prev.decode()}" if number else sys.exit("line 1: there is none"))
