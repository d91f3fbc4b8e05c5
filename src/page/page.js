/* page.js - which log is shown, by the part of the address after "#". */

/* What a large page has of a log without findings. */
function ofRow(row) {
	return { ...row, short: true, bytes: { lost: row.lost },
		blocks: { kept: row.kept },
		time: { first: row.first, last: row.last } };
}

/* The report of log i; its text is parsed on first use. */
function reportOf(i) {
	const text = document.getElementById(`log-${i}`)?.textContent;
	let found;

	if (text === undefined)
		return ROWS[i] ? ofRow(ROWS[i]) : null;

	try {
		found = JSON.parse(text);
	} catch {
		return null;
	}
	if (!found || found.journal === undefined)
		return found;
	const { report, ...own } = found;

	return { state: own.result?.state, ...report, file: own.path,
		journal: own };
}

const INDEX = JSON.parse(document.getElementById("logs").textContent);
const ROWS = INDEX.rows.map(readRow);
const MAIN = document.getElementById("main");
const NAV = document.getElementById("nav");
const SETS = list(INDEX.sets);
const TABLE = ROWS.length === 1 && SETS.length === 0 ? null
	: new LogTable(ROWS, SETS);

function navTo(row, title) {
	return row ? el("a", { href: `#log-${row.i}`, title: String(row.file) },
		title) : null;
}

function show() {
	const i = TABLE ? Number(location.hash.match(/^#log-(\d+)$/)?.[1] ?? -1)
		: 0;
	const report = i >= 0 ? reportOf(i) : null;

	if (!report && TABLE) {
		NAV.replaceChildren();
		MAIN.replaceChildren(TABLE.node);
		TABLE.back();
		document.title = `salvor: ${some(ROWS.length, "log")}`;
		return;
	}
	if (TABLE)
		TABLE.opened = i;
	NAV.replaceChildren(...[
		TABLE && el("a", { href: "#" }, "all logs"),
		navTo(TABLE?.beside(i, -1), "previous"),
		navTo(TABLE?.beside(i, 1), "next"),
	].filter(Boolean));
	MAIN.replaceChildren(report ? detailOf(report)
		: el("p", null, "This report cannot be read."));
	document.title = `salvor: ${visible(report?.file ?? "")}`;
	scrollTo(0, 0);
	if (TABLE)
		MAIN.focus({ preventScroll: true });
}

document.getElementById("about").textContent = INDEX.salvor;
addEventListener("hashchange", show);
show();
