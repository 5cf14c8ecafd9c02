"""Repeats every draw of a log, the deal and the lots, from the seeds and the players' words; checks the commitment.

Plain Python, nothing of host-ledger: what is written here is docs/log-format.md, section Randomness, once more.
Usage: python check_deal.py log.jsonl     (the hosts' whole log: what was drawn must be open)
A log that was joined with another copy is not for this program: its lots were drawn under the numbers of that copy.
"""

import hashlib
import hmac
import json
import sys

RANKS = [*map(str, range(3, 11)), *"JQKA2"]


def cards_of(game, players):
    """The deck in the order a shuffle starts from, and how many cards a seat takes."""
    if game == "equilibrium":
        return [f"{c}{v}" for v in range(1, 11) for c in "BR" for _ in range(2)], 5
    if game == "marsmatch":
        ranks = {**dict.fromkeys(RANKS, 4), "LJ": 1, "BJ": 1}
        return [rank for rank, copies in ranks.items() for _ in range(copies * players)], 54
    return None, 0


def u32(text):
    data = text.encode()
    return len(data).to_bytes(4, "big") + data


def mixed(seed, words=()):
    return hmac.digest(seed, b"hl-mix-v1\0" + b"".join(u32(player) + u32(text) for player, text in words), "sha256")


def stream(key, label):
    block = 0
    while True:
        data = hmac.digest(key, b"hl-stream-v1\0" + label.encode() + b"\0" + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(data[i : i + 8], "big") for i in range(0, 32, 8))
        block += 1


def below(words, n):
    limit = 2**64 - 2**64 % n
    return next(word for word in words if word < limit) % n


def shuffled(cards, words):
    for i in range(len(cards) - 1, 0, -1):
        j = below(words, i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def live(lines):
    """(number, action, args) of what counts: undo and redo strike whole batches, and the last amend counts."""
    undone, said = {}, {}
    for line in lines:
        do, args = line["body"]["do"], line["body"]["args"]
        if do == "undo":
            target = lines[args["target"] - 1]
            undone[line["seq"]] = {args["target"], target["body"].get("batch", args["target"])}
        elif do == "redo":
            undone.pop(args["target"], None)
    struck = set().union(*undone.values())
    kept = [line for line in lines if not struck & {line["seq"], line["body"].get("batch")}]
    for line in kept:
        if line["body"]["do"] == "amend":
            said[line["body"]["args"]["target"]] = line["body"]["args"]["args"]
    return [(line["seq"], line["body"]["do"], said.get(line["seq"], line["body"]["args"])) for line in kept]


class Wrong(Exception):
    """What does not come out as it was recorded."""


def repeat_deals(first, entries):
    """Every deal; a seed that was committed to, and the words, serve the first of them."""
    told = {do: [args for _, what, args in entries if what == do] for do in ("commit", "seed", "word", "deal")}
    game, seats = first["body"]["args"]["game"], [row["id"] for row in first["body"]["args"]["roster"]]
    dealt = {}
    for _, do, args in entries:
        if do == "hand":
            dealt[args["player"]] = sorted(args["cards"])
        if do != "deal":
            continue
        committed = told["commit"] and args is told["deal"][0]
        if args["method"] != "drawn":
            if committed:
                raise Wrong("the hands were typed in, though a seed had been committed to")
            yield "the hands were typed in: there is nothing to repeat"
            continue
        seed = bytes.fromhex(told["seed"][-1]["seed"] if committed else args["seed"])
        if committed:
            game_id = hashlib.sha256(f"host-ledger/1\n1\n{first['prev']}\n{first['seal']}\n".encode()).hexdigest()
            told_before = hashlib.sha256(b"hl-deal-v1\0" + game_id.encode() + b"\0" + seed).hexdigest()
            if told_before != told["commit"][-1]["commitment"] or args.get("seed", seed.hex()) != seed.hex():
                raise Wrong("the seed is not the one that was committed to")
        deck, each = cards_of(game, len(seats))
        if deck is None:
            yield f"the deck of {game} is not known here"
            continue
        words = [(w["player"], w["text"]) for w in told["word"]] if committed else []
        cards = shuffled(deck, stream(mixed(seed, words), "deal"))
        wrong = [p for i, p in enumerate(seats) if sorted(cards[each * i : each * (i + 1)]) != dealt.get(p)]
        if wrong:
            raise Wrong(f"other hands for {', '.join(wrong)}")
        yield f"the deal of {len(seats)} hands is the seed's"


def lot_of(game, do, args, seats, words):
    """What the seed of a lot gives, and what was recorded."""
    if do == "lot":
        return args["among"][below(words, len(args["among"]))], args["outcome"]
    if do == "draw" and args["method"] == "banker":
        return args["seats"][below(words, len(seats))], args["banker"]
    if do == "draw":
        order = shuffled(list(seats), words)
        return [order, order[0]], [args["seats"], args["banker"]]
    if game == "polar":
        rooms = ("rock", "paper", "scissors")
        return [f"{p} {rooms[below(words, 3)]} {'+-'[below(words, 2)]}" for p in seats], args["drawn"]
    if game == "hex_parties":
        return [f"{p} {('first', 'second')[below(words, 2)]}" for p in seats], args["drawn"]
    return shuffled(list(seats), words), args["order"]


def repeat_lots(first, entries):
    game, seats = first["body"]["args"]["game"], [row["id"] for row in first["body"]["args"]["roster"]]
    for number, do, args in entries:
        if do not in ("lot", "resolve", "draw") or "seed" not in args:
            continue
        words = stream(mixed(bytes.fromhex(args["seed"])), f"lot:{number}")
        drawn, recorded = lot_of(game, do, args, seats, words)
        if drawn != recorded:
            raise Wrong(f"the lot of entry {number} is not its seed's")
        yield f"the lot of entry {number} is its seed's"


def main(path):
    with open(path, encoding="ascii") as log:
        lines = [json.loads(line) for line in log]
    if closed := [line["seq"] for line in lines if "body" not in line]:
        sys.exit(f"line {closed[0]} is closed: draws are repeated from the hosts' whole log, where no line is")
    entries = live(lines)
    try:
        return "\n".join([*repeat_deals(lines[0], entries), *repeat_lots(lines[0], entries)]) or "nothing was drawn"
    except Wrong as wrong:
        return f"WRONG: {wrong}"


if __name__ == "__main__":
    answer = main(sys.argv[1])
    print(answer)
    sys.exit(answer.startswith("WRONG"))
