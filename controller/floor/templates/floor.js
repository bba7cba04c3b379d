// Keeps a page up to date. The room's tiles are drawn as the server says that they are otherwise than before, from words
// and never from markup; a page that says so is asked for again as a whole, where nobody is typing in it.
"use strict";

const AGAIN_MS = 5000;
const tiles = document.getElementById("tiles");
const away = document.getElementById("away");

function child(kind, text) {
  const made = document.createElement(kind);
  made.textContent = text;
  return made;
}

function place(name) {
  const all = Array.from(tiles.children);
  const found = all.find((one) => one.dataset.name === name);
  if (found) return found;
  const made = document.createElement("li");
  made.dataset.name = name;
  tiles.insertBefore(made, all.find((one) => one.dataset.name > name) || null);
  return made;
}

function draw(tile) {
  const at = place(tile.name);
  const link = child("a", tile.name);
  link.href = "/table/" + encodeURIComponent(tile.name);
  at.className = tile.standing;
  const found = tile.is_found ? [child("em", tiles.dataset.found)] : [];
  at.replaceChildren(link, child("strong", tile.word), ...tile.lines.map((line) => child("span", line)), ...found);
}

function follow() {
  const source = new EventSource("/changes");
  source.onmessage = (message) => {
    away.hidden = true;
    const changed = JSON.parse(message.data);
    changed.forEach(draw);
    if (changed.length) document.getElementById("none").hidden = true;
  };
  source.addEventListener("away", () => { away.hidden = false; });
  source.onerror = () => {
    away.hidden = false;
    if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), AGAIN_MS);
  };
}

async function again() {
  try {
    const answer = await fetch(location.href);
    if (answer.status === 401) location.reload();
    const found = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    document.querySelector("main").replaceChildren(...found.childNodes);
  } catch {
    document.querySelector("main").classList.add("old");
    return;
  }
  document.querySelector("main").classList.remove("old");
}

if (tiles) follow();
if (document.querySelector("main[data-again]")) setInterval(again, AGAIN_MS);
