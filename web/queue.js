/* queue.js - so many jobs run at a time, the others wait. */

const AT_ONCE = 2;
let running = 0;
const waiting = []; /* functions that start a job */

/* Run a job when it is its turn; never, if the signal comes first. */
async function inTurn(signal, job) {
	if (running >= AT_ONCE)
		await new Promise((start, stop) => {
			waiting.push(start);
			signal.addEventListener("abort", () => {
				const i = waiting.indexOf(start);

				if (i >= 0) {
					waiting.splice(i, 1);
					stop(signal.reason);
				}
			});
		});
	else
		running++;
	try {
		return await job();
	} finally {
		/* One that waits takes the place. */
		if (waiting.length > 0)
			waiting.shift()();
		else
			running--;
	}
}
