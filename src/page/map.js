/* map.js - the damage map: the fate of every byte.
 *
 * The strip shows a window of the file, the thin one above it the whole file
 * and the window.  What is not kept is never too thin to be seen, however small
 * a part of the file it is. */

const LEAST = 2; /* pixels */
const HEIGHT = 56;
const MARKS = 12; /* pixels above the strip, for findings */

/* The ranges of a report; if it has none, ranges made from its gaps. */
function rangesOf(report) {
	const told = list(report.ranges).filter(r => r.length > 0);
	const out = [];
	let at = 0;

	if (told.length > 0)
		return told;
	for (const gap of list(report.gaps)) {
		if (gap.offset > at)
			out.push({ offset: at, length: gap.offset - at, fate: "kept" });
		if (gap.length > 0)
			out.push({ offset: gap.offset, length: gap.length,
				fate: "lost" });
		at = Math.max(at, gap.offset + gap.length);
	}
	if (report.size > at && out.length > 0)
		out.push({ offset: at, length: report.size - at, fate: "kept" });
	return out;
}

/* The fate to draw: for a shared range the worst one. */
function fateOf(range) {
	if (range.fate !== "mixed")
		return Object.hasOwn(FATES, range.fate) ? range.fate : "mixed";
	return ["lost", "foreign", "rebuilt", "filler"].find(f => range[f] > 0)
		?? "kept";
}

/* What is known about [from, to): times and names of channels. */
function placeOf(report, from, to) {
	const all = list(report.timeline?.parts);
	const part = offset => Math.min(all.length - 1,
		Math.floor(offset / report.size * all.length));
	const gap = list(report.gaps).find(g => from >= g.offset
		&& from < g.offset + g.length);
	const names = new Map(list(report.channels).map(c => [c.index, c.name]));
	const nameOf = i => names.get(i) ?? `channel ${i}`;

	if (gap)
		return [`between ${clock(moment(gap.before))} and ${
			clock(moment(gap.after))}`,
		...list(gap.channels).slice(0, 3).map(c => nameOf(c.index))];

	const began = moment(report.timeline?.from);
	const parts = all.slice(part(from), part(to - 1) + 1)
		.filter(p => Number.isFinite(p.earliest));
	const indexes = parts.flatMap(p => Array.isArray(p.channels)
		? p.channels : []);

	if (parts.length === 0 || began === null)
		return [];
	const first = parts.reduce((n, p) => Math.min(n, p.earliest), Infinity);
	const last = parts.reduce((n, p) => Math.max(n, p.latest), -Infinity);

	return [`${clock(began + first / 1000)} to ${
		clock(began + last / 1000)}`,
	...[...new Set(indexes)].slice(0, 3).map(nameOf)];
}

class DamageMap {
	constructor(report) {
		this.report = report;
		this.size = report.size;
		this.ranges = rangesOf(report);
		this.problems = list(report.problems);
		this.from = 0;
		this.to = this.size;
		this.cursor = 0; /* the selected range */
		this.build();
		new ResizeObserver(() => this.draw()).observe(this.strip);
	}

	build() {
		const key = (label, title, act) => el("button", {
			type: "button", "aria-label": title, title, onclick: act,
		}, label);

		this.whole = svg("svg", { class: "whole", "aria-hidden": "true",
			preserveAspectRatio: "none", viewBox: `0 0 1000 10` });
		this.strip = svg("svg", { class: "strip", "aria-hidden": "true" });
		this.axis = el("div", { class: "axis", "aria-hidden": "true" });
		this.readout = el("output", { class: "readout", id: "map-readout" });
		this.box = el("div", {
			class: "map", id: "map-box", tabindex: "0",
			role: "application", "aria-roledescription": "damage map",
			"aria-label": `Map of ${some(this.ranges.length, "range")} of ${
				count(this.size)} bytes; arrow keys step from range to `
				+ "range, plus and minus zoom, 0 shows all",
			"aria-describedby": "map-readout",
			onkeydown: e => this.press(e),
			onwheel: e => this.wheel(e),
			onpointerdown: e => this.grab(e),
			onpointermove: e => this.move(e),
			onpointerleave: () => this.tell(this.cursor),
			onfocus: () => this.tell(this.cursor),
		}, this.whole, this.strip, this.axis);
		this.node = el("div", null,
			el("div", { class: "bar" }, this.legend(),
				el("span", { class: "keys", role: "group",
					"aria-label": "Zoom" },
					key("−", "zoom out", () => this.zoom(2)),
					key("+", "zoom in", () => this.zoom(0.5)),
					key("all", "show all of the file",
						() => this.show(0, this.size)))),
			this.box, this.readout);
		this.whole.addEventListener("pointerdown", e => {
			const at = across(e, this.whole) * this.size;
			const half = (this.to - this.from) / 2;

			e.stopPropagation();
			this.show(at - half, at + half);
		});
		this.tell(this.worst());
	}

	/* The total of each fate; a press selects its next range. */
	legend() {
		const bytes = this.report.bytes ?? {};

		return el("span", { class: "legend" }, Object.keys(FATES)
			.filter(f => bytes[f] > 0)
			.map(f => el("button", {
				type: "button", class: "fate", title: FATES[f],
				onclick: () => this.next(f),
			}, this.swatch(f), ` ${f} `, el("b", null, count(bytes[f])),
			` ${percent(bytes[f], this.size)}`)));
	}

	swatch(fate) {
		return svg("svg", { class: "swatch", width: 10, height: 10,
			"aria-hidden": "true" },
		svg("rect", { width: 10, height: 10, class: `f-${fate}` }));
	}

	/* The first range to select. */
	worst() {
		const at = ["lost", "foreign", "rebuilt", "filler"]
			.map(f => this.ranges.findIndex(r => fateOf(r) === f))
			.find(i => i >= 0);

		return at ?? 0;
	}

	show(from, to) {
		const least = Math.min(16, this.size);
		const span = Math.min(this.size, Math.max(least, to - from));

		this.from = Math.min(this.size - span,
			Math.max(0, (from + to - span) / 2));
		this.to = this.from + span;
		this.draw();
	}

	/* Zoom around a place, 0 to 1, which stays where it is. */
	zoom(factor, at = this.anchor()) {
		const span = this.to - this.from;
		const next = Math.min(this.size, Math.max(Math.min(16, this.size),
			span * factor));
		const from = Math.min(this.size - next,
			Math.max(0, this.from + (span - next) * at));

		this.from = from;
		this.to = from + next;
		this.draw();
	}

	/* The selected range, if it is in view; else the middle. */
	anchor() {
		const r = this.ranges[this.cursor];
		const at = r ? (r.offset + r.length / 2 - this.from)
			/ (this.to - this.from) : 0.5;

		return at >= 0 && at <= 1 ? at : 0.5;
	}

	/* Bring [offset, offset + length) into view, with space around it. */
	goTo(offset, length) {
		const room = Math.max(length * 4, 64);

		this.show(offset + length / 2 - room, offset + length / 2 + room);
		this.tell(this.at(offset));
	}

	step(i) {
		if (i < 0 || i >= this.ranges.length)
			return;
		const r = this.ranges[i];

		if (r.offset < this.from || r.offset + r.length > this.to)
			this.goTo(r.offset, r.length);
		this.tell(i);
		this.draw();
	}

	/* To the next range of a fate, after the last to the first. */
	next(fate) {
		for (let n = 1; n <= this.ranges.length; n++) {
			const i = (this.cursor + n) % this.ranges.length;

			if (fateOf(this.ranges[i]) === fate) {
				this.goTo(this.ranges[i].offset, this.ranges[i].length);
				return;
			}
		}
	}

	/* The range that holds the offset. */
	at(offset) {
		let low = 0, high = this.ranges.length;

		while (low < high) {
			const mid = (low + high) >> 1;

			if (this.ranges[mid].offset <= offset)
				low = mid + 1;
			else
				high = mid;
		}
		return Math.max(0, low - 1);
	}

	press(e) {
		const acts = {
			ArrowRight: () => this.step(this.cursor + 1),
			ArrowLeft: () => this.step(this.cursor - 1),
			Home: () => this.step(0),
			End: () => this.step(this.ranges.length - 1),
			"+": () => this.zoom(0.5), "=": () => this.zoom(0.5),
			"-": () => this.zoom(2), 0: () => this.show(0, this.size),
			Enter: () => this.goTo(this.ranges[this.cursor].offset,
				this.ranges[this.cursor].length),
		};

		if (e.ctrlKey || e.altKey || e.metaKey
			|| !Object.hasOwn(acts, e.key) || this.ranges.length === 0)
			return;
		e.preventDefault();
		acts[e.key]();
	}

	wheel(e) {
		e.preventDefault();
		if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) {
			const by = (e.deltaX || e.deltaY) / 1000 * (this.to - this.from);

			this.show(this.from + by, this.to + by);
		} else {
			this.zoom(2 ** (e.deltaY / 200), across(e, this.strip));
		}
	}

	grab(e) {
		this.box.setPointerCapture(e.pointerId);
		this.held = { x: e.clientX, from: this.from, to: this.to };
	}

	move(e) {
		const offset = this.from
			+ across(e, this.strip) * (this.to - this.from);

		if (this.held && e.buttons === 1) {
			const by = (this.held.x - e.clientX)
				/ this.strip.clientWidth * (this.to - this.from);

			this.show(this.held.from + by, this.held.to + by);
			return;
		}
		this.held = null;
		this.tellOf(this.drawn?.get(e.target) ?? this.at(offset),
			Math.min(this.size - 1, Math.floor(offset)));
	}

	/* Describe range i, and remember that it is selected. */
	tell(i) {
		const r = this.ranges[i];

		if (!r)
			return;
		this.cursor = i;
		this.tellOf(i, null);
	}

	/* The same for a place in it; null: for all of it. */
	tellOf(i, offset) {
		const r = this.ranges[i];
		const ids = new Set(this.problems.filter(p =>
			p.offset < r.offset + r.length
			&& p.offset + Math.max(1, p.length) > r.offset
			&& fateOf(r) !== "kept").map(p => p.id));

		this.readout.replaceChildren(
			this.swatch(fateOf(r)), ` ${r.fate} `,
			el("b", null, count(r.offset)), " – ",
			el("b", null, count(r.offset + r.length)),
			` (${some(r.length, "byte")})`,
			offset === null ? "" : ` at ${count(offset)}`,
			...[...placeOf(this.report, offset ?? r.offset,
				offset === null ? r.offset + r.length : offset + 1),
				...[...ids].slice(0, 3)].map(w =>
				el("span", { class: "also" }, w)));
	}

	/* Rectangles of the ranges in view, the kept ones first, so that
	 * widened ones are on top. */
	draw() {
		const width = this.strip.clientWidth || 1000;
		const scale = width / (this.to - this.from);
		const x = o => (o - this.from) * scale;
		const shapes = [];

		this.drawn = new Map();
		this.ranges.forEach((r, i) => {
			const end = r.offset + r.length;
			const fate = fateOf(r);

			if (end < this.from || r.offset > this.to)
				return;
			const left = Math.max(-9, x(r.offset));
			const right = Math.min(width + 9, x(end));
			const wide = fate === "kept" ? right - left
				: Math.max(LEAST, right - left);
			const rect = svg("rect", {
				x: left.toFixed(2), y: MARKS, height: HEIGHT - MARKS,
				width: wide.toFixed(2),
				class: `f-${fate}${i === this.cursor ? " here" : ""}`,
			});

			this.drawn.set(rect, i);
			shapes.push([["kept", "filler", "rebuilt", "mixed", "foreign",
				"lost"].indexOf(fate), rect]);
		});
		shapes.sort((a, b) => a[0] - b[0]);
		this.strip.replaceChildren(...shapes.map(s => s[1]),
			...this.marks(x, width));
		this.drawAxis(width);
		this.drawWhole();
	}

	/* A mark for each finding, one for adjacent findings. */
	marks(x, width) {
		const out = [];
		let last = -9;

		for (const p of this.problems) {
			const at = x(p.offset);

			if (at < 0 || at > width || at - last < 4)
				continue;
			last = at;
			out.push(svg("path", {
				d: `M${at.toFixed(1)} ${MARKS - 1}l-4 -7h8z`,
				class: `mark ${p.severity === "note" ? "note" : ""}`,
			}));
		}
		return out;
	}

	drawAxis(width) {
		const wanted = Math.max(2, Math.floor(width / 140));

		this.axis.replaceChildren(...ticks(this.from, this.to, wanted)
			.filter(o => (this.to - o) / (this.to - this.from) > 0.05)
			.map(o => {
				const tick = el("span", null, count(Math.round(o)));

				tick.style.left = `${100 * (o - this.from)
					/ (this.to - this.from)}%`;
				return tick;
			}));
	}

	drawWhole() {
		const scale = 1000 / this.size;
		const bars = this.ranges.filter(r => fateOf(r) !== "kept")
			.map(r => svg("rect", {
				x: r.offset * scale, y: 0, height: 10,
				width: Math.max(1.5, r.length * scale),
				class: `f-${fateOf(r)}`,
			}));

		this.whole.replaceChildren(
			svg("rect", { width: 1000, height: 10, class: "f-kept" }),
			...bars,
			svg("rect", { class: "window", x: this.from * scale, y: 0.5,
				width: Math.max(2, (this.to - this.from) * scale),
				height: 9 }));
	}
}
