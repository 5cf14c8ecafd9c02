"""What could not be checked when chats were compared with the log, and why."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from ledger.core.times import is_message_id
from ledger.exchange.chat import instant_of_id
from ledger.exchange.citations import Citations


def not_checked(citations: Citations, verbs: Container[str], unknown: Iterable[str]) -> Iterator[str]:
    """What could not be checked with these files, a line each.

    Args:
        verbs: What players say in this game. unknown: Authors of whom nobody knows who they are.
    """
    by_channel = {chat.channel: chat for chat in citations.chats}
    elsewhere: dict[str, int] = {}
    outside = bare = without_evidence = 0
    for seq in citations.live:
        evidence = citations.entries[seq - 1].body.evidence
        if evidence is None:
            without_evidence += citations.live[seq].do in verbs
        elif link := citations.link(seq):
            at = instant_of_id(link[3])
            if link[2] not in by_channel:
                elsewhere[link[2]] = elsewhere.get(link[2], 0) + 1
            elif at is not None and not by_channel[link[2]].holds(at):
                outside += 1
        elif is_message_id(evidence):
            bare += all(message.id != evidence for chat in citations.chats for message in chat.messages)
    if elsewhere:
        channels = ", ".join(sorted(elsewhere))
        yield f"{_entries(sum(elsewhere.values()))} on messages of channels that are not here: {channels}"
    if outside:
        yield f"{_entries(outside)} on messages outside the span of the export"
    if bare:
        yield f"{_entries(bare)} on a bare message id, and its channel is not known"
    if without_evidence:
        yield f"{without_evidence} entr{'y' if without_evidence == 1 else 'ies'} of players without evidence"
    yield from _limits_of_forms(citations)
    if n := sum(citations.is_settled(chat, message) for chat in citations.chats for message in chat.messages):
        yield f"{n} message{'' if n == 1 else 's'} of which a host has said that there is nothing to record"
    for name in unknown:
        yield f'who "{name}" is: hl alias PLAYER "{name}"'


def _limits_of_forms(citations: Citations) -> Iterator[str]:
    """What could not be checked because the form of a file leaves it out."""
    missing = {"HTML": "when a message was edited, who put a sign under it"}
    missing["CSV"] = "the ids of messages (they are known by their moments), edits, bots, who put a sign under one"
    for form, lacking in missing.items():
        if names := sorted({chat.name or chat.channel for chat in citations.chats if chat.form == form}):
            yield f"{lacking}: {form} does not say it ({', '.join(names)})"
    edited = {
        seq
        for chat in citations.chats
        for message in chat.messages
        if message.edited_once
        for seq in citations.citing(chat, message)
        if seq not in citations.posted
    }
    if edited:
        seqs = ", ".join(map(str, sorted(edited)))
        yield f"{_entries(len(edited))} on a message that was edited, nobody knows when: {seqs}; export as JSON"


def _entries(number: int) -> str:
    return f"{number} entr{'y rests' if number == 1 else 'ies rest'}"
