// SPDX-License-Identifier: GPL-2.0-or-later
// live.js - keeps the numbers of a page up to date, folds and searches
//
// Pages are whole without this. Every five seconds it loads the page again,
// and where that is another one, puts its numbers in the place of the old
// ones. What the reader has folded, searched and selected stays.
"use strict";

const period = 5000;
const live = document.getElementById("live");
let tag = null;
let words = "";

function main() {
	return document.getElementById("main");
}

function tell(text, bad) {
	if (live.textContent !== text)
		live.textContent = text;
	live.className = bad ? "bad" : "";
}

// ---- what the reader did ----

function folded() {
	const parts = new Map();
	for (const part of main().querySelectorAll("details"))
		parts.set(part.dataset.cohort, part.open);
	return parts;
}

function fold(parts) {
	for (const part of main().querySelectorAll("details"))
		if (parts.has(part.dataset.cohort))
			part.open = parts.get(part.dataset.cohort);
}

// Has the reader changed the field?
function isTouched(field) {
	if (field.tagName !== "SELECT")
		return field.value !== field.defaultValue;
	const given = [...field.options].findLastIndex(option => option.defaultSelected);
	return field.selectedIndex !== Math.max(given, 0);
}

// What the reader has not touched is as new as the page, and so is what there is to choose
function renewField(field, next) {
	const touched = isTouched(field);
	const value = field.value;
	if (field.tagName !== "SELECT") {
		// half a time is not written over
		if (!touched && value !== next.defaultValue)
			field.value = field.defaultValue = next.defaultValue;
		return;
	}
	if (field.innerHTML === next.innerHTML)
		return;
	// not the options themselves: as one goes, the next select chooses another one
	field.replaceChildren(...[...next.options].map(option => option.cloneNode(true)));
	if (touched)
		field.value = value;
	if (field.selectedIndex < 0)
		field.selectedIndex = 0;
}

// A form stays as the reader has filled it in
function keepForm(fresh) {
	const form = main().querySelector("form");
	const next = fresh.querySelector("form");
	const active = document.activeElement;
	if (!form || !next)
		return () => {};
	for (const field of form.querySelectorAll("select, input"))
		if (next.elements[field.name])
			renewField(field, next.elements[field.name]);
	next.replaceWith(form);
	return () => {
		if (form.contains(active))
			active.focus({ preventScroll: true });
	};
}

// Finds in the next page what has the focus in this one
function focused() {
	const at = document.activeElement;
	const row = at?.closest("[data-queue]");
	const same = (select, isSame) => () => [...main().querySelectorAll(select)].find(isSame);
	if (!at || !main().contains(at))
		return () => null;
	if (at.tagName === "SUMMARY")
		return same("summary", part => part.parentElement.dataset.cohort === at.parentElement.dataset.cohort);
	if (row)
		return same("[data-queue] a", link => link.closest("[data-queue]").dataset.queue === row.dataset.queue);
	return same("a", link => at.tagName === "A" && link.textContent === at.textContent);
}

// ---- search ----

function search() {
	const wanted = words.trim().toLowerCase();
	for (const row of main().querySelectorAll("[data-queue]"))
		row.hidden = !row.dataset.queue.toLowerCase().includes(wanted);
	// A part in which nothing is left goes, too
	for (const part of [...main().querySelectorAll("details")].reverse()) {
		const left = part.querySelector("[data-queue]:not([hidden])");
		part.hidden = wanted !== "" && !left && part.querySelector("[data-queue]") !== null;
	}
}

function searchBox() {
	if (!main().querySelector("[data-queue]"))
		return;
	const label = document.createElement("label");
	const box = document.createElement("input");
	label.className = "search";
	label.append("Search ", box);
	box.type = "search";
	box.addEventListener("input", () => {
		words = box.value;
		search();
	});
	document.querySelector("header").append(label);
}

// ---- new numbers ----

function replace(text) {
	const next = new DOMParser().parseFromString(text, "text/html");
	const fresh = next.getElementById("main");
	if (!fresh)
		throw new Error("not one of our pages");
	const closed = folded();
	const find = focused();
	document.title = next.title;
	const focusForm = keepForm(document.adoptNode(fresh));
	main().replaceWith(fresh);
	fold(closed);
	search();
	find()?.focus({ preventScroll: true });
	focusForm();
	document.dispatchEvent(new Event("fresh"));
}

async function refresh() {
	let answer;
	try {
		answer = await fetch(location.href, { cache: "no-cache", signal: AbortSignal.timeout(20000) });
		const next = answer.headers.get("ETag");
		// A proxy in front may answer for a server that is gone, without our tag
		if (next === null || next !== tag)
			replace(await answer.text());
		tag = next;
		tell("live", false);
	} catch {
		tag = null;
		tell("The server does not answer: these numbers are old.", true);
	}
}

async function run() {
	if (!document.hidden)
		await refresh();
	setTimeout(run, period);
}

document.addEventListener("visibilitychange", () => {
	if (!document.hidden)
		refresh();
});
searchBox();
run();
