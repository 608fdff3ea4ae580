// SPDX-License-Identifier: GPL-2.0-or-later
// history.js - plots of the past: use, reclaim delay, evictions (charts.js draws)
//
// The page is whole without them: it has the same numbers as tables.
"use strict";

const plots = [];
let drawn = 0;

// What stands on what. For all queues what is lent is what is borrowed: it has no part.
function layers(all) {
	const list = [["own", "own use", "own"], ["lent", "lent", "lent"], ["idle", "idle while waiting", "unused"],
		["borrowed", "borrowed", "borrowed"]];
	return all ? list.filter(layer => layer[0] !== "lent") : list;
}

function moments(answer) {
	const begins = answer.steps.begin;
	return begins.flatMap((begin, i) => [begin, (begins[i + 1] ?? answer.end) - 1]);
}

function options(answer, unit, series, more) {
	return {
		...zoned(answer.zone),
		// as the tables have it
		series: [{ value: (plot, value, series, at) => at === null ? "--" : answer.steps.time[at >> 1].replace("T", " ") }]
			.concat(series), axes: axes(unit), legend: { live: true },
		cursor: { drag: { x: false, y: false }, sync: { key: "history" } },
		scales: { y: fromZero() }, ...more,
	};
}

function usePlot(answer, times) {
	const parts = layers(answer.clusterQueue === null).map(([key, label, paint]) => (
		{ label, ink: color(paint), list: held(answer.steps[key]) }));
	const stack = stackOf(parts);
	const unit = answer.resource === "mem" ? "mem (MB)" : answer.resource;
	return { options: options(answer, unit, [...stack.series, lineOf("owned", color("ink"), [6, 4])], { bands: stack.bands }),
		data: [times, ...stack.data, held(answer.steps.owned)],
		says: "Use over time, stacked: " + parts.map(part => part.label).join(", ") + "; the table below has the numbers" };
}

function delayPlot(answer, times) {
	return { options: options(answer, "seconds", [lineOf("reclaim delay, median", color("own")), lineOf("95 %", color("borrowed"))]),
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
	for (const old of plots.splice(0))
		old.destroy();
	place.replaceChildren();
	for (const make of [usePlot, delayPlot, evictedPlot]) {
		const plot = make(answer, times);
		plots.push(chartIn(place, plot.options, plot.data, plot.says));
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
		plot.setSize({ width: Math.max(place.clientWidth, 200), height: chartHeight });
});
load();
