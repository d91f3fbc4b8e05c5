/* detail.js - the view of one log. */

/* The text of a link to a place in the file. */
function placeLink(map, offset, length) {
	if (!map)
		return count(offset);
	return el("button", { type: "button", class: "link",
		"aria-label": `show ${count(offset)} on the map`,
		onclick: () => {
			map.goTo(offset, length);
			map.box.scrollIntoView({ block: "center" });
			map.box.focus({ preventScroll: true });
		} }, count(offset));
}

/* The verdict in a sentence. */
function verdict(r) {
	const blocks = r.blocks ?? {};
	const lost = r.bytes?.lost ?? 0;
	const parts = [];

	if (blocks.kept > 0)
		parts.push(`${some(blocks.kept, "block")} kept`);
	if (blocks.lost > 0)
		parts.push(`${blocks.lost_exact ? "" : "at least "}${
			count(blocks.lost)} lost`);
	if (lost > 0)
		parts.push(`${some(lost, "byte")} lost (${percent(lost, r.size)})`);
	if (r.gaps_total > 0)
		parts.push(some(r.gaps_total, "gap"));
	if (r.problems_total > 0)
		parts.push(some(r.problems_total, "finding"));
	return `${STATES[r.state] ?? ""}${parts.length ? ` · ${
		parts.join(" · ")}` : ""}`;
}

function aboutLog(r) {
	const first = moment(r.time?.first), last = moment(r.time?.last);

	return facts([
		["format", [r.format, r.version, r.dialect].filter(Boolean)
			.join(" · ") || r.looks_like],
		["size", Number.isFinite(r.size) ? `${count(r.size)} bytes` : null],
		["recorded", first === null ? null
			: r.time.dated === false ? "date unknown"
			: `${date(first)} – ${date(first, 0).slice(0, 10)
				=== date(last, 0).slice(0, 10) ? clock(last)
				: date(last)} UTC`],
		["lasting", first === null ? null : lasting(last - first)],
		["job", r.job],
		["looked at", r.depth === "index" ? "both ends and the index"
			: r.depth === "all" ? "every byte" : null],
		...list(r.annotations).slice(0, 12).map(a => [a.key, a.value]),
	]);
}

function problemsOf(r, map) {
	const all = list(r.problems);

	if (all.length === 0)
		return null;
	return section("problems", `Findings (${count(r.problems_total)})`,
		longTable("Findings", [["severity", null], ["at", "n"],
			["bytes", "n"], ["what", "wide"], ["remedy", null], ["id", null]],
		all.map(p => [el("span", { class: `sev v-${p.severity}` },
			p.severity), placeLink(map, p.offset, p.length),
		count(p.length), p.text, p.remedy,
		el("code", null, p.id)])),
		r.problems_total > all.length ? el("p", null,
			`${count(r.problems_total - all.length)} more are not listed.`)
			: null);
}

/* Does it keep the caller's rules? */
function policyOf(r, map) {
	const all = list(r.violations);

	if (r.policy !== "pass" && r.policy !== "fail")
		return null;
	return section("policy", "Policy", el("p", { class: r.policy === "fail"
		? "bad" : null }, r.policy === "fail"
		? `fail: ${some(all.length, "rule")} ${all.length > 1 ? "are"
			: "is"} broken; that says nothing about damage`
		: "pass: it keeps every rule"),
	all.length > 0 ? longTable("Broken rules", [["channel", null],
		["what", "wide"], ["times", "n"], ["at", "n"], ["from, UTC", null],
		["to, UTC", null], ["rule", null], ["id", null]],
	all.map(v => [v.channel ?? "–", v.text, count(v.times),
		Number.isFinite(v.offset) ? placeLink(map, v.offset, 0) : "–",
		date(moment(v.from)), date(moment(v.to)), el("code", null, v.rule),
		el("code", null, v.id)])) : null);
}

/* Is the file what it was on an earlier day? */
function baselineOf(r, map) {
	const b = r.baseline;

	if (b?.state !== "differs" && b?.state !== "changed")
		return null;
	return section("baseline", "Baseline", el("p", {
		class: b.state === "differs" ? "bad" : null }, b.text),
	list(b.ranges).length > 0 ? longTable("Bytes to fetch from a backup",
		[["at", "n"], ["bytes", "n"]], list(b.ranges).map(range => [
			Number.isFinite(range.offset)
				? placeLink(map, range.offset, 0) : "–",
			count(range.length)]))
		: null);
}

/* "≈ 3 of camera/front"; or "3 frames", if blocks belong to no channel */
function loss(c) {
	const known = Number.isFinite(c.missing);
	const n = known ? c.missing : c.at_least;
	const about = !known ? "at least " : c.exact ? "" : "≈ ";
	const lost = !known && !(n > 0) ? "?"
		: about + (c.unit ? some(n, c.unit) : count(n));

	return c.unit ? lost : `${lost} of ${c.name ?? `channel ${c.index}`}`;
}

function lostOf(r, map) {
	const gaps = list(r.gaps);
	const open = r.open_end;

	if (gaps.length === 0 && !open)
		return null;
	return section("lost", "What was lost",
		gaps.length > 0 ? longTable("Gaps", [["at", "n"], ["lost bytes", "n"],
			["after", null], ["before", null], ["lasts", "n"],
			["blocks lost", "wide"], ["ask the robot for", null]],
		gaps.map(g => {
			const from = moment(g.before), to = moment(g.after);

			return [placeLink(map, g.offset, g.length), count(g.lost),
				date(from), date(to), from === null || to === null
					? "–" : to < from ? "time steps back"
					: lasting(to - from),
				list(g.channels).map(loss).join(", ") || "–",
				el("code", null, `${g.from ?? ""}-${g.to ?? ""}`)];
		})) : null,
		r.gaps_total > gaps.length ? el("p", null,
			`${count(r.gaps_total - gaps.length)} more are not listed.`)
			: null,
		open ? el("p", { class: "bad" },
			`Open end: nothing is known after ${
				date(moment(open.after))} UTC.`) : null);
}

/* [is it good?, what] */
function proofs(r) {
	const ours = r.history && !r.history.changed
		&& r.history.confirmed === false;
	const sure = {
		digest: [true, ours
			? "Only salvor's own digest confirms every byte."
			: "The log's own digest confirms every byte."],
		"chunk-checksum": [true,
			"Each piece of the data matches its own checksum."],
		structure: [null, "Everything parses and fits together; no digest "
			+ "covers it."],
		none: [false, r.depth === "index"
			? "Only both ends and the index were read."
			: "Nothing confirms it."],
	}[r.assurance];
	const end = {
		proven: [true, "The end of the recording is there, and its "
			+ "digest confirms the rest."],
		known: [true, "The end of the recording is there."],
		unknown: [null, "Where the recording ended is not known."],
	}[r.end];

	return [
		sure, r.format ? end : null,
		r.contradicted && [false, "The digest that the log's writer left "
			+ "covers other bytes than those kept and rebuilt."],
		r.proven && [true, "What was restored matches the digest that the "
			+ "log's writer left: it is back as it was."],
		r.verified && [true, "The result was read again from end to end like "
			+ "any log before it was written, and found sound."],
		r.history && [null, `An earlier repair lost ${
			some(r.history.lost_bytes, "byte")} in ${
			some(r.history.lost_blocks, "block")}.`],
		r.blocks?.unsure > 0 && [false, `${some(r.blocks.unsure,
			"kept block")} may not be what was recorded.`],
		list(r.split).length > 0 && [null, `${some(r.split.length,
			"log")} of another recording ${r.split.length > 1 ? "were"
			: "was"} split off.`],
	].filter(Boolean);
}

function proofOf(r) {
	const out = r.output, own = r.journal;

	return section("proof", "How it was proven",
		el("ul", { class: "proof" }, proofs(r).map(([good, what]) =>
			el("li", { class: good === true ? "yes" : good === false
				? "no" : "so" }, el("span", { class: "unseen" },
				good === true ? "yes: " : good === false ? "no: "
					: "note: "), what))),
		facts([
			["output", out?.path], ["outcome", out?.outcome],
			["its size", out ? `${count(out.size)} bytes` : null],
			["its SHA-1", out?.sha1], ["its SHA-256", out?.sha256 ?? own?.output?.sha256],
			["what it lacks", out?.sidecar],
			["SHA-256 of the input", r.sha256],
			["exit code", own?.result?.exit],
		]));
}

/* The sources of a merge, and other inputs. */
function sourcesOf(r) {
	const rows = list(r.copies).map(c => [c.file, "copy", count(c.size),
		`${count(c.used)} bytes`]);

	if (r.added)
		rows.push([r.added.file, "second recording", "",
			`${some(r.added.blocks, "block")} added, which nothing proves`]);
	if (r.donor)
		rows.push([r.donor.file, "donor", "",
			`${some(r.donor.taken, "declaration")}`]);
	if (r.backup)
		rows.push([r.backup.file, "left by another tool",
			count(r.backup.size), "nothing; it holds more"]);
	return rows.length > 0 ? section("sources", "Other files",
		table("Other files", [["file", "wide"], ["what it is", null],
			["bytes", "n"], ["used of it", null]], rows)) : null;
}

/* The file above, the output below, and the ranges between them. */
function beforeAfter(r) {
	const plan = list(r.plan);
	const out = plan.reduce((n, p) => Math.max(n,
		p.output_offset + p.length), 0);
	const all = Math.max(r.size, out);
	const wide = n => 1000 * n / all;
	const copied = plan.filter(p => p.kind === "copy")
		.reduce((n, p) => n + p.length, 0);
	const band = (offset, length, y, kind) => svg("rect", {
		x: wide(offset), width: Math.max(1, wide(length)), y, height: 14,
		class: `f-${kind}`,
	});

	if (plan.length === 0 || !(all > 0))
		return null;
	return section("plan", "Before and after",
		svg("svg", { class: "plan", viewBox: "0 0 1000 80",
			preserveAspectRatio: "none", role: "img",
			"aria-label": `${count(copied)} bytes copied, ${
				count(out - copied)} made anew` },
		plan.filter(p => p.kind === "copy").slice(0, 4000).map(p => {
			const a = wide(p.input_offset), b = wide(p.output_offset);
			const n = wide(p.length);

			return svg("path", { class: "flow",
				d: `M${a} 14H${a + n}L${b + n} 66H${b}Z` });
		}),
		rangesOf(r).filter(x => x.length > 0).sort((a, b) =>
			Number(fateOf(a) !== "kept") - Number(fateOf(b) !== "kept"))
			.map(x => band(x.offset, x.length, 0, fateOf(x))),
		plan.slice(0, 4000).map(p => band(p.output_offset, p.length, 66,
			p.kind === "copy" ? "kept" : "rebuilt"))),
		facts([
			["before", `${count(r.size)} bytes`],
			["copied", `${count(copied)} bytes`],
			["rebuilt", `${count(out - copied)} bytes`],
			["not used", `${count(Math.max(0, r.size - copied))} bytes`],
			["after", `${count(out)} bytes`],
		]));
}

function rangesTable(r, map) {
	const rows = map.ranges.filter(x => x.fate !== "kept");

	return rows.length > 0 ? el("details", null,
		el("summary", null, `The ${some(rows.length, "range")} that ${
			rows.length > 1 ? "are" : "is"} not kept, as a table`),
		longTable("Ranges that are not kept", [["at", "n"], ["bytes", "n"],
			["fate", null], ["where", "wide"]],
		rows.map(x => [placeLink(map, x.offset, x.length),
			count(x.length), x.fate, placeOf(r, x.offset,
			x.offset + x.length).join(" · ")])))
		: null;
}

/* The whole view of a log. */
function detailOf(report) {
	const map = report.size > 0 && rangesOf(report).length > 0
		? new DamageMap(report) : null;
	const times = new Timeline(report);
	const head = [el("h1", null, String(report.file ?? "a log")),
		el("p", { class: "verdict" }, stateWord(report.state), " ",
			verdict(report))];
	const error = report.error?.text ?? (report.type === "error"
		? report.text : null);

	if (report.short)
		return el("article", { class: "log" }, head, aboutLog(report),
			el("p", { class: "advice" }, "No findings. This page is of "
				+ "many logs and leaves out the rest of this report: "
				+ "\"salvor verify --html PAGE FILE\" shows it."));
	return el("article", { class: "log" }, head,
		error ? el("p", { class: "bad" }, error) : null,
		report.advice ? el("p", { class: "advice" }, report.advice) : null,
		aboutLog(report),
		map ? section("map", "Damage map", map.node,
			rangesTable(report, map)) : null,
		times.known ? section("times", "Channels over time", times.build(),
			report.timeline?.channels_left_out > 0 ? el("p", null,
				`Of ${count(report.timeline.channels_left_out)} channels `
				+ "the counts are not told.") : null) : null,
		baselineOf(report, map), policyOf(report, map), problemsOf(report, map),
		lostOf(report, map),
		report.type === "error" ? null : proofOf(report),
		sourcesOf(report),
		beforeAfter(report),
		el("details", { class: "raw", ontoggle: e => {
			const pre = e.target.querySelector("pre");

			if (!pre.firstChild)
				pre.append(visibleJson(report));
		} }, el("summary", null, "The report itself, as JSON"),
		el("pre", { tabindex: "0" })));
}
