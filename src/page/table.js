/* table.js - many logs: totals, and a table to sort and filter.
 *
 * Only visible rows are elements. */

/* Members of a row, as row.c writes them. */
const ROW = ["file", "state", "format", "robot", "size", "lost", "rebuilt",
	"foreign", "kept", "lostBlocks", "problems", "first", "last", "job",
	"policy", "rules", "baseline"];

const HIGH = 25; /* pixels per row */
const SPARE = 12; /* rows above and below the visible ones */
const ORDER = ["failed", "unrecoverable", "damaged", "lossy", "cancelled",
	"active", "unsupported", "repaired", "unrecognised", "indexed", "intact"];

/* A link to the log; the end of its path stays visible. */
function fileLink(r) {
	const path = String(r.file ?? "–");
	const at = path.lastIndexOf("/") + 1;

	return el("a", { href: `#log-${r.i}` },
		el("span", { class: "dir" }, path.slice(0, at)),
		el("span", { class: "base" }, path.slice(at)));
}

/* A word for bad news, perhaps with a reason, or for none. */
function badWord(word, bad, why) {
	return word === bad ? el("b", { class: "bad", title: why }, word)
		: word ?? "";
}

/* Columns for logs with rules or with a baseline. */
const OPTIONAL = ["policy", "baseline"];

/* [key of the column, title, class, content of a cell] */
const COLUMNS = [
	["state", "state", null, r => stateWord(r.state)],
	["policy", "policy", null, r => badWord(r.policy, "fail",
		r.rules.join("\n") || null)],
	["baseline", "baseline", null, r => badWord(r.baseline, "differs",
		"bytes changed by themselves")],
	["file", "file", "wide", r => fileLink(r)],
	["format", "format", null, r => r.format ?? "–"],
	["robot", "robot", "name", r => r.robot ?? ""],
	["size", "size", "n", r => size(r.size)],
	["lost", "lost", "n", r => r.lost > 0 ? el("b", { class: "bad" },
		size(r.lost)) : ""],
	["part", "of it", "n", r => r.lost > 0 ? percent(r.lost, r.size) : ""],
	["kept", "blocks", "n", r => r.kept > 0 ? count(r.kept) : ""],
	["lostBlocks", "missing", "n", r => r.lostBlocks > 0 ? el("b",
		{ class: "bad" }, count(r.lostBlocks)) : ""],
	["problems", "findings", "n", r => r.problems > 0
		? count(r.problems) : ""],
	["start", "begins, UTC", null, r => r.start === null ? ""
		: date(r.start, 0)],
	["lasting", "lasts", "n", r => r.lasting === null ? ""
		: lasting(r.lasting)],
];

const LOSSES = [["any loss", () => true], ["something lost", r => r.lost > 0
	|| r.lostBlocks > 0], ["over 0.1 %", r => r.part > 0.001],
["over 1 %", r => r.part > 0.01], ["over 10 %", r => r.part > 0.1],
["nothing lost", r => !(r.lost > 0 || r.lostBlocks > 0)]];

function readRow(members, i) {
	const row = { i };

	ROW.forEach((name, k) => {
		row[name] = members[k];
	});
	row.part = row.size > 0 ? (row.lost ?? 0) / row.size : 0;
	row.start = moment(row.first);
	row.lasting = row.start === null ? null : moment(row.last) - row.start;
	row.rules = Array.isArray(row.rules) ? row.rules : [];
	row.rank = ORDER.indexOf(row.state);
	row.text = `${row.file}\n${row.robot ?? ""}`.toLowerCase();
	return row;
}

const ALPHABET = new Intl.Collator("en", { numeric: true });

function compare(key, a, b) {
	const x = key === "state" ? a.rank : a[key];
	const y = key === "state" ? b.rank : b[key];

	if (typeof x === "number" && typeof y === "number")
		return x - y;
	if (x === null || x === undefined || y === null || y === undefined)
		return Number(y !== null && y !== undefined)
			- Number(x !== null && x !== undefined);
	return ALPHABET.compare(x, y);
}

class LogTable {
	constructor(rows, sets) {
		this.all = rows;
		this.sets = sets;
		this.byFile = new Map(rows.map(r => [r.file, r]));
		for (const s of sets) {
			for (const f of list(s.files)) {
				const row = this.byFile.get(f.file);

				if (row)
					row.set = nameOfSet(s);
			}
		}
		this.states = new Set();
		this.only = null;
		this.key = "state";
		this.up = true;
		this.sorted = this.all;
		this.columns = COLUMNS.filter(([key]) => !OPTIONAL.includes(key)
			|| rows.some(r => r[key]));
		this.build();
		this.sort();
		new ResizeObserver(() => this.draw()).observe(this.view);
		addEventListener("beforeprint", () => this.draw(true));
		addEventListener("afterprint", () => this.draw());
	}

	build() {
		const changed = () => this.filter();

		this.search = el("input", { type: "search", id: "search",
			placeholder: "file or robot", "aria-label": "File or robot",
			oninput: changed });
		this.format = this.choice("Format", "format", changed);
		this.robot = this.choice("Robot", "robot", changed);
		/* A list of all sets would be long, and would be laid out at
		 * once. */
		this.set = el("button", { type: "button", id: "set", hidden: true,
			title: "show all logs again",
			onclick: () => this.choose(null) });
		this.policy = this.choice("Policy", "policy", changed);
		this.policy.append(...[...new Set(this.all.flatMap(r => r.rules))]
			.sort(ALPHABET.compare).map(rule =>
				el("option", { value: `!${rule}` }, `breaks ${rule}`)));
		this.baseline = this.choice("Baseline", "baseline", changed);
		this.loss = el("select", { "aria-label": "Loss", id: "loss",
			onchange: changed }, LOSSES.map(([name], i) =>
			el("option", { value: i }, name)));
		this.found = el("p", { class: "found", role: "status" });
		this.heads = this.columns.map(([key, title, kind]) => el("th", {
			scope: "col", class: kind, "data-key": key,
		}, el("button", { type: "button", onclick: () => this.by(key) },
			title)));
		this.body = el("tbody");
		this.grid = el("table", { "aria-rowcount": this.all.length + 1 },
			el("caption", { class: "unseen" }, "Logs"),
			el("thead", null, el("tr", { "aria-rowindex": 1 }, this.heads)),
			this.body);
		this.view = el("div", { class: "view", tabindex: "-1",
			onscroll: () => {
				this.top = this.view.scrollTop;
				this.draw();
			}, onclick: e => this.click(e),
			onkeydown: e => this.press(e) }, this.grid);
		this.node = el("article", { class: "logs" },
			el("h1", null, some(this.all.length, "log")),
			this.totals(),
			el("form", { class: "bar", role: "search",
				onsubmit: e => e.preventDefault() },
			this.search, this.format, this.robot, this.set, this.policy,
			this.baseline, this.loss, this.found),
			this.view,
			setsOf(this.sets, file => this.byFile.get(file),
				set => this.choose(set)) ?? "");
	}

	/* A choice of the values in a column. */
	choice(title, key, changed) {
		const values = [...new Set(this.all.map(r => r[key] ?? ""))]
			.sort(ALPHABET.compare);

		return el("select", { "aria-label": title, id: key,
			onchange: changed, hidden: values.length < 2 },
		el("option", { value: "*" }, `any ${key}`),
		values.map(v => el("option", { value: `=${v}` },
			v || `no ${key}`)));
	}

	/* Only logs of a set, or null: all. */
	choose(set) {
		this.only = set;
		this.set.hidden = set === null;
		this.set.textContent = `${visible(set)} ×`;
		this.filter();
		this.node.scrollIntoView();
		(set === null ? this.search : this.set).focus(
			{ preventScroll: true });
	}

	/* How many logs have each state, and the bytes of each fate. */
	totals() {
		const sum = key => this.all.reduce((n, r) => n + (r[key] ?? 0), 0);
		const counts = new Map();

		for (const r of this.all)
			counts.set(r.state, (counts.get(r.state) ?? 0) + 1);
		const states = [...counts.entries()].sort((a, b) =>
			ORDER.indexOf(a[0]) - ORDER.indexOf(b[0]));
		let at = 0;

		return el("div", { class: "totals" },
			svg("svg", { class: "whole", viewBox: "0 0 1000 10",
				preserveAspectRatio: "none", "aria-hidden": "true" },
			states.map(([state, n]) => {
				const x = at;

				at += 1000 * n / this.all.length;
				return svg("rect", { x, y: 0, height: 10,
					width: Math.max(2, at - x - 1),
					class: `b-${ORDER.includes(state) ? state
						: "failed"}` });
			})),
			el("div", { class: "states", role: "group",
				"aria-label": "Show only logs of these states" },
			states.map(([state, n]) => el("button", {
				type: "button", "aria-pressed": "false",
				"data-state": state,
				onclick: e => this.toggle(e.currentTarget, state),
			}, stateWord(state), " ", el("b", null, count(n))))),
			facts([
				["in all", size(sum("size"))],
				["lost", `${size(sum("lost"))} (${
					percent(sum("lost"), sum("size"))})`],
				["rebuilt", size(sum("rebuilt"))],
				["of other recordings", size(sum("foreign"))],
				["blocks kept", count(sum("kept"))],
				["blocks lost", count(sum("lostBlocks"))],
				["findings", count(sum("problems"))],
				["break the rules", this.told("policy", "fail")],
				["not what they were", this.told("baseline", "differs")],
				["sets not complete", setsLink(this.sets)],
			]));
	}

	/* How many logs have the value in an optional column; null: there is no
	 * such column. */
	told(key, value) {
		return this.all.some(r => r[key])
			? count(this.all.filter(r => r[key] === value).length) : null;
	}

	toggle(button, state) {
		const on = !this.states.delete(state);

		if (on)
			this.states.add(state);
		button.setAttribute("aria-pressed", String(on));
		this.filter();
	}

	/* Sort by a column; on repetition in reverse. */
	by(key) {
		const text = ["state", "policy", "baseline", "file", "format",
			"robot", "start"];

		this.up = this.key === key ? !this.up : text.includes(key);
		this.key = key;
		this.sort();
		say(`sorted by ${key}, ${this.up ? "up" : "down"}`);
	}

	sort() {
		const sign = this.up ? 1 : -1;

		this.sorted = [...this.all].sort((a, b) =>
			sign * compare(this.key, a, b) || b.lost - a.lost || a.i - b.i);
		for (const head of this.heads) {
			if (head.dataset.key === this.key)
				head.setAttribute("aria-sort", this.up ? "ascending"
					: "descending");
			else
				head.removeAttribute("aria-sort");
		}
		this.filter();
	}

	filter() {
		const words = this.search.value.toLowerCase().split(/\s+/)
			.filter(Boolean);
		const is = (choice, value) => choice.value === "*"
			|| choice.value === `=${value ?? ""}`;
		const loses = LOSSES[Number(this.loss.value)][1];

		this.rows = this.sorted.filter(r =>
			(this.states.size === 0 || this.states.has(r.state))
			&& is(this.format, r.format) && is(this.robot, r.robot)
			&& (this.only === null || r.set === this.only)
			&& is(this.baseline, r.baseline)
			&& (is(this.policy, r.policy)
				|| r.rules.includes(this.policy.value.slice(1))
				&& this.policy.value[0] === "!")
			&& loses(r) && words.every(w => r.text.includes(w)));
		this.found.textContent = this.rows.length === this.all.length ? ""
			: `${count(this.rows.length)} of ${count(this.all.length)}`;
		this.view.scrollTop = 0;
		this.drawn = null;
		this.draw();
	}

	/* Make the visible rows, or, for a printer, all. */
	draw(all = false) {
		const from = all ? 0 : Math.max(0,
			Math.floor(this.view.scrollTop / HIGH) - SPARE);
		const to = all ? this.rows.length : Math.min(this.rows.length,
			from + Math.ceil((this.view.clientHeight || 600) / HIGH)
			+ 2 * SPARE);
		const drawn = `${from}-${to}`;
		const room = n => {
			const row = el("tr", { class: "room", "aria-hidden": "true" },
				el("td", { colspan: this.columns.length }));

			row.style.height = `${n * HIGH}px`;
			return n > 0 ? row : null;
		};

		if (drawn === this.drawn)
			return;
		const held = this.body.contains(document.activeElement)
			? document.activeElement.getAttribute("href") : null;

		this.drawn = drawn;
		this.body.replaceChildren(...[room(from),
			...this.rows.slice(from, to).map((r, k) => this.line(r,
				from + k)), room(this.rows.length - to)].filter(Boolean));
		if (held)
			this.body.querySelector(`a[href="${held}"]`)
				?.focus({ preventScroll: true });
	}

	line(r, k) {
		return el("tr", { "aria-rowindex": k + 2, "data-k": k },
			this.columns.map(([, , kind, show]) => el("td", {
				class: kind,
				title: kind === "wide" || kind === "name"
					? String((kind === "wide" ? r.file : r.robot) ?? "")
					: null,
			}, show(r))));
	}

	click(e) {
		const row = e.target.closest("tr[data-k]");

		if (row && !e.target.closest("a") && getSelection().isCollapsed)
			location.hash = `log-${this.rows[Number(row.dataset.k)].i}`;
	}

	press(e) {
		const row = e.target.closest("tr[data-k]");
		const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 20,
			PageUp: -20 }[e.key];

		if (!row || !by)
			return;
		e.preventDefault();
		const k = Math.min(this.rows.length - 1,
			Math.max(0, Number(row.dataset.k) + by));
		const top = k * HIGH, high = this.view.clientHeight - 2 * HIGH;

		if (top < this.view.scrollTop)
			this.view.scrollTop = top;
		else if (top > this.view.scrollTop + high)
			this.view.scrollTop = top - high;
		this.draw();
		this.body.querySelector(`tr[data-k="${k}"] a`)
			?.focus({ preventScroll: true });
	}

	/* It is shown again, at its last position. */
	back() {
		this.view.scrollTop = this.top ?? 0;
		this.drawn = null;
		this.draw();
		this.body.querySelector(`a[href="#log-${this.opened}"]`)
			?.focus({ preventScroll: true });
	}

	/* The log before or after one, in the order of the table; or
	 * undefined. */
	beside(i, by) {
		const k = this.rows.findIndex(r => r.i === i);

		return k < 0 ? undefined : this.rows[k + by];
	}
}
