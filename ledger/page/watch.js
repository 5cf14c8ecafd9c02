"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const sources = [...document.querySelectorAll("script.book")];
  const read = sources.map(() => null);
  const PACE = 2500;
  let book, now = 1, chosen = 0, timer = 0, digits = "", typedAt = 0;

  const open = (i) => (read[i] ??= JSON.parse(sources[i].textContent));
  const markup = (numbers) => numbers.map((n) => book.parts[n]).join("");
  const make = (tag, text = "", look = "") => {
    const made = document.createElement(tag);
    made.textContent = text;
    if (look) made.className = look;
    return made;
  };
  const first = (step) => (step.said ? step.said[0][0] : "How it stands");
  const address = (n) => `#${book.audience}/${n}`;

  // ---- one step ----
  const time = (step) => step.at || (step.said ? "time not told" : "");
  const about = (step) => {
    const entry = step.entry;
    const parts = [time(step), `known to ${step.known}`];
    if (step.round) parts.push(`round ${step.round} is resolved`);
    if (entry) parts.push(`entry ${entry.seq}, recorded ${entry.recorded} by ${entry.by}`);
    return parts.filter(Boolean).join(" · ");
  };
  const line = (label, text) => {
    const made = make("p", label ? `${label}: ` : "");
    made.append(text);
    return made;
  };
  const evidence = (entry) => {
    if (!entry.link) return line("evidence", entry.evidence);
    const link = make("a", entry.evidence);
    link.href = entry.evidence;
    link.rel = "noreferrer noopener";
    return line("evidence", link);
  };
  const details = (step) => {
    const entry = step.entry ?? {};
    const rows = [];
    if (entry.marks?.length) {
      const marks = make("p");
      for (const mark of entry.marks) marks.append(make("span", mark, mark.startsWith("confirmed") ? "mark good" : "mark"));
      rows.push(marks);
    }
    if (step.typed) rows.push(line("typed", make("code", step.typed)));
    for (const fix of entry.fixes ?? []) rows.push(line("", fix));
    for (const note of entry.notes ?? []) rows.push(line("note", note));
    if (entry.evidence) rows.push(evidence(entry));
    return rows;
  };
  const show = () => {
    const step = book.steps[now - 1];
    $("where").textContent = `Step ${now} of ${book.steps.length}`;
    $("when").textContent = about(step);
    $("said").replaceChildren(...(step.said ?? [["How it stands", ""]]).map(([text, rule]) => {
      const row = make("li", text);
      row.dir = "auto";
      if (rule) row.append(" ", make("small", `[${rule}]`));
      return row;
    }));
    $("entry").replaceChildren(...details(step));
    $("picture").innerHTML = markup(step.pic ?? []);
    $("slider").value = now;
    $("slider").setAttribute("aria-valuetext", `step ${now}: ${first(step)}`);
    $("back").disabled = $("first").disabled = now === 1;
    $("next").disabled = $("last").disabled = now === book.steps.length;
    $("list").querySelector("[aria-current]")?.removeAttribute("aria-current");
    $("list").querySelector(`[data-n="${now}"]`)?.setAttribute("aria-current", "step");
    $("jump").value = [...$("jump").options].some((o) => o.value === String(now)) ? String(now) : "";
  };
  const go = (n) => {
    now = Math.min(Math.max(Math.trunc(n) || 1, 1), book.steps.length);
    show();
    if (location.hash !== address(now)) history.replaceState(null, "", address(now));
  };

  // By round: to the next step, or the one before, at which a round is resolved or a phase begins.
  const onward = (way) => {
    if (!$("stride").value) return now + way;
    for (let n = now + way; n >= 1 && n <= book.steps.length; n += way) {
      if (book.steps[n - 1].round || book.steps[n - 1].phase) return n;
    }
    return way > 0 ? book.steps.length : 1;
  };

  // ---- playing ----
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    $("play").textContent = "▶ Play";
    $("play").setAttribute("aria-label", "Play");
    $("play").setAttribute("aria-pressed", "false");
    $("said").setAttribute("aria-live", "polite");
  };
  const start = () => {
    if (now === book.steps.length) go(1);
    clearInterval(timer);
    timer = setInterval(() => {
      go(onward(1));
      if (now === book.steps.length) stop();
    }, PACE / Number($("speed").value));
    $("play").textContent = "❚❚ Pause";
    $("play").setAttribute("aria-label", "Pause");
    $("play").setAttribute("aria-pressed", "true");
    $("said").setAttribute("aria-live", "off");
  };
  const toggle = () => (timer ? stop() : start());
  const walk = (n) => {
    stop();
    go(n);
  };

  // ---- marks, charts, the list ----
  const bookmarks = () => {
    const groups = { "Rounds and reveals": [], Phases: [], Corrections: [], Notes: [] };
    book.steps.forEach((step, i) => {
      const at = [i + 1, step];
      const marks = step.entry?.marks ?? [];
      if (step.round) groups["Rounds and reveals"].push([...at, `round ${step.round}`, "round"]);
      if (step.phase) groups.Phases.push([...at, step.phase, "phase"]);
      const fixed = step.entry?.fixes?.length || marks.some((mark) => /^(not allowed|forced)/.test(mark));
      if (fixed) groups.Corrections.push([...at, `${marks.join(", ") || "corrected"}: ${first(step)}`, "fix"]);
      if (step.entry?.bookmark) groups.Notes.push([...at, step.entry.notes?.[0] ?? first(step), "note"]);
    });
    return groups;
  };
  const option = (text, value) => {
    const most = innerWidth < 600 ? 36 : 60;
    const made = make("option", text.length > most ? `${text.slice(0, most - 1)}…` : text);
    made.value = value;
    return made;
  };
  const mark = () => {
    const total = Math.max(book.steps.length - 1, 1);
    const ticks = [];
    const jumps = [option("go to …", "")];
    for (const [name, found] of Object.entries(bookmarks())) {
      if (!found.length) continue;
      const group = make("optgroup");
      group.label = name;
      for (const [n, , text, kind] of found) {
        group.append(option(`${n} · ${text}`, n));
        const tick = make("i", "", kind);
        tick.style.left = `${((n - 1) / total) * 100}%`;
        ticks.push(tick);
      }
      jumps.push(group);
    }
    $("ticks").replaceChildren(...ticks);
    $("jump").replaceChildren(...jumps);
  };
  const filter = () => {
    const words = $("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const player = $("player").value;
    const kind = $("kind").value;
    const rows = [];
    book.steps.forEach((step, i) => {
      const entry = step.entry;
      const text = [...(step.said ?? []).flat(), step.typed, step.round, ...(entry?.marks ?? []), ...(entry?.notes ?? []), entry ? `#${entry.seq}` : ""].join(" ").toLowerCase();
      if (player && !step.who?.includes(player)) return;
      if (kind && step.kind !== kind) return;
      if (!words.every((word) => text.includes(word))) return;
      const row = make("li");
      const link = make("a", first(step));
      link.href = address(i + 1);
      link.dataset.n = i + 1;
      link.dir = "auto";
      link.prepend(make("small", [i + 1, time(step), ...(entry?.marks ?? [])].filter(Boolean).join(" · ")));
      row.append(link);
      rows.push(row);
    });
    $("list").replaceChildren(...rows);
    $("count").textContent = rows.length === 1 ? "1 step" : `${rows.length} steps`;
    $("list").querySelector(`[data-n="${now}"]`)?.setAttribute("aria-current", "step");
  };

  // ---- one audience ----
  const watch = (i, n) => {
    chosen = i;
    book = open(i);
    $("audience").value = String(i);
    $("total").textContent = `${book.steps.length} steps`;
    $("slider").max = book.steps.length;
    const kinds = [...new Set(book.steps.map((step) => step.kind).filter(Boolean))].sort();
    $("kind").replaceChildren(option("any", ""), ...kinds.map((kind) => option(kind, kind)));
    $("player").replaceChildren(option("any", ""), ...Object.entries(book.players).map(([id, name]) => option(name, id)));
    $("charts").hidden = !book.charts.length;
    $("drawn").innerHTML = markup(book.charts);
    mark();
    filter();
    go(n);
  };
  const follow = () => {
    const [, who, n] = /^#(?:([a-z][a-z0-9_-]*)\/)?(\d{1,6})$/.exec(location.hash) ?? [];
    const i = who ? sources.findIndex((_, k) => open(k).audience === who) : chosen;
    if (book && i === chosen) return n && Number(n) !== now ? walk(Number(n)) : undefined;
    stop();
    watch(Math.max(i, 0), Number(n) || 1);
  };

  // ---- hands ----
  $("first").onclick = () => walk(1);
  $("back").onclick = () => walk(onward(-1));
  $("play").onclick = toggle;
  $("next").onclick = () => walk(onward(1));
  $("last").onclick = () => walk(book.steps.length);
  $("slider").oninput = () => walk(Number($("slider").value));
  $("speed").onchange = () => timer && start();
  $("jump").onchange = () => $("jump").value && walk(Number($("jump").value));
  $("audience").onchange = () => {
    stop();
    watch(Number($("audience").value), 1);
  };
  $("look").onchange = () => {
    if ($("look").value) document.documentElement.dataset.look = $("look").value;
    else delete document.documentElement.dataset.look;
  };
  $("search").onsubmit = (event) => {
    event.preventDefault();
    filter();
    $("list").querySelector("a")?.focus();
  };
  for (const id of ["find", "player", "kind"]) $(id).oninput = filter;
  addEventListener("hashchange", follow);
  const number = (key) => {
    digits = Date.now() - typedAt < 1000 ? digits + key : key;
    typedAt = Date.now();
    walk(Number(digits));
  };
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const keys = {
      ArrowLeft: () => walk(onward(-1)),
      ArrowRight: () => walk(onward(1)),
      Home: () => walk(1),
      End: () => walk(book.steps.length),
      "/": () => $("find").focus(),
    };
    if (event.key === " " && !/^(BUTTON|A|SUMMARY)$/.test(event.target.tagName)) keys[" "] = toggle;
    const act = /^\d$/.test(event.key) ? () => number(event.key) : keys[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  let from = null;
  $("picture").addEventListener("touchstart", (event) => {
    const wide = event.target.closest(".wide");
    from = event.touches.length === 1 && !(wide && wide.scrollWidth > wide.clientWidth) ? event.touches[0] : null;
  }, { passive: true });
  $("picture").addEventListener("touchend", (event) => {
    if (!from) return;
    const [x, y] = [event.changedTouches[0].clientX - from.clientX, event.changedTouches[0].clientY - from.clientY];
    if (Math.abs(x) > 50 && Math.abs(x) > 2 * Math.abs(y)) walk(onward(x < 0 ? 1 : -1));
    from = null;
  }, { passive: true });

  stop();
  follow();
})();
