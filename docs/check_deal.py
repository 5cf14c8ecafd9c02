"""Repeats the deal of a log of Equilibrium or MarsMatch from its seed and the players' words; checks the commitment.

Plain Python, nothing of host-ledger: what is written here is docs/log-format.md, section Randomness, once more.
Usage: python check_deal.py log.jsonl     (the hosts' whole log: hands and seed must be open)
"""

import hashlib
import hmac
import json
import sys


def u32(text):
    data = text.encode()
    return len(data).to_bytes(4, "big") + data


def stream(key, label):
    block = 0
    while True:
        data = hmac.digest(key, b"hl-stream-v1\0" + label.encode() + b"\0" + block.to_bytes(8, "big"), "sha256")
        yield from (int.from_bytes(data[i : i + 8], "big") for i in range(0, 32, 8))
        block += 1


def shuffled(cards, words):
    for i in range(len(cards) - 1, 0, -1):
        limit = 2**64 - 2**64 % (i + 1)
        j = next(word for word in words if word < limit) % (i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def cards_of(game, players):
    """The deck in the order a shuffle starts from, and how many cards each player gets."""
    if game == "equilibrium":
        return [f"{c}{v}" for v in range(1, 11) for c in "BR" for _ in range(2)], 5
    ranks = {**dict.fromkeys([*map(str, range(3, 11)), *"JQKA2"], 4), "LJ": 1, "BJ": 1}
    return [rank for rank, copies in ranks.items() for _ in range(copies * players)], 54


def main(path):
    with open(path, encoding="ascii") as log:
        lines = [json.loads(line) for line in log]
    first = lines[0]
    game_id = hashlib.sha256(f"host-ledger/1\n1\n{first['prev']}\n{first['seal']}\n".encode()).hexdigest()
    struck = {line["body"]["args"]["target"] for line in lines if line["body"]["do"] == "undo"}
    bodies = [line["body"] for line in lines if line["seq"] not in struck and line["body"].get("batch") not in struck]
    args = {
        do: [b["args"] for b in bodies if b["do"] == do] for do in ("create", "commit", "seed", "word", "hand", "deal")
    }
    deal = args["deal"][-1]
    if deal["method"] != "drawn":
        return "the hands were typed in: there is nothing to repeat"
    committed = args["commit"] and len(args["deal"]) == 1  # a later round draws a seed of its own
    seed = bytes.fromhex(args["seed"][-1]["seed"] if committed else deal["seed"])
    if committed:
        told = hashlib.sha256(b"hl-deal-v1\0" + game_id.encode() + b"\0" + seed).hexdigest()
        if told != args["commit"][-1]["commitment"]:
            return "WRONG: the seed is not the one that was committed to"
    words = b"".join(u32(w["player"]) + u32(w["text"]) for w in args["word"] if committed)
    key = hmac.digest(seed, b"hl-mix-v1\0" + words, "sha256")
    seats = [row["id"] for row in args["create"][0]["roster"]]
    deck, each = cards_of(args["create"][0]["game"], len(seats))
    deck = shuffled(deck, stream(key, "deal"))
    dealt = {hand["player"]: sorted(hand["cards"]) for hand in args["hand"]}
    wrong = [p for i, p in enumerate(seats) if sorted(deck[each * i : each * i + each]) != dealt.get(p)]
    return f"WRONG: other hands for {', '.join(wrong)}" if wrong else f"the deal of {len(seats)} hands is the seed's"


if __name__ == "__main__":
    answer = main(sys.argv[1])
    print(answer)
    sys.exit(answer.startswith("WRONG"))
