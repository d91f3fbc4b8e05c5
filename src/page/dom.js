/* dom.js - elements, made from text and never from markup.
 *
 * People see every character; what a script compares is unchanged. */

const SVG = "http://www.w3.org/2000/svg";
const READ = ["title", "aria-label"]; /* attributes that people read */

function fill(node, attributes, children) {
	for (const [key, value] of Object.entries(attributes ?? {})) {
		if (value === null || value === undefined || value === false)
			continue;
		if (key.startsWith("on"))
			node.addEventListener(key.slice(2), value);
		else
			node.setAttribute(key, value === true ? ""
				: READ.includes(key) ? visible(value) : value);
	}
	node.append(...children.flat().filter(c => c !== null && c !== undefined
		&& c !== false).map(c => c instanceof Node ? c : visible(c)));
	return node;
}

/* An element with attributes ("onclick" is a listener) and children, which
 * are elements or text. */
function el(tag, attributes, ...children) {
	return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes, ...children) {
	return fill(document.createElementNS(SVG, tag), attributes, children);
}

/* Announce something to a person who does not see the page. */
function say(text) {
	document.getElementById("live").textContent = visible(text);
}

/* A part of the report under a heading. */
function section(id, title, ...children) {
	return el("section", { id, "aria-labelledby": `${id}-h` },
		el("h2", { id: `${id}-h` }, title), children);
}

/* Facts as a list of terms; those without a value are left out. */
function facts(pairs) {
	return el("dl", { class: "facts" },
		pairs.filter(([, value]) => value !== null && value !== undefined
			&& value !== "")
			.map(([term, value]) => el("div", null, el("dt", null, term),
				el("dd", null, value))));
}

/* A table; columns: [title, class or null]. */
function table(caption, columns, rows) {
	return el("div", { class: "scroll" },
		el("table", null,
			el("caption", { class: "unseen" }, caption),
			el("thead", null, el("tr", null, columns.map(([title, kind]) =>
				el("th", { scope: "col", class: kind }, title)))),
			el("tbody", null, rows.map(cells => el("tr", null,
				cells.map((cell, i) => el("td", { class: columns[i][1] },
					cell)))))));
}

/* A table that first shows some rows, and the others on request. */
function longTable(caption, columns, rows, most = 50) {
	const box = el("div", null, table(caption, columns, rows.slice(0, most)));

	if (rows.length > most)
		box.append(el("button", {
			type: "button",
			onclick: () => box.replaceChildren(
				table(caption, columns, rows)),
		}, `show all ${count(rows.length)}`));
	return box;
}

/* The name of a state, which may be any text. */
function knownState(state) {
	return Object.hasOwn(STATES, state) ? state : "failed";
}

/* A state as a word with a mark of its own. */
function stateWord(state) {
	const known = knownState(state);

	return el("span", {
		class: `state s-${known}`, title: STATES[known],
	}, String(state));
}

/* A list, whatever the report holds in its place. */
function list(value) {
	return Array.isArray(value) ? value.filter(x => x && typeof x
		=== "object") : [];
}

/* Position of a pointer in an element, 0 to 1. */
function across(event, node) {
	const box = node.getBoundingClientRect();

	return Math.min(1, Math.max(0,
		(event.clientX - box.left) / (box.width || 1)));
}
