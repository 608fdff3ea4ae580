// SPDX-License-Identifier: GPL-2.0-or-later
// charts.js - charts of pages, as charts.h describes them
//
// A page that stands alone (scohort simulate --html, scohort report --html) has its numbers
// in #data. A page of the past has the address of its steps (past.h) in #plots, and the same
// numbers as tables.
"use strict";

const chartHeight = 240;

function color(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

// A step has two points: a value holds from its begin to its end
function held(list) {
	return list.flatMap(value => [value, value]);
}

function stacked(lists) {
	const sums = [];
	for (const list of lists) {
		const below = sums[sums.length - 1];
		sums.push(list.map((value, i) => value === null ? null : value + (below ? below[i] : 0)));
	}
	return sums;
}

function number(value) {
	return value === null || value === undefined ? "-" : value.toLocaleString("en", { maximumFractionDigits: 2 });
}

// A browser may not know the zone of the numbers
function zoned(zone) {
	try {
		new Intl.DateTimeFormat("en", { timeZone: zone });
	} catch {
		return {};
	}
	return { tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), zone) };
}

function axes(unit) {
	const look = { stroke: color("ink"), grid: { stroke: color("line"), width: 1 }, ticks: { stroke: color("line"), width: 1 } };
	const day = "\n{YYYY}-{MM}-{DD}";
	// a tick's length, its text, and what is added in a new year, month, day
	const values = [
		[365 * 86400, "{YYYY}", null, null, null, null, null, null, 1],
		[28 * 86400, "{YYYY}-{MM}", null, null, null, null, null, null, 1],
		[86400, "{MM}-{DD}", "\n{YYYY}", null, null, null, null, null, 1],
		[60, "{HH}:{mm}", day, null, day, null, null, null, 1],
	];
	return [{ ...look, values, space: 70 }, { ...look, size: 64, label: unit, labelSize: 24 }];
}

function fromZero(most) {
	return { range: (plot, low, high) => [0, (most ?? high) > 0 ? (most ?? high) * 1.05 : 1] };
}

// Parts stand on each other; from the top down, each fills what is between it and the next.
// parts: {label, ink, list}; ink may be a pattern
function stackOf(parts) {
	const series = parts.map(({ label, ink, list }) => ({
		label, stroke: ink, fill: ink, width: 1, points: { show: false },
		value: (plot, value, index, at) => number(at === null ? null : list[at]),
	}));
	return {
		series: series.reverse(), data: stacked(parts.map(part => part.list)).reverse(),
		// the lowest first in the legend would need the drawing upside down: bands cut each part off at the one below
		bands: parts.slice(1).map((part, i) => ({ series: [i + 1, i + 2] })),
	};
}

function lineOf(label, ink, dash) {
	return { label, stroke: ink, width: 2, dash, points: { show: false }, value: (plot, value) => number(value) };
}

// A chart in a box of its own, told to those who can't see it
function chartIn(place, options, data, says) {
	const box = document.createElement("div");
	box.className = "plot";
	box.setAttribute("role", "img");
	box.setAttribute("aria-label", says);
	place.append(box);
	return new uPlot({ width: Math.max(box.clientWidth, 200), height: chartHeight, ...options }, data, box);
}

function element(name, text) {
	const made = document.createElement(name);
	made.textContent = text;
	return made;
}

// ---- columns of charts over time ----

// The scheme "muted" of Paul Tol, "Colour Schemes" (SRON/EPS/TN/09-002), with its grey darker; ten more queues have stripes
const inks = ["#40166f", "#83dfff", "#289fa0", "#066822", "#879024", "#f1dc84", "#f58675", "#882255", "#9d48a6", "#ffb735"];
// lighter where the paper is dark
const inksOnDark = { "#40166f": "#a58be0", "#066822": "#3fae63", "#882255": "#e07aa8", "#9d48a6": "#c98bd0" };
const dark = matchMedia("(prefers-color-scheme: dark)"), print = matchMedia("print");

function striped(ink) {
	const tile = document.createElement("canvas");
	tile.width = tile.height = 8;
	const pen = tile.getContext("2d");
	pen.strokeStyle = ink;
	pen.lineWidth = 3;
	pen.beginPath();
	for (const from of [-8, 0, 8]) {
		pen.moveTo(from - 2, 10);
		pen.lineTo(from + 10, -2);
	}
	pen.stroke();
	return pen.createPattern(tile, "repeat");
}

function ink(i) {
	const light = inks[i % inks.length];
	const plain = dark.matches && !print.matches && inksOnDark[light] || light;
	return i % (2 * inks.length) < inks.length ? plain : striped(plain);
}

function duration(seconds) {
	const two = value => String(value).padStart(2, "0");
	const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
	return (days ? days + "-" : "") + (days || hours ? two(hours) + ":" : "") + two(minutes) + ":" + two(Math.floor(seconds) % 60);
}

const spans = [1, 5, 10, 30, 60, 300, 600, 1800, 3600, 7200, 14400, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000];

function timeOptions(page, unit, most) {
	const [x, y] = axes(unit);
	// as the tables have it
	const first = page.times ? { value: (plot, value, series, at) => at === null ? "--" : page.times[at >> 1].replace("T", " ") }
		: page.dates ? {} : { value: (plot, value) => value === null ? "--" : duration(value) };
	if (!page.dates)
		Object.assign(x, { incrs: spans, values: (plot, list) => list.map(duration) });
	return {
		...(page.zone ? zoned(page.zone) : {}), axes: [x, y], first, legend: { live: true },
		// a mark with the mouse zooms all charts, a double click shows all
		cursor: { drag: { x: !page.times, y: false, setScale: true }, sync: { key: "charts", scales: ["x", null] } },
		scales: { x: { time: page.dates }, y: fromZero(most) },
	};
}

function highest(chart) {
	const lists = chart.series.map(series => series.values);
	const tops = chart.stacked && lists.length ? stacked(lists).slice(-1) : lists;
	return Math.max(0, ...tops.flat(), ...(chart.line ? chart.line.values : []));
}

function timeChart(page, chart, most, place) {
	const { first, ...options } = timeOptions(page, chart.unit, most);
	const last = page.times ? 1 : 0;	// a step is over before the next one begins
	const times = page.edges.slice(0, -1).flatMap((begin, i) => [begin, page.edges[i + 1] - last]);
	const parts = chart.series.map((series, i) => (
		{ label: series.name, ink: series.ink ? color(series.ink) : ink(i), list: held(series.values) }));
	const made = chart.stacked ? stackOf(parts)
		: { series: parts.map(part => lineOf(part.label, part.ink)), data: parts.map(part => part.list), bands: [] };
	if (chart.line) {
		made.series.push(lineOf(chart.line.name, color("ink"), [6, 4]));
		made.data.push(held(chart.line.values));
	}
	place.append(element("h3", chart.title));
	return chartIn(place, { ...options, bands: made.bands, series: [first, ...made.series] }, [times, ...made.data],
		chart.title + ": " + chart.series.map(series => series.name).join(", ") + (page.times ? "; the tables have the numbers" : ""));
}

function columnsDraw(page, place) {
	const grid = document.createElement("div");
	grid.className = "columns";
	place.append(grid);
	return page.columns.flatMap(column => {
		const box = document.createElement("section");
		if (column.title)
			box.append(element("h2", column.title));
		grid.append(box);
		// one scale for the same chart of all columns
		return column.charts.map((chart, i) => timeChart(page, chart,
			Math.max(...page.columns.map(other => highest(other.charts[i]))), box));
	});
}

// Names stand beside the points that nothing else beats, as far as there is room
function namesDraw(plot, points) {
	const taken = [];
	plot.ctx.save();
	plot.ctx.fillStyle = color("ink");
	plot.ctx.font = 12 * devicePixelRatio + "px system-ui, sans-serif";
	plot.ctx.textBaseline = "middle";
	plot.ctx.textAlign = "left";
	for (const point of points.filter(one => one.unbeaten)) {
		const wide = plot.ctx.measureText(point.name).width, high = 14 * devicePixelRatio;
		const x = plot.valToPos(point.x, "x", true), y = plot.valToPos(point.y, "y", true) - 1.2 * high;
		const left = x + wide > plot.bbox.left + plot.bbox.width ? x - wide : x;
		const meets = box => left < box.left + box.wide && box.left < left + wide && Math.abs(box.y - y) < high;
		if (taken.some(meets))
			continue;
		taken.push({ left, wide, y });
		plot.ctx.fillText(point.name, left, y);
	}
	plot.ctx.restore();
}

function tradeTable(trade, points) {
	const table = document.createElement("table");
	table.className = "trade";
	const row = (cells, kind) => {
		const made = document.createElement("tr");
		made.append(...cells.map((cell, i) => element(i ? kind : "th", cell)));
		return made;
	};
	table.append(document.createElement("tbody"));
	table.tBodies[0].append(row(["Value", trade.y, trade.x, "Nothing beats it"], "th"),
		...points.map(point => row([point.name, number(point.y), number(point.x), point.unbeaten ? "yes" : "-"], "td")));
	return table;
}

function tradeDraw(trade, place) {
	const points = [...trade.points].sort((a, b) => a.x - b.x);
	const dot = (label, paint, fill) => ({ label, stroke: paint, fill, width: 0, value: (plot, value) => number(value),
		paths: () => null, points: { show: true, size: 9, stroke: paint, fill } });
	const [x, y] = axes(trade.y);
	place.append(element("h2", trade.title));
	const plot = chartIn(place, {
		height: 420, cursor: { drag: { x: false, y: false } },
		axes: [{ ...x, values: null, label: trade.x, labelSize: 24, size: 60 }, y],
		scales: { x: { time: false, ...fromZero(Math.max(0, ...points.map(point => point.x))) }, y: fromZero() },
		series: [{ label: "Value", value: (plot, value, series, at) => at === null ? "--" : points[at].name },
			dot("another is better", color("faint"), color("paper")),
			{ ...dot("nothing beats it", color("own"), color("own")), width: 2, paths: undefined, fill: undefined, spanGaps: true }],
		hooks: { draw: [plot => namesDraw(plot, points)] },
	}, [points.map(point => point.x), points.map(point => point.unbeaten ? null : point.y),
		points.map(point => point.unbeaten ? point.y : null)], trade.title + "; the table below has the numbers");
	place.append(tradeTable(trade, points));
	return [plot];
}

// ---- which page ----

// What the steps of a page of the past are as charts. For all queues what is lent is what is
// borrowed: it has no part.
function pastCharts(answer) {
	const { steps } = answer;
	const one = (name, key, ink) => ({ name, ink, values: steps[key] });
	const use = [one("own use", "own", "own"), one("lent", "lent", "lent"), one("idle while waiting", "idle", "unused"),
		one("borrowed", "borrowed", "borrowed")];
	const charts = [
		{ title: "Use", unit: answer.resource === "mem" ? "mem (MB)" : answer.resource, stacked: true,
			series: use.filter(series => series.name !== "lent" || answer.clusterQueue !== null), line: one("owned", "owned") },
		{ title: "Reclaim delay", unit: "seconds", series: [one("median", "delayMedianSeconds", "own"), one("95 %", "delay95Seconds", "borrowed")] },
		{ title: "Evictions", unit: "evictions", stacked: true, series: [one("evicted", "evicted", "lent")] },
	];
	return { dates: true, zone: answer.zone, times: steps.time, edges: [...steps.begin, answer.end], columns: [{ charts }] };
}

// Use of each queue, stacked, and what each borrowed
function queuesCharts({ zone, resource, end, queues }) {
	const sum = (lists) => lists[0].map((_, i) => lists.reduce((all, list) => all + (list[i] ?? 0), 0));
	const series = make => queues.map(({ name, steps }) => ({ name, values: make(steps) }));
	const charts = [
		{ title: resource + " in use", unit: resource, stacked: true, series: series(steps => sum([steps.own, steps.borrowed])),
			line: { name: "nominal quota of all", values: sum(queues.map(queue => queue.steps.owned)) } },
		{ title: resource + " borrowed", unit: resource, series: series(steps => steps.borrowed) },
	];
	return { dates: true, zone, edges: [...queues[0].steps.begin, end], columns: [{ title: "Cluster queues", charts }] };
}

const alone = document.getElementById("data");
let page = alone && JSON.parse(alone.textContent);
if (page?.queues)
	page = queuesCharts(page);
let plots = [];
let drawn = 0;

function placeOf() {
	return document.getElementById(alone ? "charts" : "plots");
}

function draw() {
	const place = placeOf();
	if (!place || !page)
		return;
	for (const plot of plots)
		plot.destroy();
	place.replaceChildren();
	plots = page.trade ? tradeDraw(page.trade, place) : columnsDraw(page, place);
	place.dataset.drawn = alone ? plots.length : ++drawn;
}

// The old charts stand until there are new ones: nothing jumps
async function load() {
	const place = placeOf();
	if (alone || !place)
		return;
	draw();
	try {
		const answer = await fetch(place.dataset.from, { cache: "no-cache", signal: AbortSignal.timeout(20000) });
		if (!answer.ok)
			return;
		page = pastCharts(await answer.json());
	} catch {
		return;
	}
	if (place.isConnected)
		draw();
}

// Times that the reader fills in are meant
document.addEventListener("input", event => {
	if (event.target.type === "datetime-local")
		event.target.form.elements.range.value = "span";
});
document.addEventListener("fresh", load);
dark.addEventListener("change", draw);
print.addEventListener("change", draw);
addEventListener("resize", () => {
	for (const plot of plots)
		plot.setSize({ width: Math.max(plot.root.parentElement.clientWidth, 200), height: plot.height });
});
if (alone)
	draw();
else
	load();
