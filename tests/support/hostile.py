"""Hostile names and notes: what somebody might type to ping, format, link, run, break out or be taken for another."""

from __future__ import annotations

CORPUS: tuple[str, ...] = (
    # Discord: mentions, markup, links, emoji, timestamps
    "@everyone", "@here", "<@123456789012345678>", "<@!123456789012345678>", "<@&123456789012345678>",
    "<#123456789012345678>", "</kick:123456789012345678>", "<id:customize>", "@\u200beveryone", "\\@everyone",
    "**bold**", "__line__", "*it*", "_it_", "~~gone~~", "||spoiler||", "`code`", "``x``", "```",
    "```py\nx\n```",
    "> quote", ">>> all", "# head", "## head", "-# small", "- item", "+ item", "1. item",
    "12. item", "\\", "\\\\",
    "\\*", "a\\", "[x](https://evil.example)", "[x](<https://evil.example>)", "<https://evil.example>",
    "https://evil.example", "HTTPS://EVIL.EXAMPLE", "discord.gg/abc", "DISCORD.GG/abc",
    "discord.com/invite/abc",
    "discordapp.com/invite/abc", "steam://run/1", ":smile:", "<:x:123456789012345678>",
    "<a:x:123456789012345678>",
    "<t:1795000000:R>", "<t:0>", "a\n@everyone", "a\n# b", "a\n> b", "a\n- b", "a\n1. b", "\n", "a\n\nb", "ˋˋˋ",
    # terminals
    "\x1b[2J", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07",
    "\x1b]8;;https://evil\x1b\\x",
    "\x9b2J", "\x9d0;t\x9c", "\x90q\x9c", "a\rb", "a\bb", "a\tb", "\x00", "a\x00b", "\x07", "\x7f",
    "\x85", "\x0b\x0c",
    # what cannot be seen, or turns
    "\u202eevil", "\u2066a\u2069", "\u200b", "a\u200bb", "\u200f", "\u061c", "\ufeff", "\u2060",
    "\u00ad", "\u180e",
    "\u2028", "\u2029", "\U000e0041\U000e0042", "\U000e0001", "\ufff9a\ufffb", "\ue000",
    "\U0010fffd", "\ufdd0", "\uffff",
    "Ann\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301", "e\u0301",
    "Z\u0489\u0489\u0489\u0489\u0489", "\u0301x",
    "\u00a0", "\u3000", "\u2003x", "\u115f", "\u3164", "\u2800", "👨\u200d👩\u200d👧", "❤\ufe0f",
    "漢字", "العربية", "שלום",
    # what an escape is shown as
    "<U+202E>", "<U+003C>", "<U+", "\\<\u200bU\\+202E\\>", "&#x202e;", "\\u202e", "%s", "%n",
    "{0}", "{x.__class__}", "$HOME",
    # HTML and SVG
    "<script>alert(1)</script>", "</script><script>", "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "' onmouseover='x", "<!--", "-->", "]]>", "<![CDATA[", "&lt;b&gt;", "&amp;", "&", "&#60;b",
    "javascript:alert(1)",
    "</title>", "</text><image href='//evil'/>", "<?xml?>", "<style>*{}</style>",
    # spreadsheets
    "=1+1", "+1", "-1", "@SUM(A1)", "=cmd|' /C calc'!A0", "|x", "%x", " =1+1", "\t=1+1", "＝1+1",
    "＋1", "－1", "＠x",
    "'=1", "'", '"', '""', 'a"b', "a,b", "a;b", "a\r\nb", "=HYPERLINK(\"https://evil\")", "=1\n=2",
    # tables and Markdown
    "|", "a|b", "a | b", "---", "===", "|---|", "+---+", "007", "1e5", "1.10", "inf", "nan",
    "None", "true", "0x10", "2026-99-99T99:99:99.999Z",
    # file names and shells
    "..", "../../etc/passwd", "/etc/passwd", "C:\\x", "con", "nul", "COM1", ".", "-", "--help",
    "-rf", "a/b", "a:b", "~",
    "$(touch x)", "`touch x`", "; touch x", "| touch x", "&& touch x", "x\n touch x", "*", "?",
    "!", "#", "a" * 300,
    # names that read as somebody or something else
    "host", "public", "bank", "everybody", "nobody", "ann", "Ann", "ANN", "\u0410nn", "ﬁ", "ⅷ",
    "İ", "ß", "ſ", "𝐀𝐧𝐧",
)  # fmt: skip
"""Each is one name or one note."""
PIECES = (
    *"abZ019 .:/<>@#*_~|`\\[]()-+=!&'\",;$%{}^?\n\t\r\0\x1b\x9b\u200b\u200d\u202e\u2028\u0301\ufe0f\ue000é漢ˋ＝",
    "\U000e0041", "\U0001f480", "U+", "<U+", "://", "@everyone", "discord", ".gg", "```",
    "<script", "&lt;", "]]>", "1. ",
)  # fmt: skip
"""Of these, random texts are made."""
