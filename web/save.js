/* save.js - outputs become files: downloads, or files of a folder.
 *
 * Neither replaces a file: a browser finds a free name for a download, and in a
 * folder what is there stays. */

let folder = null; /* a FileSystemDirectoryHandle that was chosen, or null */

/* So long a download may take to begin, in milliseconds. */
const BEGIN = 60000;

/* Something that belongs to no log went wrong: for eyes and ears. */
function complain(text) {
	const node = document.getElementById("trouble");

	node.textContent = visible(text);
	node.hidden = false;
	say(text);
}

function download(name, blob) {
	const url = URL.createObjectURL(blob);

	el("a", { href: url, download: name }).click();
	setTimeout(() => URL.revokeObjectURL(url), BEGIN);
}

async function isThere(name) {
	try {
		await folder.getFileHandle(name);
		return true;
	} catch (e) {
		if (e.name === "NotFoundError")
			return false;
		throw e;
	}
}

/* It appears complete, or not at all. */
async function intoFolder(name, blob, signal) {
	if (await isThere(name))
		throw new Error(`"${name}" exists in the folder "${folder.name}" and `
			+ "stays as it is: choose another folder, or move it away");
	const file = await folder.getFileHandle(name, { create: true });

	try {
		await blob.stream().pipeTo(await file.createWritable(), { signal });
	} catch (e) {
		await folder.removeEntry(name);
		throw e;
	}
}

/* Where it went, for people. */
async function save(name, blob, signal) {
	if (folder === null) {
		download(name, blob);
		return "as a download";
	}
	await intoFolder(name, blob, signal);
	return `into the folder "${folder.name}"`;
}

/* A button that chooses a folder, or goes back to downloads.  Not every browser
 * has such folders. */
function folderButton(button) {
	const word = button.textContent;

	button.hidden = typeof showDirectoryPicker !== "function";
	button.addEventListener("click", async () => {
		try {
			folder = folder !== null ? null
				: await showDirectoryPicker({ mode: "readwrite" });
		} catch (e) {
			if (e.name !== "AbortError")
				complain(`The folder cannot be used: ${e.message}`);
			return;
		}
		button.textContent = folder === null ? word
			: `Saves to "${visible(folder.name)}" ×`;
		say(folder === null ? "Outputs are downloads."
			: `Outputs go to the folder ${folder.name}.`);
	});
}
