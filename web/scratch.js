/* scratch.js - a folder of the browser for outputs that are too long for memory.
 *
 * Each page has its own, and a lock of that name for as long as it is there.  Pages
 * wait for the locks of others, and remove what those leave. */

const SCRATCH = "salvor";

/* Hold a lock until the page is gone. */
function holdLock(name) {
	return new Promise(held => navigator.locks.request(name, () => {
		held();
		return new Promise(() => {});
	}));
}

/* Remove folders when their pages are gone, now or later. */
async function removeLeft(all) {
	for await (const name of all.keys())
		navigator.locks.request(`${SCRATCH} ${name}`, () =>
			/* Another page that waited may have been first. */
			all.removeEntry(name, { recursive: true }).catch(() => {}));
}

/* The folder; undefined: this browser has none, or none for a page that is a
 * file. */
async function scratchFolder() {
	try {
		const all = await (await navigator.storage.getDirectory())
			.getDirectoryHandle(SCRATCH, { create: true });
		const mine = crypto.randomUUID();

		await removeLeft(all);
		/* Before there is a folder that others could remove. */
		await holdLock(`${SCRATCH} ${mine}`);
		return await all.getDirectoryHandle(mine, { create: true });
	} catch {
		return undefined;
	}
}
