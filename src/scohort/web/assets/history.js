// SPDX-License-Identifier: GPL-2.0-or-later
// history.js - plots of the past, with uPlot: use, reclaim delay, evictions
//
// The page is whole without them: it has the same numbers as tables.
"use strict";

const plotHeight = 240;
const plots = [];
let drawn = 0;

function color(name) {
	return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

// What stands on what. For all queues what is lent is what is borrowed: it has no part.
function layers(all) {
	const list = [["own", "own use", "own"], ["lent", "lent", "lent"], ["idle", "idle while waiting", "unused"],
		["borrowed", "borrowed", "borrowed"]];
	return all ? list.filter(layer => layer[0] !== "lent") : list;
}

// A step has two points: a value holds from its begin to its end
function held(list) {
	return list.flatMap(value => [value, value]);
}

function moments(answer) {
	const begins = answer.steps.begin;
	return begins.flatMap((begin, i) => [begin, (begins[i + 1] ?? answer.end) - 1]);
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

// A browser may not know the database's zone
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

function options(answer, unit, series, more) {
	return {
		width: 0, height: plotHeight, ...zoned(answer.zone),
		// as the tables have it
		series: [{ value: (plot, value, series, at) => at === null ? "--" : answer.steps.time[at >> 1].replace("T", " ") }]
			.concat(series), axes: axes(unit), legend: { live: true },
		cursor: { drag: { x: false, y: false }, sync: { key: "history" } },
		scales: { y: { range: (plot, low, high) => [0, high > 0 ? high * 1.05 : 1] } }, ...more,
	};
}

// Parts stand on each other; from the top down, each fills what is between it and the next
function usePlot(answer, times) {
	const all = answer.clusterQueue === null;
	const parts = layers(all);
	const lists = parts.map(part => held(answer.steps[part[0]]));
	const sums = stacked(lists);
	const series = parts.map(([, label, ink], i) => ({
		label, stroke: color(ink), fill: color(ink), width: 1, points: { show: false },
		value: (plot, value, index, at) => number(at === null ? null : lists[i][at]),
	}));
	series.reverse();
	series.push({ label: "owned", stroke: color("ink"), width: 2, dash: [6, 4], points: { show: false },
		value: (plot, value) => number(value) });
	// the lowest first in the legend would need the drawing upside down: bands cut each part off at the one below
	const bands = parts.slice(1).map((part, i) => ({ series: [i + 1, i + 2] }));
	const unit = answer.resource === "mem" ? "mem (MB)" : answer.resource;
	return { options: options(answer, unit, series, { bands }), data: [times, ...sums.reverse(), held(answer.steps.owned)],
		says: "Use over time, stacked: " + parts.map(part => part[1]).join(", ") + "; the table below has the numbers" };
}

function delayPlot(answer, times) {
	const line = (label, ink) => ({ label, stroke: color(ink), width: 2, points: { show: false },
		value: (plot, value) => number(value) });
	return { options: options(answer, "seconds", [line("reclaim delay, median", "own"), line("95 %", "borrowed")]),
		data: [times, held(answer.steps.delayMedianSeconds), held(answer.steps.delay95Seconds)],
		says: "Reclaim delay over time, median and 95 %; the table below has the numbers" };
}

function evictedPlot(answer, times) {
	return { options: options(answer, "evictions", [{ label: "evicted", stroke: color("lent"), fill: color("lent"), width: 1,
		points: { show: false }, value: (plot, value) => number(value) }]),
		data: [times, held(answer.steps.evicted)], says: "Evictions over time; the table below has the numbers" };
}

function draw(place, answer) {
	const times = moments(answer);
	const width = Math.max(place.clientWidth, 200);
	for (const old of plots.splice(0))
		old.destroy();
	place.replaceChildren();
	for (const make of [usePlot, delayPlot, evictedPlot]) {
		const plot = make(answer, times);
		const box = document.createElement("div");
		box.className = "plot";
		box.setAttribute("role", "img");
		box.setAttribute("aria-label", plot.says);
		place.append(box);
		plots.push(new uPlot({ ...plot.options, width }, plot.data, box));
	}
	place.dataset.drawn = ++drawn;
}

let last = null;

async function load() {
	const place = document.getElementById("plots");
	if (!place)
		return;
	// the old plots stand until there are new ones: nothing jumps
	if (last)
		draw(place, last);
	try {
		const answer = await fetch(place.dataset.from, { cache: "no-cache", signal: AbortSignal.timeout(20000) });
		if (!answer.ok)
			return;
		last = await answer.json();
	} catch {
		return;
	}
	if (place.isConnected)
		draw(place, last);
}

function redraw() {
	const place = document.getElementById("plots");
	if (place && last)
		draw(place, last);
}

// Times that the reader fills in are meant
document.addEventListener("input", event => {
	if (event.target.type === "datetime-local")
		event.target.form.elements.range.value = "span";
});
document.addEventListener("fresh", load);
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
addEventListener("resize", () => {
	const place = document.getElementById("plots");
	if (!place) return;
	for (const plot of plots)
		plot.setSize({ width: Math.max(place.clientWidth, 200), height: plotHeight });
});
load();
