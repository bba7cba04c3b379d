// The first start's pages: sends one answer to the question that is shown, and looks for the next. Decides nothing.
"use strict";
(() => {
  const LOOK_MS = 600, BEAT_MS = 1000, main = document.getElementById("main"), typed = document.getElementById("typed");
  const { capitals, length } = typed ? typed.dataset : { capitals: "", length: "0" };
  let isSent = false, isCapital = false, isOffered = Boolean(typed && typed.value);
  const shown = main.cloneNode(true);
  const later = () => setTimeout(look, LOOK_MS);
  const fetched = () => fetch("/", { cache: "no-store" }).then((answer) => (answer.ok ? answer.text() : null)).catch(() => null);
  const next = () => fetched().then((text) => (text === null ? setTimeout(next, LOOK_MS) : location.reload()));
  const policy = trustedTypes.createPolicy("sabot", { createHTML: (text) => text }); // for a page that is read and not shown
  const parsed = (text) => new DOMParser().parseFromString(policy.createHTML(text), "text/html");
  const isShown = (text) => shown.isEqualNode(parsed(text).getElementById("main"));
  const isToStay = (text) => text === null || isShown(text); // a slow screen would stay white
  const look = () => fetched().then((text) => isSent || (isToStay(text) ? later() : location.reload())); // once sent, `next` loads the page
  const send = async (what, answer) => {
    if (isSent) return;
    isSent = true;
    for (const button of document.querySelectorAll("button")) button.disabled = true;
    const body = new URLSearchParams({ do: what, number: main.dataset.number, answer });
    await fetch("/answer", { method: "POST", headers: { "X-Sabot": "1" }, body }).catch(() => null);
    next();
  };
  setInterval(() => document.documentElement.classList.toggle("beat"), BEAT_MS); // see panel.css
  const left = () => (isOffered ? "" : typed.value); // the first key replaces what is offered
  const begins = () => capitals === "all" || (capitals === "words" && /(^|[\s.'-])$/.test(left()));
  const type = (key) => {
    if (key === "shift") isCapital = !isCapital;
    else if (key === "delete") typed.value = typed.value.slice(0, -1);
    else typed.value = left() + (isCapital ? key.toUpperCase() : key);
    if (key !== "shift") isOffered = false;
    if (key !== "shift" && capitals !== "all") isCapital = begins();
    draw();
    if (Number(length) && typed.value.length === Number(length)) send("answer", typed.value);
  };
  const draw = () => {
    for (const button of document.querySelectorAll("[data-key]")) {
      if (button.dataset.key === "shift") button.setAttribute("aria-pressed", String(isCapital));
      else if (/^\S$/.test(button.dataset.key)) button.textContent = isCapital ? button.dataset.key.toUpperCase() : button.dataset.key;
    }
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || button.disabled) return;
    const { key, answer, send: sends, do: what } = button.dataset;
    if (key !== undefined) type(key);
    else if (what) send(what, "");
    else if (answer !== undefined) send("answer", answer);
    else if (sends) send("answer", typed ? typed.value : "");
  });
  if (typed) {
    typed.addEventListener("keydown", (event) => { if (event.key === "Enter") send("answer", typed.value); });
    typed.addEventListener("input", () => { isOffered = false; });
    typed.addEventListener("pointerdown", () => { isOffered = false; }); // a caret is set: what stands there is changed and not replaced
    typed.focus();
    typed.select();
    isCapital = begins();
    draw();
  }
  document.addEventListener("contextmenu", (event) => event.preventDefault());
  later(); // another browser may have answered
  main.inert = false; // a touch before this line would be lost: no button takes one until now
})();
