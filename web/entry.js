/* entry.js - a log in the list: its jobs, their progress, and what they wrote. */

const DOING = {
	wait: "waits", start: "starts", read: "reads", search: "searches",
	seal: "computes the digest", prove: "proves the result", write: "writes",
	compare: "compares", save: "saves",
};

/* "drive.bag.active" without the folder */
function baseOf(path) {
	return path.slice(path.lastIndexOf("/") + 1);
}

class Entry {
	/* on: { changed, removed, opened } are called with the entry. */
	constructor(file, on) {
		this.file = file;
		this.name = file.name;
		this.on = on;
		this.done = null; /* result of the last job that came to an end */
		this.repaired = null; /* that of a repair, with its output */
		this.notes = new Map(); /* by what was done: [class, sentence] */
		this.removed = false; /* it is off the list */
		this.stop = null; /* an AbortController while a job runs or waits */
		this.open = false;
		this.head = el("div", { class: "head" });
		this.place = el("div", { class: "report", role: "region",
			"aria-label": `report of ${file.name}` });
		this.place.hidden = true;
		this.node = el("li", { class: "entry" }, this.head, this.place);
	}

	get report() {
		return this.done?.report ?? null;
	}

	/* Is there something that a repair would write? */
	get mends() {
		const r = this.report;

		return !this.stop && r?.repairable && list(r.plan).length === 0
			&& r.needs?.length === 0;
	}

	/* Show its report, or hide it. */
	show(open) {
		this.open = open;
		this.place.hidden = !open;
		this.place.replaceChildren(...open ? [detailOf(this.report)] : []);
		this.draw();
	}

	/* Run a job; what it throws becomes a note.
	 *
	 *   what  for people: "repair"
	 *   work  gets { signal, onProgress }; returns a sentence, or nothing */
	async job(what, work) {
		const stop = this.stop = new AbortController();
		const how = { signal: stop.signal,
			onProgress: p => this.progress(p.phase, p.done, p.total) };
		let said;

		this.notes.delete(what);
		this.draw();
		this.progress("wait");
		try {
			said = await inTurn(stop.signal, () => {
				this.progress("start");
				return work(how);
			});
			if (said)
				this.notes.set(what, ["quiet", said]);
		} catch (e) {
			said = stop.signal.aborted
				? `The ${what} was cancelled; nothing was written.`
				: `The ${what} failed: ${e.message.replace(/\.$/u, "")}.`;
			this.notes.set(what, [stop.signal.aborted ? "quiet" : "bad", said]);
		}
		this.stop = null;
		if (this.removed)
			return;
		this.draw();
		this.on.changed(this);
		say(`${this.name}: ${said ?? `${this.report.state}, ${
			verdict(this.report)}`}`);
	}

	verify() {
		return this.job("check", async how => {
			this.done = await salvor.verify(this.file,
				{ timeline: true, ...how });
		});
	}

	repair() {
		return this.job("repair", async how => {
			const done = await salvor.repair(this.file,
				{ timeline: true, ...how });

			this.done = done;
			if (!done.blob)
				return "Nothing was written.";
			this.repaired = done;
			return this.keep(baseOf(done.report.output.path), done.blob, how);
		});
	}

	exportMcap() {
		return this.job("export", async how => {
			const done = await salvor.exportMcap(this.file, how);

			return this.keep(baseOf(done.report.output.path), done.blob, how);
		});
	}

	/* Save a file; a sentence about it. */
	async write(name, blob, { signal }) {
		this.progress("save");
		return `Wrote ${name}, ${size(blob.size)}, ${
			await save(name, blob, signal)}.`;
	}

	/* The same of a log, beside which the one that was given stays. */
	async keep(name, blob, how) {
		return `${await this.write(name, blob, how)} ${
			this.name} is as it was: both files stay.`;
	}

	/* The report of the last job.  After a repair with losses its name is the
	 * one that salvor looks for beside the repaired log. */
	reportJson() {
		const { lossReport, report, json } = this.done;

		return this.job("report", how => lossReport
			? this.write(baseOf(report.output.sidecar), lossReport, how)
			: this.write(`${this.name}.report.json`,
				new Blob([`${json}\n`]), how));
	}

	reportPage() {
		return this.job("report", async how => {
			const { blob } = await salvor.reportPage([this.done], how);

			return this.write(`${this.name}.report.html`, blob, how);
		});
	}

	remove() {
		this.removed = true;
		this.stop?.abort();
		this.on.removed(this);
	}

	/* The progress of the job, without building anything anew. */
	progress(phase, done = 0, total = 0) {
		if (!this.bar)
			return;
		/* Before the first step it is unknown how long one takes. */
		if (done > 0) {
			this.bar.max = total;
			this.bar.value = Math.min(done, total);
		} else {
			this.bar.removeAttribute("value");
		}
		this.part.textContent = done > 0 ? `${DOING[phase]} · ${
			size(done)} of ${size(total)}` : DOING[phase];
	}

	/* What can be asked for now: [key, label, function, is it the advice?] */
	actions() {
		const r = this.report;

		if (r === null)
			return [["again", "Check again", () => this.verify(), true]];
		return [
			this.mends
				&& ["repair", "Repair", () => this.repair(), true],
			this.repaired && ["save", "Save again", () => this.job("repair",
				how => this.keep(baseOf(this.repaired.report.output.path),
					this.repaired.blob, how))],
			r.format && r.state !== "unsupported"
				&& ["export", "Export MCAP", () => this.exportMcap()],
			["json", "Loss report (JSON)", () => this.reportJson()],
			["page", "Loss report (page)", () => this.reportPage()],
		].filter(Boolean);
	}

	buttons() {
		const close = el("button", { type: "button", class: "close",
			"data-do": "remove", title: "take it off this list; the file stays",
			"aria-label": `take ${this.name} off the list; the file stays`,
			onclick: () => this.remove() }, "×");

		if (this.stop)
			return [el("button", { type: "button", "data-do": "cancel",
				"aria-label": `cancel, ${this.name}`,
				onclick: () => this.stop.abort() }, "Cancel"), close];
		return [...this.actions().map(([key, label, act, first]) => el("button", {
			type: "button", "data-do": key, class: first ? "first" : null,
			"aria-label": `${label}, ${this.name}`, onclick: act }, label)),
		close];
	}

	running() {
		this.bar = el("progress", { "aria-label": `progress of ${this.name}` });
		this.part = el("span", { class: "part" });
		return el("div", { class: "running" }, this.bar, this.part);
	}

	/* What is to be known besides the report. */
	advice() {
		const r = this.report;

		if (this.stop || !r)
			return [];
		return [
			!this.open && ["quiet", verdict(r)],
			r.needs?.length > 0 && ["quiet", `Its repair needs ${
				r.needs.join(" and ")}, which only the program on the command `
				+ "line has."],
			this.done.lossReport && ["quiet", "Keep the loss report (JSON) "
				+ "beside the repaired log: salvor then reports what its "
				+ "repair lost."],
		].filter(Boolean);
	}

	draw() {
		const held = this.head.contains(document.activeElement)
			? document.activeElement.dataset.do : null;

		this.bar = this.part = null;
		this.head.replaceChildren(
			el("span", { class: "is" }, this.report ? stateWord(this.report.state)
				: el("span", { class: "quiet" }, this.stop ? "…" : "not checked")),
			el("div", null, el("button", { type: "button", class: "link name",
				"data-do": "open", "aria-expanded": String(this.open),
				disabled: !this.report,
				onclick: () => this.on.opened(this) }, this.name),
			el("span", { class: "much" }, size(this.file.size))),
			el("p", { class: "do" }, this.buttons()),
			el("div", { class: "notes" },
				[...this.notes.values(), ...this.advice()].map(([kind, text]) =>
					el("p", { class: kind }, text)),
				this.stop ? this.running() : null));
		if (held)
			(this.head.querySelector(`[data-do="${held}"]`)
				?? this.head.querySelector("[data-do=cancel], [data-do=open]"))
				?.focus();
	}
}
