/* times.js - each channel over time: how many messages when, and the gaps.
 *
 * Without counts in the report (--timeline) a channel is a line from its first
 * message to its last. */

const CHART = 22; /* units of height; the top one stays free */

/* The gaps as spans of time; null ends are open. */
function gapSpans(report) {
	return list(report.gaps).map(g => ({
		from: moment(g.before), to: moment(g.after), gap: g,
		channels: new Map(list(g.channels).map(c => [c.index, c])),
	})).filter(g => g.from !== null || g.to !== null);
}

class Timeline {
	constructor(report) {
		const line = report.timeline ?? null;
		const from = moment(line?.from) ?? moment(report.time?.first);

		this.report = report;
		this.channels = list(report.channels);
		this.counts = new Map(list(line?.channels).map(c =>
			[c.index, Array.isArray(c.counts) ? c.counts : []]));
		this.steps = Math.max(1, ...[...this.counts.values()]
			.map(c => c.length));
		this.step = line ? line.step / 1e6 : 0;
		this.from = from;
		this.to = line ? from + this.step * this.steps
			: moment(report.time?.last);
		this.gaps = gapSpans(report);
		this.cursor = null; /* 0 to 1 */
		this.row = 0;
	}

	/* Is there anything to draw? */
	get known() {
		return this.from !== null && this.to !== null
			&& this.channels.length > 0;
	}

	/* A moment as a fraction of the axis. */
	place(ms) {
		return this.to > this.from
			? (ms - this.from) / (this.to - this.from) : 0.5;
	}

	build() {
		const head = ["channel", "messages", "rate", "lost"];

		this.readout = el("output", { class: "readout", id: "time-readout" },
			"\u00a0");
		this.charts = this.channels.map(c => this.chart(c));
		this.body = el("tbody", null, this.channels.map((c, i) =>
			this.line(c, i)));
		this.node = el("div", null, el("div", {
			class: "times scroll", tabindex: "0", role: "region",
			id: "times-box",
			"aria-label": "Channels over time; arrow keys move through "
				+ "time and channels",
			"aria-describedby": "time-readout",
			onkeydown: e => this.press(e),
			onpointermove: e => this.move(e),
		}, el("table", null,
			el("caption", { class: "unseen" }, "Channels over time"),
			el("thead", null, el("tr", null,
				el("th", { scope: "col" }, head[0]),
				el("th", { scope: "col", class: "n" }, head[1]),
				el("th", { scope: "col", class: "n" }, head[2]),
				el("th", { scope: "col", class: "n" }, head[3]),
				el("th", { scope: "col", class: "chart" },
					el("span", { class: "unseen" }, "over time"),
					this.axis()))),
			this.body)), this.readout);
		return this.node;
	}

	axis() {
		const box = el("div", { class: "axis", "aria-hidden": "true" });
		const span = this.to - this.from;
		const days = new Date(this.from).toDateString()
			!== new Date(this.to).toDateString();

		for (const at of ticks(this.from, this.to, 5, TIME_STEPS)) {
			const tick = el("span", null, days && span > 432e5
				? date(at, 0) : clock(at, span < 5000 ? 3 : 0));

			if (this.place(at) > 0.9)
				continue;
			tick.style.left = `${100 * this.place(at)}%`;
			box.append(tick);
		}
		return box;
	}

	line(c, i) {
		const first = moment(c.first), last = moment(c.last);
		const span = first !== null && last !== null ? last - first : null;

		return el("tr", { "data-row": i },
			el("th", { scope: "row" }, c.name ?? `channel ${c.index}`,
				c.type && c.type !== c.name
					? el("span", { class: "type" }, c.type) : null),
			el("td", { class: "n" }, count(c.messages)),
			el("td", { class: "n" }, c.messages > 1
				? rate(c.messages - 1, span) : "–"),
			el("td", { class: "n" }, this.missing(c.index)),
			el("td", { class: "chart" }, this.charts[i]));
	}

	/* What all gaps have cost a channel. */
	missing(index) {
		const of = this.gaps.map(g => g.channels.get(index)).filter(Boolean);
		const sum = of.reduce((n, c) => n + (c.missing ?? c.at_least ?? 0), 0);
		const exact = of.every(c => c.exact);

		if (of.length === 0)
			return "";
		return el("b", { class: "bad" },
			`${exact ? "" : sum > 0 ? "≈ " : "?"}${sum > 0 || exact
				? count(sum) : ""}`);
	}

	chart(c) {
		const counts = this.counts.get(c.index);
		const from = moment(c.first), to = moment(c.last);
		const most = counts ? Math.max(...counts) : 0;
		const node = svg("svg", {
			viewBox: `0 0 240 ${CHART}`, preserveAspectRatio: "none",
			role: "img", "aria-label": `${count(c.messages)} messages, ${
				clock(from)} to ${clock(to)}`,
		});

		for (const g of this.gaps) {
			const left = Math.max(0, g.from === null ? 0
				: this.place(g.from));
			const right = Math.min(1, g.to === null ? 1 : this.place(g.to));

			node.append(svg("rect", {
				x: 240 * left, width: Math.max(1, 240 * (right - left)),
				y: 0, height: CHART,
				class: g.channels.has(c.index) ? "gap" : "gap other",
			}));
		}
		if (most > 0)
			node.append(svg("path", { class: "rate",
				d: this.profile(counts, most) }));
		else if (from !== null && to !== null)
			node.append(svg("rect", {
				class: "rate", x: 240 * this.place(from), y: CHART / 2 - 1,
				width: Math.max(1, 240 * (this.place(to)
					- this.place(from))), height: 2,
			}));
		node.append(svg("path", { class: "cross" }));
		return node;
	}

	/* A step for each count. */
	profile(counts, most) {
		const wide = 240 / this.steps;
		let d = `M0 ${CHART}`;

		counts.forEach((n, i) => {
			const y = n > 0 ? CHART - Math.max(1.5,
				(CHART - 1) * n / most) : CHART;

			d += `L${(i * wide).toFixed(1)} ${y.toFixed(1)}H${
				((i + 1) * wide).toFixed(1)}`;
		});
		return `${d}L240 ${CHART}Z`;
	}

	move(e) {
		const row = e.target.closest("tr[data-row]");
		const chart = row?.querySelector(".chart svg");

		if (chart)
			this.show(across(e, chart), Number(row.dataset.row));
	}

	press(e) {
		const by = { ArrowLeft: -1, ArrowRight: 1 }[e.key] ?? 0;
		const down = { ArrowUp: -1, ArrowDown: 1 }[e.key] ?? 0;

		if ((by === 0 && down === 0) || e.ctrlKey || e.altKey || e.metaKey)
			return;
		e.preventDefault();
		this.show(Math.min(1, Math.max(0, (this.cursor ?? 0)
			+ by / Math.max(this.steps, 60))), this.row + down);
	}

	/* Move the cross hair and describe its place. */
	show(at, row) {
		const i = Math.min(this.channels.length - 1, Math.max(0, row));
		const c = this.channels[i];
		const ms = this.from + at * (this.to - this.from);
		const step = Math.min(this.steps - 1, Math.floor(at * this.steps));
		const n = this.counts.get(c.index)?.[step];
		const gap = this.gaps.find(g => (g.from ?? -Infinity) < ms
			&& ms < (g.to ?? Infinity));

		this.body.children[this.row].classList.remove("here");
		this.body.children[i].classList.add("here");
		this.cursor = at;
		this.row = i;
		for (const chart of this.charts)
			chart.lastChild.setAttribute("d", `M${240 * at} 0V${CHART}`);
		this.readout.replaceChildren(el("b", null, `${date(ms)} UTC`),
			el("span", { class: "also" }, c.name ?? `channel ${c.index}`),
			n === undefined ? "" : el("span", { class: "also" },
				`${some(n, "message")} in ${lasting(this.step)}, ${
					rate(n, this.step)}`),
			gap ? el("span", { class: "also bad" }, `in the gap at ${
				count(gap.gap.offset)}`) : "");
	}
}
