"""A chat in the other forms of DiscordChatExporter, made of its JSON: laid out as its templates lay it out, minified.

Source: DiscordChatExporter 2.46, PreambleTemplate, MessageGroupTemplate, HtmlMarkdownVisitor and CsvMessageWriter.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from itertools import groupby
from typing import Any

_MARKDOWN = (
    (r"\*\*(.+?)\*\*", r"<strong>\1</strong>"),
    (r"`(.+?)`", r'<code class="chatlog__markdown-pre chatlog__markdown-pre--inline">\1</code>'),
    (r"&lt;t:[0-9]+(?::[a-zA-Z])?&gt;", '<span class="chatlog__markdown-timestamp" title="x">5/3/2026 6:00 PM</span>'),
    (
        r"(?m)^&gt; (.*)$\n?",
        r'<div class="chatlog__markdown-quote"><div class="chatlog__markdown-quote-border"></div>'
        r'<div class="chatlog__markdown-quote-content">\1</div></div>',
    ),
    (r"✅", '<img loading="lazy" class="chatlog__emoji" alt="✅" title="white_check_mark" src="https://cdn/2705.svg">'),
)


def drawn(content: str) -> str:
    """What somebody wrote, as the page shows it."""
    text = html.escape(content)
    for pattern, made in _MARKDOWN:
        text = re.sub(pattern, made, text)
    return text


def _notice(one: Mapping[str, Any]) -> str:
    return (
        '<div class="chatlog__message-aside"><svg class="chatlog__system-notification-icon"><use href="#pin-icon">'
        '</use></svg></div><div class="chatlog__message-primary"><span class="chatlog__system-notification-author"'
        f' title="{html.escape(one["author"]["name"])}" data-user-id="1">x</span><span> </span>'
        '<span class="chatlog__system-notification-content"><span>pinned </span></span></div>'
    )


def _spoken(one: Mapping[str, Any], first: bool) -> str:
    who = one["author"]
    header = (
        '<div class="chatlog__reply"><img class="chatlog__reply-avatar" src="x" alt="Avatar"><div '
        'class="chatlog__reply-author" title="other">Other</div><div class="chatlog__reply-content"><span '
        f'class="chatlog__reply-link">what was answered: B1 R1</span></div></div>'
        f'<div class="chatlog__header"><span class="chatlog__author" title="{html.escape(who["name"])}" data-user-id='
        f"{who['id']}>{html.escape(who['nickname'])}</span>"
        + ('<span class="chatlog__author-tag">BOT</span>' if who["isBot"] else "")
        + f'<span class="chatlog__timestamp"><a href="#chatlog__message-container-{one["id"]}">x</a></span></div>'
    )
    edited = (
        '<span class="chatlog__edited-timestamp" title="1/4/2026">(edited)</span>' if one["timestampEdited"] else ""
    )
    ticks = "".join(
        f'<div class="chatlog__reaction" title="x"><img class="chatlog__emoji chatlog__emoji--small" alt="'
        f'{sign["emoji"]["name"]}" src="x"><span class="chatlog__reaction-count">{len(sign["users"])}</span></div>'
        for sign in one["reactions"]
        if sign["users"]
    )
    return (
        '<div class="chatlog__message-aside"><img class="chatlog__avatar" src="x" alt="Avatar"></div>'
        f'<div class="chatlog__message-primary">{header if first else ""}'
        '<div class="chatlog__content chatlog__markdown">'
        f'<span class="chatlog__markdown-preserve">{drawn(one["content"])}</span>{edited}</div>'
        f'<div class="chatlog__reactions">{ticks}</div></div>'
    )


def as_html(chat: Mapping[str, Any], server: str = "845") -> bytes:
    """A page with these messages, those of one author after the other in one group."""
    groups = ""
    for _, rows in groupby(chat["messages"], lambda one: (one["author"]["id"], one["type"])):
        groups += "<div class=chatlog__message-group>"
        for n, one in enumerate(rows):
            inner = _spoken(one, n == 0) if one["type"] in ("Default", "Reply") else _notice(one)
            groups += (
                f'<div id="chatlog__message-container-{one["id"]}" class="chatlog__message-container" '
                f'data-message-id="{one["id"]}"><div class=chatlog__message>{inner}</div></div>'
            )
        groups += "</div>"
    icon = f"https://cdn.discordapp.com/icons/{server}/x.png" if server else "https://cdn.discordapp.com/embed/0.png"
    return (
        '<!DOCTYPE html><html lang="en"><head><title>Season - p1-p2</title><meta charset="utf-8"><style>.a>b{}</style>'
        "<script>for (let i = 0; i < 9; i++) {}</script></head><body><div class=preamble><img "
        f'class="preamble__guild-icon" src="{icon}" alt="Guild icon"><div class="preamble__entry">Season</div></div>'
        f'<div class=chatlog>{groups}</div><div class="postamble"><div class="postamble__entry">Exported '
        f"{len(chat['messages']):,} message(s)</div></div>"
        "</body></html>"
    ).encode()


def as_csv(chat: Mapping[str, Any]) -> bytes:
    """Rows, with the times as `o` writes them."""

    def row(*cells: str) -> str:
        return ",".join('"' + cell.replace('"', '""') + '"' for cell in cells) + "\r\n"

    rows = ["AuthorID,Author,Date,Content,Attachments,Reactions\r\n"]
    for one in chat["messages"]:
        if one["type"] not in ("Default", "Reply"):
            continue
        at = re.sub(r"(\.[0-9]{3})?\+00:00$", lambda found: (found[1] or ".000") + "0000+00:00", one["timestamp"])
        ticks = [f"{sign['emoji']['name']} ({len(sign['users'])})" for sign in one["reactions"] if sign["users"]]
        rows.append(row(one["author"]["id"], one["author"]["name"], at, one["content"], "", ",".join(ticks)))
    return "".join(rows).encode("utf-8-sig")
