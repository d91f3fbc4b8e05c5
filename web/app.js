/* app.js - the page: logs come in, one of their reports is shown. */

const LIST = document.getElementById("list");
const entries = [];

/* The code of the library, which the page carries. */
function partOf(id) {
	const node = document.getElementById(id);
	const text = node.textContent;

	node.remove();
	return text;
}

/* The bytes of gzip in base64. */
function unpacked(text) {
	const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));

	return new Response(new Blob([bytes]).stream()
		.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

function startLibrary() {
	const code = URL.createObjectURL(new Blob([partOf("worker")],
		{ type: "text/javascript" }));

	salvor.configure({
		wasm: unpacked(partOf("wasm")),
		worker: () => new Worker(code),
		scratch: scratchFolder(),
	});
}

/* Show the report of one, or of none. */
function open(entry) {
	for (const one of entries) {
		if (one === entry || one.open)
			one.show(one === entry);
	}
	document.title = `salvor: ${entry ? visible(entry.name)
		: "repair a damaged robot log"}`;
}

function arrange() {
	const done = entries.filter(e => e.done);

	document.body.classList.toggle("busy", entries.length > 0);
	document.getElementById("logs").hidden = entries.length === 0;
	document.getElementById("logs-h").textContent = some(entries.length, "log");
	document.getElementById("all").hidden = done.length < 2;
	document.getElementById("every").hidden =
		entries.filter(e => e.mends).length < 2;
}

const ON = {
	changed(entry) {
		arrange();
		if (entry.report && (entry.open || entries.length === 1))
			open(entry);
	},
	opened(entry) {
		open(entry.open ? null : entry);
	},
	removed(entry) {
		entries.splice(entries.indexOf(entry), 1);
		entry.node.remove();
		if (entry.open)
			open(null);
		arrange();
		document.getElementById("choose").focus();
		say(`${entry.name} is off the list; the file stays.`);
	},
};

function take(files) {
	document.getElementById("trouble").hidden = true;
	for (const file of files) {
		const entry = new Entry(file, ON);

		entries.push(entry);
		LIST.append(entry.node);
		entry.verify();
	}
	if (files.length > 0)
		say(`${some(files.length, "log")} to check.`);
	arrange();
}

async function pageOfAll() {
	const done = entries.filter(e => e.done).map(e => e.done);

	try {
		const { blob } = await salvor.reportPage(done);

		await save("salvor.report.html", blob);
		say(`Wrote a page of ${some(done.length, "report")}.`);
	} catch (e) {
		complain(`The page cannot be written: ${e.message}`);
	}
}

/* Where the page is on a server, the browser keeps it for when there is none. */
async function keepPage() {
	const script = document.documentElement.dataset.offline;
	const said = document.getElementById("offline");

	if (!script || !navigator.serviceWorker)
		return;
	try {
		await navigator.serviceWorker.register(script);
		await navigator.serviceWorker.ready;
		said.textContent = "works offline";
	} catch {
		/* It works without, but not offline. */
	}
}

function start() {
	const not = missing();

	document.getElementById("about").textContent =
		document.documentElement.dataset.version;
	if (not !== null) {
		document.getElementById("needs").textContent = not;
		return;
	}
	startLibrary();
	document.getElementById("needs").remove();
	document.getElementById("app").hidden = false;
	folderButton(document.getElementById("folder"));
	document.getElementById("all").addEventListener("click", pageOfAll);
	document.getElementById("every").addEventListener("click", () =>
		entries.filter(e => e.mends).forEach(e => e.repair()));
	listen(take);
	addEventListener("beforeunload", e => {
		if (entries.some(one => one.stop))
			e.preventDefault();
	});
	keepPage();
}

start();
