"use strict";
// The plots, and the order of the page.
const drawn = [];
const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const PEERS = ["peer1", "peer2", "peer3", "peer4"];

// `settings` is a function: it is asked again when the system turns from light to dark.
function plot(parent, height, settings) {
  const canvas = el("canvas");
  const box = el("div", "plot", canvas);
  box.style.height = height + "px";
  parent.append(box);
  const draw = () => {
    Chart.defaults.color = colour("soft");
    Chart.defaults.borderColor = colour("line");
    Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
    const made = settings();
    made.options = { animation: false, responsive: true, maintainAspectRatio: false, ...made.options };
    return new Chart(canvas, made);
  };
  drawn.push({ chart: draw(), draw });
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  for (const it of drawn) {
    it.chart.destroy();
    it.chart = it.draw();
  }
});

const legend = { position: "bottom", labels: { boxWidth: 12, boxHeight: 12 } };
const lines = { position: "bottom", labels: { usePointStyle: true, pointStyle: "line" } };
const key = (className, colourName, text) => {
  const mark = el("i", className);
  if (colourName) mark.style.background = `var(--${colourName})`;
  return el("span", "", mark, text);
};

// A line at 1, a tick at each row's median, and a dashed line at what its budget asks.
const ticks = {
  id: "ticks",
  afterDatasetsDraw(chart) {
    const { ctx, scales, chartArea } = chart;
    ctx.fillStyle = colour("limit");
    ctx.fillRect(scales.x.getPixelForValue(1) - 0.5, chartArea.top, 1, chartArea.bottom - chartArea.top);
    chart.getDatasetMeta(0).data.forEach((bar, i) => {
      const row = report.lanes[i];
      const half = Math.max(bar.height / 2, 7);
      const at = scales.x.getPixelForValue(row.ratio.median);
      ctx.save();
      ctx.fillStyle = row.budget ? colour(met(row) ? "met" : "missed") : colour("ours");
      ctx.fillRect(at - 2, bar.y - half, 4, 2 * half);
      if (row.budget) {
        const budget = scales.x.getPixelForValue(row.budget);
        ctx.strokeStyle = colour("ink");
        ctx.lineWidth = 1.5;
        ctx.setLineDash([4, 3]);
        ctx.beginPath();
        ctx.moveTo(budget, bar.y - half - 4);
        ctx.lineTo(budget, bar.y + half + 4);
        ctx.stroke();
      }
      ctx.restore();
    });
  }
};

function ratioPlot() {
  const card = el("div", "card");
  card.append(el("div", "keys", key("", "spread", "least to most of the rounds"), key("tick", "met", "median, budget met"),
    key("tick", "missed", "median, budget missed"), key("tick", "ours", "median, no budget"), key("dashes", "", "budget")));
  page.append(card);
  const least = Math.min(0.8, ...report.lanes.map((row) => row.ratio.least));
  const most = Math.max(1, ...report.lanes.map((row) => Math.max(row.ratio.most, row.budget)));
  plot(card, 56 + 34 * report.lanes.length, () => ({
    type: "bar",
    data: {
      labels: report.lanes.map((row) => `${row.lane} ${size(row.blockBytes)}`),
      datasets: [{
        data: report.lanes.map((row) => [row.ratio.least, row.ratio.most]),
        backgroundColor: colour("spread"), borderRadius: 3, borderSkipped: false, maxBarThickness: 14, minBarLength: 2
      }]
    },
    options: {
      indexAxis: "y",
      scales: {
        x: { min: Math.max(0, Math.floor(least * 10 - 0.5) / 10), max: Math.ceil(most * 10 + 0.5) / 10, title: { display: true, text: "ours / limit" } },
        y: { grid: { display: false }, ticks: { autoSkip: false } }
      },
      plugins: {
        legend: { display: false },
        tooltip: {
          callbacks: {
            label: (item) => {
              const row = report.lanes[item.dataIndex];
              const budget = row.budget ? `, budget ${fixed(row.budget, 2)}` : "";
              return `${fixed(row.ratio.median, 2)} [${fixed(row.ratio.least, 2)}\u2013${fixed(row.ratio.most, 2)}]${budget}`;
            }
          }
        }
      }
    },
    plugins: [ticks]
  }));
}

function throughputPlots() {
  const grid = el("div", "grid");
  page.append(grid);
  for (const lane of laneOrder) {
    const rows = report.lanes.filter((row) => row.lane === lane);
    const peers = [...new Set(rows.flatMap((row) => row.peers.map((peer) => peer.name)))];
    const bars = (label, name, figure) => ({
      label, data: rows.map(figure), backgroundColor: colour(name), borderRadius: 3, maxBarThickness: 34
    });
    const card = el("div", "card", el("h3", "", rows[0].title), el("p", "soft", "GB/s by block size"));
    grid.append(card);
    plot(card, 230, () => ({
      type: "bar",
      data: {
        labels: rows.map((row) => size(row.blockBytes)),
        datasets: [
          bars(rows[0].ours.name, "ours", (row) => row.ours.median),
          bars(rows[0].limit.name, "limit", (row) => row.limit.median),
          ...peers.map((name, i) => bars(name, PEERS[i % PEERS.length],
            (row) => row.peers.find((peer) => peer.name === name)?.median ?? null))
        ]
      },
      options: { scales: { x: { grid: { display: false } }, y: { beginAtZero: true } }, plugins: { legend } }
    }));
  }
}

function latencyPlots() {
  const grid = el("div", "grid");
  page.append(grid);
  for (const row of report.latencies) {
    const card = el("div", "card", el("h3", "", row.title), el("p", "soft", row.what + ", \u00b5s"));
    grid.append(card);
    const bars = (times, label, name) => ({
      label, data: [times.p50, times.p90, times.p99], backgroundColor: colour(name), borderRadius: 3, maxBarThickness: 34
    });
    plot(card, 210, () => ({
      type: "bar",
      data: { labels: ["p50", "p90", "p99"], datasets: [bars(row.ours, "kvern", "ours"), bars(row.limit, "limit", "limit")] },
      options: { scales: { x: { grid: { display: false } }, y: { beginAtZero: true } }, plugins: { legend } }
    }));
  }
}

// One plot per model: computing falls with the prefill speed, loading with the lane.
function breakEvenPlots() {
  const grid = el("div", "grid");
  page.append(grid);
  for (const model of new Set(report.breakEven.map((row) => row.model))) {
    const tables = report.breakEven.filter((row) => row.model === model);
    const card = el("div", "card", el("h3", "", model),
      el("p", "soft", `${brief(tables[0].bytesPerToken / 1024)} KiB per token; ms by tokens of the prefix`));
    grid.append(card);
    const firstOf = (name) => [...new Map(tables.map((row) => [row[name], row])).values()];
    const line = (row, figure, label, name, dash) => ({
      label, data: row.lines.map((it) => ({ x: it.tokens, y: it[figure] })), borderColor: colour(name),
      backgroundColor: colour(name), borderDash: dash, borderWidth: 2, pointRadius: 0, pointHitRadius: 8
    });
    plot(card, 280, () => ({
      type: "line",
      data: {
        datasets: [
          ...firstOf("lane").map((row, i) => line(row, "loadMillis", `load: ${row.lane}`, i ? PEERS[(i - 1) % PEERS.length] : "ours", [])),
          ...firstOf("prefillTokensPerSecond").map((row, i) => line(row, "computeMillis",
            `compute: ${fixed(row.prefillTokensPerSecond, 0)} tok/s`, i % 2 ? "ink" : "limit", [5, 4]))
        ]
      },
      options: {
        scales: {
          x: {
            type: "logarithmic", min: 256, max: 131072,
            afterBuildTicks: (axis) => { axis.ticks = [256, 1024, 4096, 16384, 65536].map((value) => ({ value })); },
            ticks: { callback: (value) => (value < 1024 ? String(value) : value / 1024 + "k") }
          },
          y: {
            type: "logarithmic",
            afterBuildTicks: (axis) => { axis.ticks = axis.ticks.filter((it) => Number.isInteger(Math.log10(it.value))); },
            ticks: { callback: (value) => Number(value).toLocaleString("en") }
          }
        },
        plugins: { legend: lines, tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${brief(item.parsed.y)} ms` } } }
      }
    }));
  }
}

page.replaceChildren();
header();
if (report.lanes.length) {
  section("Ratio to the bare limit", "Per lane and block size. 1 is the limit: the same bytes moved by the barest code with the same durability.");
  ratioPlot();
  section("Throughput", `Payload, 10\u2079 bytes per second, medians of ${report.rounds} alternating rounds.`);
  throughputPlots();
  laneTable();
  sideList();
}
if (report.latencies.length) {
  section("Latency", "Single calls, in microseconds.");
  latencyPlots();
  latencyTable();
}
if (report.breakEven.length) {
  section("Break-even", "Where a load's line lies below a prefill's, loading the prefix is faster than computing it. Prefill speeds are assumptions.");
  breakEvenPlots();
  breakEvenTable();
}
innerTable();
processTable();
notes();
profiles();
