/* sets.js - segments of one recording, and what is wrong between them; and bags of
 * ROS 2, which are the same for a reader: several files, and what holds them
 * together. */

const SEGMENTS = 40; /* of a set, and findings, shown at once */

/* What it is called. */
function nameOfSet(set) {
	return String(set.set ?? set.bag);
}

/* The number of a segment; files of a bag have names. */
function numberOf(f) {
	return f.number ?? String(f.file).replace(/.*\//s, "");
}

/* The first of some elements, and the others on request. */
function capped(nodes, most) {
	const box = el("div", null, nodes.slice(0, most));

	if (nodes.length > most)
		box.append(" ", el("button", { type: "button",
			onclick: () => box.replaceChildren(...nodes),
		}, `show all ${count(nodes.length)}`));
	return box;
}

/* Segments that are missing before one, or null. */
function missingBefore(problems, number) {
	const p = problems.find(one => one.id === "set.missing"
		&& one.after === number);
	const from = Number.isFinite(p?.before) ? p.before + 1 : null;
	const to = number - 1;

	return !p ? null : el("b", { class: "bad lack", title: p.text },
		from === to || from === null && to === 0 ? `${to} missing`
			: `${from ?? "…"}–${to} missing`);
}

/* The numbers of a set, each a link to its log. */
function segmentsOf(set, rowOf) {
	const problems = list(set.problems);

	return capped(list(set.files).flatMap(f => {
		const row = rowOf(f.file);
		const title = `${f.file}${row ? `: ${row.state}` : ""}`;

		return [missingBefore(problems, f.number), row
			? el("a", { class: `segment s-${knownState(row.state)}`, title,
				href: `#log-${row.i}`, "aria-label": title }, numberOf(f))
			: el("span", { class: "segment", title }, numberOf(f))];
	}).filter(Boolean), SEGMENTS);
}

function seamsOf(set) {
	return capped(list(set.problems).map(p => el("div", {
		class: `v-${p.severity === "error" ? "error" : "warning"} sev`,
	}, p.text, " ", el("code", null, p.id))), SEGMENTS);
}

function areBroken(sets) {
	return sets.filter(s => s.problems_total > 0);
}

/* How many are incomplete, as a link to them. */
function setsLink(sets) {
	return sets.length === 0 ? null : el("button", { type: "button",
		class: "link", onclick: () =>
			document.getElementById("sets").scrollIntoView(),
	}, `${count(areBroken(sets).length)} of ${count(sets.length)}`);
}

/* All sets, incomplete ones first; choose(set) shows the logs of one. */
function setsOf(sets, rowOf, choose) {
	const broken = areBroken(sets);
	const others = sets.filter(s => !broken.includes(s));

	return sets.length === 0 ? null : section("sets", "Segments of recordings",
		el("p", null, `${some(sets.length, "set")}, of which ${
			broken.length === 0 ? "nothing is missing between the segments"
				: `${count(broken.length)} ${broken.length === 1 ? "is"
					: "are"} not complete`}.`),
		longTable("Sets", [["state", null], ["set", "part"], ["format", null],
			["segments", "part"], ["between them", "wide"]],
		[...broken, ...others].map(s => [stateWord(s.state),
			el("button", { type: "button", class: "link",
				title: "show its logs alone",
				onclick: () => choose(nameOfSet(s)) }, nameOfSet(s)),
			s.format ?? "–", segmentsOf(s, rowOf), seamsOf(s)]), 20));
}
