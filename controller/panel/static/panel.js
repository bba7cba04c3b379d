// Puts the server's pages in place, greys them when nothing is heard, and says what was pressed. Decides nothing.
"use strict";
(() => {
  const STALE_MS = 700, GHOST_MS = 700, SAID_MS = 2500, STOOD_MS = 20000, TYPED_MS = 400, BELOW_PX = 12, BEAT_MS = 1000, PAD_IDLE_MS = 45000, PAD_WARNS_MS = 20000, PAD_RESTS_MS = 1200;
  const policy = trustedTypes.createPolicy("sabot", { createHTML: (text) => text }); // the one place where text becomes a page
  const main = document.getElementById("main"), pad = document.getElementById("pad");
  let said = { id: "", words: "", until: 0 };
  let source = null, heardAt = performance.now(), pressed = null, waiting = null, barSince = -GHOST_MS, digits = "", padUsed = 0, padOver = 0, isSent = false, isLeft = false, focusedBefore = "", freshTimer = 0, stood = new Map(), since = new Map(), downAt = Infinity, due = { version: 0, entry: 0 }, rolled = new Map();

  // --- the page

  const wordsSaid = () => (document.querySelector("#said.refused") || { textContent: "" }).textContent;
  const bar = () => [...main.querySelectorAll(".acts button")].map((button) => button.dataset.press).join();
  // --- what came to stand where another button stood: its first touch says that it has come, and does nothing

  // A change is the touch's own as far as the first page with everything that the touch has done: that page has the
  // version and the entry of the touch's answer (`due`). The fact that comes next is nobody's touch, however soon.
  const pageNow = () => { const { version = 0, entry = 0 } = (document.getElementById("number") || main).dataset; return { version: Number(version), entry: Number(entry) }; };
  const isByTouch = (one) => one.version < due.version || one.entry < due.entry;
  const standing = () => [...main.querySelectorAll("button[data-press]:not([aria-disabled])"), ...(pad.hidden ? [] : pad.querySelectorAll("button"))];
  const boxOf = (button) => { // what lies under the bar at the bottom, or is rolled out of the middle, stands nowhere
    const { left, right, top, bottom } = button.getBoundingClientRect(), middle = button.closest("#middle"), acts = main.querySelector(".acts");
    if (!middle || (acts && acts.contains(button))) return { left, right, top, bottom };
    const frame = middle.getBoundingClientRect(), bar = acts ? acts.getBoundingClientRect().top : Infinity;
    return { left, right, top: Math.max(top, frame.top), bottom: Math.min(bottom, frame.bottom, bar) };
  };
  const whatOf = ({ dataset }) => [dataset.press, dataset.value, dataset.key, dataset.shown].join(" ");
  const seen = (button) => ({ button, press: button.dataset.press, what: whatOf(button), box: boxOf(button) });
  const meets = (one, other) => one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
  const isOther = (one, now) => (isByTouch(one) ? one.press !== now.press : one.what !== now.what) && meets(one.box, now.box);
  // A button that stood for a moment, such as a second person's before he agreed, can have sent a finger on its way for
  // no longer than it stood. A button that came under a finger has sent none before the finger was lifted.
  const locksFor = (one) => (isByTouch(one) ? GHOST_MS : Math.min(STOOD_MS, Math.max(GHOST_MS, one.at - one.from)));
  const standsSince = () => { const at = performance.now(); since = new Map(standing().map(whatOf).map((what) => [what, since.get(what) ?? at])); };
  const lifted = () => {
    const at = performance.now();
    for (const [what, from] of since) if (from > downAt) since.set(what, at);
    for (const one of stood.values()) if (one.from > downAt) one.from = one.at;
    downAt = Infinity;
    cover();
  };
  const cover = () => {
    for (const [key, one] of stood) if (performance.now() - one.at > locksFor(one)) stood.delete(key);
    const left = [...stood.values()], isLate = (one) => performance.now() - one.at > GHOST_MS;
    const meetsNow = (one, now) => isOther(one, now) && !(now.button.matches("[data-asks]") && isLate(one)); // it records nothing before a PIN or a form: a finger on its way is all that it waits for
    for (const now of [...main.querySelectorAll("button[data-shown]")].map(seen)) now.button.classList.toggle("covered", left.some((one) => meetsNow(one, now)));
  };
  const leave = () => { // what is shown now is about to be another page
    const page = pageNow(), at = performance.now();
    for (const { press, what, box } of standing().map(seen)) {
      const key = [what, box.left, box.top, box.right, box.bottom].join(" "), from = since.get(what) ?? 0, before = stood.get(key);
      stood.set(key, { press, what, box, at, from: before ? Math.min(before.from, from) : from, ...page });
    }
  };
  const touch = () => { stood.clear(); cover(); };

  const LISTS = ["more", "report"], rolls = () => [document.getElementById("middle"), document.body, document.documentElement].filter(Boolean); // on a telephone the page rolls
  const sheetOf = (page) => (page.getElementById("sheet") || { dataset: {} }).dataset.sheet || "";
  const stepOf = (from) => (from.querySelector(".step-now") || {}).textContent;
  const show = (text) => {
    const before = bar(), focused = document.activeElement.id, saidBefore = wordsSaid();
    leave();
    const page = new DOMParser().parseFromString(policy.createHTML(text), "text/html");
    const number = page.getElementById("number"), headline = page.querySelector("h1");
    if (number && number.dataset.lang !== document.documentElement.lang) return location.reload(); // the pad is in the old language
    const isOther = headline && headline.textContent !== (main.querySelector("h1") || {}).textContent;
    const isNext = stepOf(page) !== stepOf(document);
    const sheet = sheetOf(document), then = sheetOf(page), opens = sheet !== then;
    if (opens && LISTS.includes(sheet)) rolled.set(sheet, Math.max(...rolls().map((one) => one.scrollTop))); // a list is found again where it was left
    main.className = page.body.firstElementChild.className;
    const isTyping = document.activeElement.matches("input"); // of the active element Idiomorph would keep what a button says, too
    Idiomorph.morph(main, page.body.firstElementChild.childNodes, { morphStyle: "innerHTML", ignoreActiveValue: isTyping });
    if (focused && document.activeElement === document.body) focusOn(focused); // a button that has moved loses the focus
    const isRefused = main.classList.contains("with-sheet") && wordsSaid() && wordsSaid() !== saidBefore; // where it stands it covers no field
    if ((isOther || isNext || isRefused) && document.getElementById("middle")) document.getElementById("middle").scrollTop = 0; // what is new stands above
    if (opens) for (const one of rolls()) one.scrollTop = (!isRefused && rolled.get(then)) || 0;
    document.title = (main.querySelector("h1") || document).textContent || document.title;
    if (bar() !== before) {
      barSince = performance.now();
      document.documentElement.classList.add("fresh");
      clearTimeout(freshTimer);
      freshTimer = setTimeout(() => document.documentElement.classList.remove("fresh"), GHOST_MS);
    }
    standsSince();
    cover();
    saySaid();
    ask();
    tick();
  };
  const take = (text) => { if (pressed) waiting = text; else show(text); };
  const heard = () => { heardAt = performance.now(); };
  const listen = () => {
    source = new EventSource("/stream/" + document.documentElement.dataset.view);
    source.addEventListener("page", (event) => { heard(); take(JSON.parse(event.data)); });
    source.addEventListener("beat", heard);
    source.addEventListener("away", heard); // the page itself says since when
    source.addEventListener("end", () => { source.close(); document.documentElement.dataset.ended = "yes"; });
    source.onerror = () => { if (source.readyState === 2) setTimeout(again, 300); };
  };
  const again = async () => { // the server has refused the stream: it has restarted and knows this page no more, or is not up yet
    const isUp = await fetch(location.href).then((answer) => answer.ok, () => false);
    if (isUp) location.reload(); else setTimeout(again, 300);
  };
  const tick = () => {
    if (stood.size) cover();
    const isStale = performance.now() - heardAt > STALE_MS, head = main.querySelector("h1");
    if (isStale && !main.classList.contains("stale")) {
      head.dataset.was = head.textContent;
      head.textContent = document.documentElement.dataset.noLink;
    } else if (!isStale && head.dataset.was) { // the same page still holds: no other one will come
      head.textContent = head.dataset.was;
      delete head.dataset.was;
    }
    const middle = document.getElementById("middle");
    main.classList.toggle("goes-on", Boolean(middle) && middle.scrollHeight - middle.clientHeight - middle.scrollTop > BELOW_PX); // more lies below
    main.classList.toggle("stale", isStale);
    for (const time of document.querySelectorAll("[data-at]")) {
      const gone = Math.max(0, Math.round((Date.now() - Number(time.dataset.at)) / 1000));
      const left = Math.max(0, time.dataset.left ? Number(time.dataset.left) - gone : gone);
      time.textContent = Math.floor(left / 60) + ":" + String(left % 60).padStart(2, "0");
    }
    if (pad.hidden) return;
    if (padOver) { if (performance.now() - Math.max(padUsed, padOver) > PAD_RESTS_MS) hidePad(); return; }
    const leftMs = PAD_IDLE_MS - (performance.now() - padUsed);
    pad.querySelector(".idle").textContent = leftMs < PAD_WARNS_MS ? pad.dataset.closes.replace("{seconds}", Math.max(0, Math.ceil(leftMs / 1000))) : "";
    if (leftMs < 0) closePad();
  };
  setInterval(tick, 100);
  setInterval(() => document.documentElement.classList.toggle("beat"), BEAT_MS); // see panel.css
  addEventListener("pagehide", () => source && source.close());

  // --- what is pressed

  const post = async (path, fields) => {
    try {
      const answer = await fetch(path, { method: "POST", headers: { "X-Sabot": "1" }, body: new URLSearchParams(fields) });
      if (answer.status === 403) location.reload(); // this page's cookie is an old one, or of another address: a new one comes with it
      if (!answer.ok) return { ok: false, status: answer.status };
      const told = await answer.json();
      due = { version: told.version, entry: told.entry };
      cover();
      return told;
    } catch { return { ok: false }; }
  };
  let touches = 0;
  const press = (name, value = "", sure = true, number = "0", shown = "", touch = "") => post("/press", { number: number || "0", touch, name, value, shown, sure: sure ? "1" : "0", view: document.documentElement.dataset.view, ...typed() });
  const typed = () => Object.fromEntries([...main.querySelectorAll("#sheet input")].map((one) => [one.id, one.value])); // goes with every press: nothing typed is lost
  const type = (button) => { // the field keeps the focus, so that a page that comes meanwhile leaves its words
    if (button.dataset.letter === "done") return document.activeElement.blur();
    const key = button.dataset.letter, value = button.closest(".value"), input = value.querySelector("input"), shift = value.querySelector('[data-letter="shift"]');
    const isCapital = shift.getAttribute("aria-pressed") === "true", isLetter = key !== "shift" && key !== "delete";
    shift.setAttribute("aria-pressed", String(key === "shift" && !isCapital));
    if (key === "delete") input.value = input.value.slice(0, -1);
    else if (isLetter && input.value.length < input.maxLength) input.value += isCapital ? key.toUpperCase() : key;
    input.focus({ preventScroll: true });
    input.dispatchEvent(new Event("input", { bubbles: true }));
  };
  document.addEventListener("click", (event) => { const button = event.target.closest("button[data-letter]"); if (button) type(button); });
  document.addEventListener("pointerdown", (event) => { // a phone has a keyboard of its own, and shows no other
    const keys = event.target.closest('.value:has(input[inputmode="none"])')?.querySelector(".keyboard");
    if (keys && !keys.offsetParent) event.target.inputMode = "text";
  });
  document.addEventListener("focusin", (event) => { // what is typed, and the keys for it, are in sight
    const value = event.target.closest("#sheet .value:has(.keyboard)");
    if (value) value.scrollIntoView({ block: value.offsetHeight > value.closest("#middle").clientHeight ? "end" : "nearest" });
  });
  let typing = 0;
  document.addEventListener("input", () => { clearTimeout(typing); typing = setTimeout(() => press("ui:keep"), TYPED_MS); });
  document.addEventListener("click", (event) => { if (event.target.closest("button[data-print]")) print(); });
  history.pushState(null, ""); // the browser's way back closes what lies over the page, and leaves nothing
  addEventListener("popstate", () => { history.pushState(null, ""); press("ui:close"); });
  const send = async (button, sure) => {
    const number = main.querySelector("[data-number]");
    button.classList.add("sent");
    if (button.dataset.press === "ui:sheet") rolled.delete(button.dataset.value); // a list that is opened begins above
    isLeft = false;
    touches += 1;
    const answer = await press(button.dataset.press, button.dataset.value || "", sure, number && number.dataset.number, button.dataset.shown || "", String(touches));
    button.classList.remove("sent");
    if (!answer.ok) sayNotPressed(button, answer.version === undefined ? "noAnswer" : answer.say ? "notDone" : "notPressed");
  };
  const release = () => {
    if (pressed) { clearTimeout(pressed.timer); pressed.button.classList.remove("pressed", "holding"); }
    pressed = null;
    if (waiting !== null) { const text = waiting; waiting = null; show(text); }
  };
  const sayNotPressed = (button, why = "notPressed") => { // a touch that does nothing says so where the finger is, also on the pages that follow
    said = { id: button.id, words: document.documentElement.dataset[why], until: performance.now() + SAID_MS };
    saySaid();
    setTimeout(saySaid, SAID_MS + 1);
  };
  const saySaid = () => {
    for (const one of document.querySelectorAll("button[data-said]")) if (one.id !== said.id || performance.now() > said.until) delete one.dataset.said;
    const button = said.id && document.getElementById(said.id);
    if (button && performance.now() <= said.until) button.dataset.said = said.words;
  };
  const begin = (button) => {
    const isCovered = button.classList.contains("covered");
    touch();
    if (isCovered || (button.closest(".acts") && performance.now() - barSince < GHOST_MS)) return sayNotPressed(button);
    const hold = Number(button.dataset.hold || 0);
    said.until = 0;
    saySaid();
    button.classList.add("pressed");
    pressed = { button, hold, timer: 0 };
    if (hold) {
      button.classList.add("holding");
      pressed.timer = setTimeout(() => { send(button, true); release(); }, hold);
    }
  };
  const lift = (isOn) => { // too short: the button's own words cover it, where the finger is
    const { button, hold } = pressed;
    if (!hold && isOn) send(button, true);
    else if (!isOn) sayNotPressed(button, "slid");
    button.classList.toggle("short", hold > 0);
    setTimeout(() => button.classList.remove("short"), SAID_MS);
    release();
  };
  const isOver = (button, event) => (document.elementFromPoint(event.clientX, event.clientY) || main).closest("button") === button;
  document.addEventListener("pointerdown", (event) => {
    const button = event.target.closest("button[data-press]");
    if (button && button.disabled) sayNotPressed(button, "missing");
    else if (button && !event.isPrimary) sayNotPressed(button, "slid");
    else if (button) begin(button);
    else touch();
  });
  document.addEventListener("pointerdown", (event) => { if (event.isPrimary) downAt = performance.now(); }, true);
  for (const kind of ["pointerup", "pointercancel"]) addEventListener(kind, (event) => { if (event.isPrimary) lifted(); }, true); // wherever it is lifted
  document.addEventListener("pointerup", (event) => { if (pressed && !pressed.key) lift(isOver(pressed.button, event)); });
  document.addEventListener("pointercancel", () => { if (pressed && (pressed.button.closest(".acts") || !rolls().some((one) => one.scrollHeight > one.clientHeight))) sayNotPressed(pressed.button, "slid"); release(); }); // else the finger rolls the page
  document.addEventListener("click", (event) => { // a seat that takes no touch now says why, and does nothing
    const seat = event.target.closest("[data-tells]");
    if (seat && !event.target.closest("button")) press("ui:seat-closed", seat.dataset.tells);
  });
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    if (!pad.hidden) return padKey(event);
    const button = event.target.closest && event.target.closest("button[data-press]");
    if (!button || button.disabled || event.repeat || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    if (!pressed) begin(button);
    if (pressed) pressed.key = event.key;
  });
  document.addEventListener("keyup", (event) => { if (pressed && pressed.key === event.key) lift(true); });
  document.addEventListener("click", (event) => { // assistive technology presses without pointer or key: it is asked twice
    const button = event.target.closest("button[data-press]");
    if (button && event.detail === 0 && !event.pointerType && !pressed && !button.disabled && !button.classList.contains("covered")) send(button, false);
  });

  // --- the PIN pad: its digits stay here until they are sent, and nowhere afterwards

  const dots = () => { pad.querySelector(".dots").textContent = "•".repeat(digits.length); };
  const hidePad = () => { leave(); digits = ""; dots(); padOver = 0; pad.classList.remove("over"); pad.hidden = true; cover(); focusOn(focusedBefore); };
  const focusOn = (id) => { const found = document.getElementById(id) || document.getElementById("middle"); if (found) found.focus({ preventScroll: true }); };
  const closePad = () => { hidePad(); isLeft = Boolean(main.querySelector("#asks-pin")); if (isLeft) press("ui:no-pin"); };
  const endPad = () => { // the act is over: the keys do nothing until the finger rests, since the next ones would fall on the page
    const said = document.getElementById("said");
    if (isSent || !said) return hidePad();
    padOver = performance.now(); digits = ""; dots();
    pad.classList.add("over");
    pad.querySelector(".trouble").replaceChildren(...said.cloneNode(true).childNodes);
  };
  const ask = () => {
    const asked = main.querySelector("#asks-pin");
    if (!asked) { isLeft = false; if (!pad.hidden && !padOver) endPad(); return; }
    if (isLeft) return; // this page was made before the server heard that the pad is closed
    if (padOver) hidePad(); // another act asks already
    pad.querySelector("h2").textContent = asked.dataset.title;
    pad.querySelector(".reason").textContent = asked.dataset.act;
    pad.querySelector(".each-time").textContent = asked.dataset.why;
    pad.querySelector('[data-key="other"]').hidden = !asked.dataset.person;
    if (pad.hidden) { focusedBefore = document.activeElement.id; pad.hidden = false; isSent = false; padUsed = performance.now(); digits = ""; dots(); pad.querySelector(".trouble").textContent = ""; pad.querySelector(".keys button").focus(); }
  };
  const enter = async () => {
    const asked = main.querySelector("#asks-pin"), typed = digits;
    digits = ""; dots();
    if (!asked || !typed) return;
    const { person } = asked.dataset;
    isSent = true;
    const answer = await post("/pin", { pin: typed, person, view: document.documentElement.dataset.view });
    padUsed = performance.now();
    isSent = isSent && Boolean(answer.ok && person); // a number alone closes no pad
    if (!answer.ok && !padOver) count(answer.say || "", answer.wait_ms ? performance.now() + answer.wait_ms : 0);
  };
  const count = (say, until) => {
    const left = Math.max(0, Math.ceil((until - performance.now()) / 1000));
    pad.querySelector(".trouble").textContent = left ? say + " " + pad.dataset.again.replace("{seconds}", left) : digits ? "" : say;
    if (left && !padOver) setTimeout(() => count(say, until), 200);
  };
  const padDigit = (key) => {
    padUsed = performance.now();
    if (key === "back") return closePad();
    if (padOver) return;
    if (key === "enter") return enter();
    isSent = false;
    pad.querySelector(".trouble").textContent = ""; // what is typed now has not been refused
    if (key === "other") { digits = ""; press("ui:person"); }
    else if (key === "delete") digits = digits.slice(0, -1);
    else if (digits.length < 12) digits += key;
    dots();
  };
  const padKey = (event) => {
    const key = { Enter: "enter", Escape: "back", Backspace: "delete" }[event.key] || (/^[0-9]$/.test(event.key) ? event.key : null);
    if (!key || (key === "enter" && event.target.closest("#pad button") && !digits)) return;
    event.preventDefault();
    padDigit(key);
  };
  pad.addEventListener("click", (event) => { const key = event.target.closest("button[data-key]"); if (key) padDigit(key.dataset.key); });

  listen();
  standsSince();
  ask();
})();
