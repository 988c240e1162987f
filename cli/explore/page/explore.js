"use strict";
// What comes from the data is only ever set as text.

const byId = (id) => document.getElementById(id);
let state = null;
let asked = null;
let chosen = -1;
let busy = false;

// Okabe and Ito's, which people of any colour vision can keep apart.
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00"];
const colourOf = (cluster) =>
  PALETTE[cluster] ?? `hsl(${(cluster * 137.508) % 360} 65% ${cluster % 2 ? 42 : 55}%)`;

function say(text) {
  byId("status").textContent = text;
}

function element(tag, text, parent) {
  const made = document.createElement(tag);
  made.textContent = text;
  parent.append(made);
  return made;
}

async function call(path, body) {
  const how = body === undefined ? {} : {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  const reply = await fetch(path, how);
  const json = await reply.json();
  if (!reply.ok) {
    const error = new Error(json.error);
    error.status = reply.status;
    throw error;
  }
  return json;
}

// Of the objects' places on the canvas: [x, y].
function scale() {
  const canvas = byId("map");
  const bounds = (values) => values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)],
    [Infinity, -Infinity]);
  const [left, right] = bounds(state.x);
  const [bottom, top] = bounds(state.y);
  const margin = 12;
  const unit = Math.min((canvas.width - 2 * margin) / Math.max(right - left, 1e-9),
    (canvas.height - 2 * margin) / Math.max(top - bottom, 1e-9));
  return (i) => [
    canvas.width / 2 + (state.x[i] - (left + right) / 2) * unit,
    canvas.height / 2 - (state.y[i] - (bottom + top) / 2) * unit,
  ];
}

function draw() {
  const canvas = byId("map");
  const context = canvas.getContext("2d");
  context.clearRect(0, 0, canvas.width, canvas.height);
  const place = scale();
  const size = state.objects > 20000 ? 1.5 : state.objects > 2000 ? 3 : 5;
  state.labels.forEach((label, i) => {
    const [x, y] = place(i);
    context.fillStyle = colourOf(label);
    context.fillRect(x - size / 2, y - size / 2, size, size);
  });
  const marked = asked && !asked.done ? [asked.a, asked.b] : [];
  context.strokeStyle = getComputedStyle(document.body).color;
  context.lineWidth = 2;
  for (const i of chosen >= 0 ? [...marked, chosen] : marked) {
    const [x, y] = place(i);
    context.beginPath();
    context.arc(x, y, 8, 0, 2 * Math.PI);
    context.stroke();
  }
}

function showClusters() {
  const body = byId("clusters").tBodies[0];
  body.replaceChildren();
  for (const { cluster, size } of [...state.clusters].sort((a, b) => b.size - a.size).slice(0, 200)) {
    const row = body.insertRow();
    const cell = row.insertCell();
    const swatch = element("span", "", cell);
    swatch.className = "swatch";
    swatch.style.background = colourOf(cluster);
    cell.append(String(cluster));
    row.insertCell().textContent = size;
  }
  byId("summary").textContent = `${state.objects} objects in ${state.clusters.length} clusters, ` +
    `${state.answers} answers`;
}

function showPair() {
  const table = byId("pair");
  table.tHead.replaceChildren();
  table.tBodies[0].replaceChildren();
  if (asked.done) {
    table.tHead.insertRow().insertCell().textContent =
      "Nothing is left to ask: the answers settle all pairs.";
    return;
  }
  const head = table.tHead.insertRow();
  for (const text of [asked.heading, asked.left, asked.right]) {
    element("th", text, head);
  }
  for (const trait of asked.traits.slice(0, 200)) {
    const row = table.tBodies[0].insertRow();
    row.className = trait.differs ? "differs" : "";
    element("th", trait.name, row);
    row.insertCell().textContent = trait.left;
    row.insertCell().textContent = trait.right;
  }
}

async function ask() {
  asked = await call("api/question");
  showPair();
  draw();
}

async function load() {
  state = await call("api/state");
  byId("title").textContent = state.name;
  document.title = `${state.name} - Shiftcut`;
  byId("warnings").replaceChildren();
  for (const warning of state.warnings) {
    element("li", warning, byId("warnings"));
  }
  showClusters();
  await ask();
}

function take(news) {
  for (const [i, label] of news.changed) {
    state.labels[i] = label;
  }
  Object.assign(state, { version: news.version, clusters: news.clusters, answers: news.answers });
  showClusters();
  say(`saved; ${news.changed.length} objects changed cluster`);
}

// One change at a time; what another window has changed is shown before anything else.
async function change(path, body) {
  if (busy || !state) {
    return;
  }
  busy = true;
  say("saving");
  try {
    take(await call(path, { ...body, version: state.version }));
    await ask();
  } catch (error) {
    say(error.message);
    if (error.status === 409) {
      await load();
      say("another window has changed the groups: this is how they are now");
    }
  } finally {
    busy = false;
  }
}

function answer(says) {
  if (asked && !asked.done) {
    change("api/answer", { a: asked.a, b: asked.b, says });
  }
}

async function explain(object) {
  chosen = object;
  draw();
  const why = byId("why");
  try {
    const told = await call(`api/explain?object=${object}`);
    why.replaceChildren();
    element("p", `${told.name} is in cluster ${told.own.cluster} (affinity ` +
      `${told.own.affinity.toPrecision(4)}, margin ${told.margin.toPrecision(4)})` +
      (told.next ? `; next best: ${told.next.cluster < 0 ? "a new one" : told.next.cluster}` : ""), why);
    element("p", `nearest there: ${told.own.ties.map((tie) => tie.name).join(", ")}`, why);
  } catch (error) {
    why.textContent = error.message;
  }
}

document.addEventListener("keydown", (event) => {
  if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) {
    return;
  }
  const says = { y: "same", n: "different", u: "unsure" }[event.key];
  if (says) {
    answer(says);
  } else if (event.key === "b") {
    change("api/undo", {});
  }
});
for (const button of document.querySelectorAll("[data-says]")) {
  button.addEventListener("click", () => answer(button.dataset.says));
}
byId("undo").addEventListener("click", () => change("api/undo", {}));
byId("map").addEventListener("click", (event) => {
  const box = event.target.getBoundingClientRect();
  const x = (event.clientX - box.left) * event.target.width / box.width;
  const y = (event.clientY - box.top) * event.target.height / box.height;
  const place = scale();
  let nearest = -1;
  let least = 400;  // within 20 pixels
  for (let i = 0; i < state.objects; ++i) {
    const [u, v] = place(i);
    const far = (u - x) ** 2 + (v - y) ** 2;
    if (far < least) {
      least = far;
      nearest = i;
    }
  }
  if (nearest >= 0) {
    explain(nearest);
  }
});
byId("search").addEventListener("submit", async (event) => {
  event.preventDefault();
  const list = byId("found");
  const { found } = await call(`api/search?text=${encodeURIComponent(byId("text").value)}`);
  list.replaceChildren();
  for (const { object, name } of found) {
    const button = element("button", name, element("li", "", list));
    button.addEventListener("click", () => explain(object));
  }
  say(`${found.length} found`);
});
load().catch((error) => say(error.message));
