"""For the site: a link that leads out of docs/ becomes its words, and fails when there is no such file."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
OUT = re.compile(r"\[([^\]]+)\]\(((?:\.\./)+[^)#]+)(?:#[^)]*)?\)")


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    def words(link: re.Match[str]) -> str:
        leads = (ROOT / "docs" / page.file.src_uri).parent / link[2]
        if not leads.exists():
            raise SystemExit(f"{page.file.src_uri}: there is nothing at {link[2]}")
        return link[0] if (ROOT / "docs") in leads.resolve().parents else link[1]

    return OUT.sub(words, markdown)
