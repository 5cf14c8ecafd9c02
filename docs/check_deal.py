"""Repeats every draw of a log, the deal and the lots, from the seeds and the players' words; checks what was published.

Plain Python, nothing of host-ledger: what is written here is docs/log-format.md, section Randomness, once more.
Usage: python check_deal.py log.jsonl     (the hosts' whole log: what was drawn must be open)
"""

import hashlib
import hmac
import json
import math
import os
import sys


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


def read(path):
    """The lines of a log. `hash` is that of the line; `name` and `place` are those of the line where the entry was
    recorded first, here or in a copy that was joined; `names` are all lines that are this entry."""
    if not os.path.isfile(path):
        raise Wrong(f"{path} is no plain file")
    with open(path, encoding="ascii") as log:
        lines = [json.loads(line) for line in log]
    if any("body" not in line for line in lines):
        raise Wrong("a line is closed: this takes the hosts' whole log")
    wrote, rows, latest = 0, {}, 0
    for line in lines:
        seq, body = line["seq"], line["body"]
        line["hash"] = hashlib.sha256(f"host-ledger/1\n{seq}\n{line['prev']}\n{line['seal']}\n".encode()).hexdigest()
        line["place"], line["name"] = max(seq, latest + 1), line["hash"]
        also = []
        if body["do"] == "join":
            wrote = body.get("batch", seq)
            rows = {seq + i: row for i, row in enumerate(body["args"].get("lines", []), 1)}
            for row in body["args"].get("known", []):
                known = lines[row["entry"] - 1]
                known["names"] |= {more["line"] for more in row.get("also", [])}
                known["place"] = min([known["place"], *(more["place"] for more in row.get("also", []))])
                latest = max([latest, *(more["place"] for more in row.get("also", []))])
        elif seq in rows and body.get("joined") == wrote:
            line["place"], line["name"], also = rows[seq]["place"], rows[seq]["line"], rows[seq].get("also", [])
        else:
            rows = {}
        latest = max([latest, line["place"], *(more["place"] for more in also)])
        line["names"] = {line["name"], *(more["line"] for more in also)}
        line["place"] = min([line["place"], *(more["place"] for more in also)])
    return lines


def in_order(lines):
    return sorted(lines, key=lambda line: (line["place"], line["name"]))


def live(lines, until=math.inf):
    """(line, args) of what counted at a place: undo and redo strike whole batches, and the last amend counts."""
    order = [line for line in in_order(lines) if line["place"] < until]
    undone, said = {}, {}
    for line in order:
        do, args = line["body"]["do"], line["body"]["args"]
        if do == "undo":
            target = lines[args["target"] - 1]
            undone[line["seq"]] = {args["target"], target["body"].get("batch", args["target"])}
        elif do == "redo":
            undone.pop(args["target"], None)
    struck = set().union(*undone.values())
    kept = [line for line in order if not struck & {line["seq"], line["body"].get("batch")}]
    for line in kept:
        if line["body"]["do"] == "amend":
            said[line["body"]["args"]["target"]] = line["body"]["args"]["args"]
    return [(line, said.get(line["seq"], line["body"]["args"])) for line in kept]


class Wrong(Exception):
    """What does not come out as it was recorded."""


def draw_of(line):
    """Which of the draws that a commitment fixes this is: `deal`, or by its label; None for none of them."""
    source = line["body"]["args"].get("draw")
    label = source.get("label") if isinstance(source, dict) else None
    return "deal" if line["body"]["do"] == "deal" else f"draw:{label}" if isinstance(label, str) else None


def hands_of(lines, deal):
    """The cards that a deal gave: what it drew, or the entries before it in its batch."""
    if deal["body"]["do"] != "deal":
        return deal["body"]["args"]["drawn"]
    batch = deal["body"].get("batch")
    mine = (line["body"] for line in lines if batch and line["body"].get("batch") == batch)
    return {body["args"]["player"]: sorted(body["args"]["cards"]) for body in mine if body["do"] == "hand"}


def seed_of(lines, commit):
    """The seed that a commitment was made of."""
    for line in lines:
        if line["body"]["do"] == "seed":
            seed = bytes.fromhex(line["body"]["args"]["seed"])
            digest = hashlib.sha256(b"hl-deal-v1\0" + lines[0]["hash"].encode() + b"\0" + seed).hexdigest()
            if digest == commit["body"]["args"]["commitment"]:
                return seed
    raise Wrong(f"the seed of the commitment in entry {commit['seq']} is not there, or is another one")


def drawn_from(lines, deal, args):
    """The key of a deal: of its own seed, or of the commitment and the words that it names."""
    if "commitment" not in args:
        return mixed(bytes.fromhex(args["seed"]))
    named = {name: line for line in lines for name in line["names"]}
    if missing := [name for name in (args["commitment"], *args["words"]) if name not in named]:
        raise Wrong(f"entry {deal['seq']} names line {missing[0][:12]}, which is not there")
    words = [named[name]["body"]["args"] for name in args["words"]]
    return mixed(seed_of(lines, named[args["commitment"]]), [(word["player"], word["text"]) for word in words])


def knew(lines, deal, word):
    """Was the word known where the deal was made? In another copy: what both had, and what came from there before."""
    first = deal["body"].get("joined")
    common = lines[first - 1]["body"]["args"]["common"] if first else deal["seq"]
    return word["seq"] < deal["seq"] and (word["seq"] <= common or word["body"].get("joined") == first)


def draws_alone(line):
    """Does the entry hold the seed of a draw of its own?"""
    return "seed" in line["body"]["args"] and line["body"]["do"] != "seed"


def same_draw(line, other):
    """Do two entries draw the same: by one verb, in one round, of one kind of card, in a lot among some of the same?"""
    (one, args), (two, others) = ((body["do"], body["args"]) for body in (line["body"], other["body"]))
    apart = "among" in args and "among" in others and set(args["among"]).isdisjoint(others["among"])
    return one == two and not apart and all(args.get(name) == others.get(name) for name in ("round", "item"))


def drawn_again(lines, entries):
    """(entry, why) of what was drawn and amended, or undone and made again: what counts next replaces it."""
    for line, args in entries:
        if draws_alone(line) and args.get("seed") != line["body"]["args"]["seed"]:
            yield line, f"the {line['body']['do']} of entry {line['seq']} was amended to something else than was drawn"
    counting, undone = {line["seq"] for line, _ in entries}, []
    for line in in_order(lines):
        if line["seq"] not in counting:
            undone += [line] if draws_alone(line) else []
        elif before := [one for one in undone if same_draw(one, line)]:
            undone = [one for one in undone if one not in before]
            do, seq = before[0]["body"]["do"], before[0]["seq"]
            yield line, f"the {do} of entry {seq} was undone, and entry {line['seq']} drew it again"


def is_fixed(lines, commit, deal):
    """Does the commitment hold the digest of what this was drawn from, and do the same people sit in the seats?"""
    source = deal["body"]["args"].get("draw", {})
    digest = hashlib.sha256(json.dumps(source, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    people = {*source.get("to", ()), *(source["each"] if "of" in source else ()), *source.get("shuffle", ())}
    then, now = (seats_taken(lines, until) for until in (commit["place"], deal["place"]))
    return digest in commit["body"]["args"].get("draws", ()) and people.isdisjoint(player for player, _ in then ^ now)


def seats_taken(lines, until):
    """(player, who took over their seat) as it counted at a place."""
    return {(args["player"], args["name"]) for line, args in live(lines, until) if line["body"]["do"] == "replace"}


def replaced(lines, deals):
    """(entry, why) of what is not as it was published first. Struck entries count: nobody can choose among them."""
    order = [line for line in in_order(lines) if line["body"]["do"] in ("commit", "word") or draw_of(line)]
    commits = [line for line in order if line["body"]["do"] == "commit"]
    if not commits:
        return
    first, now = commits[0], {line["seq"] for line, _ in live(lines)}
    current = next((commit for commit in commits if commit["seq"] in now), first)
    after = order[order.index(first) :]
    if current is not first:
        yield current, f"the commitment of entry {current['seq']} replaces that of entry {first['seq']}"
    for draw in dict.fromkeys(draw_of(line) for line in after if draw_of(line)):
        made = [line for line in after if draw_of(line) == draw]
        deal = next((line for line in deals if line in made), None)
        if deal is not None:
            yield from replaced_by(lines, order, made, deal, (first, current))


def is_typed(args):
    return args.get("method") == "typed" or ("drawn" in args and not args.get("seed") and not args.get("commitment"))


def replaced_by(lines, order, made, deal, accepted):
    """The same of one draw: `made` are all that were ever recorded of it, `deal` is the one that counts."""
    commits = [line for line in order if line["body"]["do"] == "commit"]
    args, what = deal["body"]["args"], f"the {deal['body']['do']} of entry {deal['seq']}"
    named = next((commit for commit in commits if args.get("commitment") in commit["names"]), None)
    if is_typed(args):
        yield deal, f"{what} was typed in, although there was a commitment to a seed"
    elif named is None:
        yield deal, f"{what} was drawn from another seed than the one that was committed to"
    else:
        if not is_fixed(lines, named, deal):
            yield deal, f"{what} was drawn from something, or for somebody, newer than the commitment"
            return
        if named not in accepted:
            yield named, f"{what} goes by the commitment of entry {named['seq']}, and not by the first"
        words = [line for line in order[order.index(named) :] if line["body"]["do"] == "word"]
        mixed_in = [word for name in args["words"] for word in words if name in word["names"]]
        left = [word for word in words if word not in mixed_in and knew(lines, deal, word)]
        drawn = [line for line in order if draw_of(line)]
        closed = next(line for line in drawn if line["body"]["args"].get("commitment") in named["names"])
        other = draw_of(closed) != draw_of(deal) and not deal["body"].get("joined")
        if other and args["words"] != closed["body"]["args"]["words"]:
            yield deal, f"{what} was drawn with other words than entry {closed['seq']} before it"
        elif left and not other:
            yield deal, f"{what} was drawn without the words of entry {left[0]['seq']}, which were added before it"
        elif mixed_in != [word for word in words if word in mixed_in]:
            yield deal, f"{what} was drawn with the words in another order than they were added in"
        elif deal is not made[0] and hands_of(lines, deal) != hands_of(lines, made[0]):
            yield deal, f"{what} gives other cards than that of entry {made[0]['seq']} before it"


def repeat_deals(lines, entries):
    """Every deal, and whether what was published first fixed it."""
    ruled = {args.get("about", 0) for line, args in entries if line["body"]["do"] == "ruling"}
    settled = {lines[about - 1]["body"].get("batch", about) for about in ruled if about}
    counting = [line for line, _ in entries]
    why_of = {}
    for line, why in (*drawn_again(lines, entries), *replaced(lines, counting)):
        why_of[line["seq"]] = line, why
    for line, why in why_of.values():
        yield f"{'a host ruled on it' if line['body'].get('batch', line['seq']) in settled else 'REPLACED'}: {why}"
    dealt = {}
    for line, args in entries:
        if line["body"]["do"] == "hand":
            dealt[args["player"]] = sorted(args["cards"])
        if line["body"]["do"] != "deal":
            continue
        if args["method"] != "drawn":
            yield "the hands were typed in: there is nothing to repeat"
            continue
        source, key = args["draw"], drawn_from(lines, line, args)
        cards = shuffled([card for card, copies in source["deal"] for _ in range(copies)], stream(key, "deal"))
        each, seats = source["each"], source["to"]
        wrong = [p for i, p in enumerate(seats) if sorted(cards[each * i : each * (i + 1)]) != dealt.get(p)]
        if wrong:
            raise Wrong(f"other hands for {', '.join(wrong)}")
        yield f"the deal of {len(seats)} hands is the seed's"


def outcome(source, words):
    """What comes of a draw: an order of what it shuffles, one of a list, or for each a word of each list."""
    if "shuffle" in source:
        return shuffled(list(source["shuffle"]), words)
    if "one" in source:
        return [source["one"][below(words, len(source["one"]))]]
    return [" ".join([who, *(of[below(words, len(of))] for of in source["of"])]) for who in source["each"]]


def repeat_lots(lines, entries):
    """Every other draw: its entry holds what it was drawn from, and the seed."""
    for line, args in entries:
        seq, do = line["seq"], line["body"]["do"]
        if do in ("deal", "seed", "commit") or not ("seed" in args or "commitment" in args):
            continue
        lot = do == "lot"
        recorded, source = ([args["outcome"]], {"one": args["among"]}) if lot else (args["drawn"], args["draw"])
        label = f"draw:{source['label']}" if "commitment" in args else f"lot:{line['place']}"
        if outcome(source, stream(drawn_from(lines, line, args), label)) != recorded:
            raise Wrong(f"the lot of entry {seq} is not its seed's")
        yield f"the lot of entry {seq} is its seed's"


def main(path):
    try:
        lines = read(path)
        entries = live(lines)
        return "\n".join([*repeat_deals(lines, entries), *repeat_lots(lines, entries)]) or "nothing was drawn"
    except Wrong as wrong:
        return f"WRONG: {wrong}"
    except (OSError, ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        return f"WRONG: this is not a log as the ledger writes it ({type(error).__name__})"


if __name__ == "__main__":
    answer = main(sys.argv[1]) if len(sys.argv) == 2 else "WRONG: usage: python check_deal.py LOG"
    if answer.startswith("WRONG"):
        sys.exit(answer)
    print(answer)
    sys.exit("REPLACED: " in answer)
