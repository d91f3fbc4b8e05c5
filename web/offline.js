/* offline.js - the service worker: keeps the page for when there is no network.
 *
 * The page is one file.  A new one has another DIGEST, so that browsers fetch it. */
const MINE = `salvor ${registration.scope} `;
const NAME = `${MINE}@DIGEST@`;
const PAGE = new URL("./", registration.scope).href;
const NAMES = [PAGE, new URL("index.html", PAGE).href];

addEventListener("install", event => event.waitUntil((async () => {
	await (await caches.open(NAME)).add(new Request(PAGE, { cache: "reload" }));
	await skipWaiting();
})()));

addEventListener("activate", event => event.waitUntil((async () => {
	for (const name of await caches.keys()) {
		if (name.startsWith(MINE) && name !== NAME)
			await caches.delete(name);
	}
	await clients.claim();
})()));

/* The page and nothing else that is on the server. */
addEventListener("fetch", event => {
	const asked = event.request.url.split(/[?#]/u)[0];

	if (event.request.mode === "navigate" && NAMES.includes(asked))
		event.respondWith((async () => await (await caches.open(NAME))
			.match(PAGE) ?? fetch(event.request))());
});
