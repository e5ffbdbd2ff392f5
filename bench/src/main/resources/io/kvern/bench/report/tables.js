"use strict";
// What all parts of the page use, and the tables. Text from the report goes in as text only, never as markup.
const report = JSON.parse(document.getElementById("data").textContent);
const page = document.getElementById("page");
const DASH = "\u2013";

// The rows of a lane stand together, lanes in the order of their first row.
const laneOrder = [...new Set(report.lanes.map((row) => row.lane))];
report.lanes.sort((a, b) => laneOrder.indexOf(a.lane) - laneOrder.indexOf(b.lane));

function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  node.append(...children);
  return node;
}

function fixed(value, digits) {
  const number = Number(value);
  return Number.isFinite(number)
    ? number.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })
    : DASH;
}

// About three digits.
function brief(value) {
  const size = Math.abs(Number(value));
  return fixed(value, size >= 100 || size === 0 ? 0 : size >= 10 ? 1 : size >= 0.1 ? 2 : 4);
}

function size(bytes) {
  if (bytes >= 1 << 20 && bytes % (1 << 20) === 0) return fixed(bytes / (1 << 20), 0) + " MiB";
  return bytes >= 1024 && bytes % 1024 === 0 ? fixed(bytes / 1024, 0) + " KiB" : fixed(bytes, 0) + " B";
}

const mib = (bytes) => fixed(bytes / (1 << 20), 0);
// 0 stands for "not counted".
const counted = (value, digits) => (value ? fixed(value, digits) : DASH);
const met = (row) => Number(row.ratio.median) >= row.budget;

function budgetText(row) {
  if (!row.budget) return DASH;
  return el("span", met(row) ? "met" : "missed", fixed(row.budget, 2) + (met(row) ? " met" : " missed"));
}

function section(title, what) {
  page.append(el("h2", "", title));
  if (what) page.append(el("p", "soft", what));
}

// The first `left` columns are text; a row is its cells, or {under: true, cells}.
function table(left, heads, rows) {
  const cell = (tag, content, i) => {
    const node = el(tag, i < left ? "left" : "", content);
    if (i < left && typeof content === "string" && content.length > 34) node.classList.add("wide");
    return node;
  };
  const body = rows.map((row) => {
    const cells = row.cells || row;
    return el("tr", row.under ? "under" : "", ...cells.map((content, i) => cell("td", content, i)));
  });
  const head = el("thead", "", el("tr", "", ...heads.map((content, i) => cell("th", content, i))));
  return el("div", "scroll", el("table", "", head, el("tbody", "", ...body)));
}

function tile(figure, what, className) {
  return el("div", "card", el("div", "tile " + (className || ""), figure), el("div", "soft", what));
}

function header() {
  const machine = report.machine;
  page.append(el("h1", "", "Kvern bench"));
  page.append(el("p", "soft", `Kvern ${report.version} \u00b7 ${report.startedAt} \u00b7 ${fixed(report.seconds, 0)} s`));
  page.append(el("p", "soft", `${machine.cpu} \u00b7 ${machine.cores} cores \u00b7 ${mib(machine.memoryBytes)} MiB \u00b7 ${machine.os}`));
  page.append(el("p", "soft", `${machine.jvm} \u00b7 data on ${machine.disk}`));
  const asked = report.lanes.filter((row) => row.budget);
  const kept = asked.filter(met).length;
  const tiles = el("div", "tiles");
  if (asked.length) tiles.append(tile(`${kept} of ${asked.length}`, "budgets met", kept === asked.length ? "met" : "missed"));
  if (report.lanes.length) {
    tiles.append(tile(fixed(Math.max(...report.lanes.map((row) => row.ours.median)), 2) + " GB/s", "fastest lane"));
    tiles.append(tile(String(report.rounds), "alternating rounds per row"));
  }
  if (report.nodes.length) {
    tiles.append(tile(mib(Math.max(...report.nodes.map((row) => row.peakHeapBytes))) + " MiB", "largest heap of a process"));
  }
  page.append(tiles);
}

function laneTable() {
  const rows = report.lanes.flatMap((row) => [
    [
      row.title, size(row.blockBytes), fixed(row.ours.median, 2), fixed(row.limit.median, 2), fixed(row.ratio.median, 2),
      `${fixed(row.ratio.least, 2)}\u2013${fixed(row.ratio.most, 2)}`, budgetText(row),
      counted(row.ours.copiesPerByte, 0), brief(row.ours.allocatedBytesPerBlock / 1024),
      counted(row.ours.cpuSecondsPerGigabyte, 2), counted(row.limit.cpuSecondsPerGigabyte, 2)
    ],
    ...row.peers.map((peer) => ({
      under: true,
      cells: ["\u2003" + peer.name, "", fixed(peer.median, 2), "", "", "", "", "", "", counted(peer.cpuSecondsPerGigabyte, 2), ""]
    }))
  ]);
  const heads = ["lane", "block", "GB/s", "limit GB/s", "ratio", "least\u2013most", "budget", "copies per byte",
    "heap KiB per block", "CPU s/GB", "limit CPU s/GB"];
  page.append(el("div", "card", table(1, heads, rows)));
}

function sideList() {
  const seen = new Map();
  for (const row of report.lanes) {
    for (const side of [row.ours, row.limit, ...row.peers]) {
      seen.set(JSON.stringify([row.lane, side.name]), [row.lane, side.name, side.what]);
    }
  }
  page.append(el("details", "card", el("summary", "", "What each side does"),
    table(3, ["lane", "side", "what it does"], [...seen.values()])));
}

function latencyTable() {
  const times = (name, it, under) => ({
    under,
    cells: [name, it.what, fixed(it.calls, 0), brief(it.p50), brief(it.p90), brief(it.p99), brief(it.max)]
  });
  const rows = report.latencies.flatMap((row) => [times(row.title, row.ours), times("\u2003limit", row.limit, true)]);
  page.append(el("div", "card", table(2, ["call", "what", "calls", "p50 \u00b5s", "p90", "p99", "max"], rows)));
}

function innerTable() {
  if (!report.inner.length) return;
  section("Inner pieces", "JMH, each in a JVM of its own; the error is half of the 99.9 % interval.");
  page.append(el("div", "card", table(2, ["piece", "with", "score", "\u00b1", "unit", "heap B/op"],
    report.inner.map((row) => [row.benchmark, row.parameters, brief(row.score), brief(row.error), row.unit,
      fixed(row.allocatedBytes, 0)]))));
}

function processTable() {
  if (!report.nodes.length) return;
  section("Processes", "Peaks in MiB. Resident memory counts mapped files.");
  page.append(el("div", "card", table(2, ["process", "during", "heap", "of -Xmx", "resident", "CPU s"],
    report.nodes.map((row) => [row.role, row.during, mib(row.peakHeapBytes), mib(row.heapLimitBytes),
      mib(row.peakRssBytes), fixed(row.cpuSeconds, 1)]))));
}

function breakEvenTable() {
  const rows = report.breakEven.map((row) => [
    row.model, row.lane, brief(row.bytesPerToken / 1024), fixed(row.prefillTokensPerSecond, 0),
    fixed(row.gigabytesPerSecond, 2), brief(row.firstByteMillis),
    row.breakEvenTokens < 0 ? "never" : fixed(row.breakEvenTokens, 0),
    ...row.lines.map((line) => el("span", line.savedMillis > 0 ? "met" : "", brief(line.savedMillis)))
  ]);
  const heads = ["model", "lane", "KiB per token", "prefill tokens/s", "GB/s", "first byte ms", "break-even tokens",
    ...report.breakEven[0].lines.map((line) => fixed(line.tokens, 0))];
  page.append(el("details", "card", el("summary", "", "Milliseconds saved, by tokens of the prefix"), table(2, heads, rows)));
}

function notes() {
  if (!report.notes.length) return;
  section("Notes");
  page.append(el("div", "card", el("ul", "", ...report.notes.map((note) => el("li", "", note)))));
}

// A flame graph is a page of its own; it is made when it is first opened, and can reach nothing of this one.
function profiles() {
  if (!report.profiles.length) return;
  section("Where the time goes", "Flame graphs; open one to load it.");
  for (const profile of report.profiles) {
    const details = el("details", "card", el("summary", "", profile.title));
    details.addEventListener("toggle", () => {
      if (!details.open || details.querySelector("iframe")) return;
      const frame = el("iframe");
      frame.setAttribute("sandbox", "allow-scripts");
      frame.title = profile.title;
      frame.srcdoc = profile.html;
      details.append(frame);
    });
    page.append(details);
  }
}
