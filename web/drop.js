/* drop.js - logs that are chosen, or dropped anywhere on the page. */

/* The files of a folder that was dropped. */
async function filesIn(entry) {
	if (entry.isFile)
		return [await new Promise((ok, bad) => entry.file(ok, bad))];
	const reader = entry.createReader();
	const found = [];

	/* It gives some at a time. */
	for (;;) {
		const some = await new Promise((ok, bad) =>
			reader.readEntries(ok, bad));

		if (some.length === 0)
			break;
		found.push(...some);
	}
	return (await Promise.all(found.map(filesIn))).flat();
}

/* What was dropped is gone once this has waited for anything. */
function dropped(transfer) {
	const items = [...transfer.items].filter(i => i.kind === "file");

	return Promise.all(items.map(item => {
		const entry = item.webkitGetAsEntry?.();

		return entry?.isDirectory ? filesIn(entry) : item.getAsFile();
	}));
}

/* Call take() with files. */
function listen(take) {
	const choose = document.getElementById("choose");
	const over = on => document.body.classList.toggle("over", on);

	choose.addEventListener("change", () => {
		take([...choose.files]);
		choose.value = ""; /* the same file can be chosen again */
	});
	addEventListener("dragover", e => {
		e.preventDefault();
		over(true);
	});
	addEventListener("dragleave", e => over(e.relatedTarget !== null));
	addEventListener("drop", async e => {
		e.preventDefault();
		over(false);
		try {
			take((await dropped(e.dataTransfer)).flat());
		} catch (error) {
			complain(`What was dropped cannot be read: ${error.message}. `
				+ "Choose the files instead.");
		}
	});
}
