/* words.js - numbers, sizes and times for people.
 *
 * Text of a log is hostile: nothing here or elsewhere makes markup of it. */

/* Controls, line ends, and code points that are invisible or change the order
 * of others, like in the program (report/text/escape.c). */
const INVISIBLE = new RegExp("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}"
	+ "\\p{Default_Ignorable_Code_Point}]", "gu");
const UTF8 = new TextEncoder();

/* A text with those as \xNN, a byte of UTF-8 each, as on a terminal. */
function visible(text) {
	return String(text).replace(INVISIBLE, c => [...UTF8.encode(c)].map(b =>
		`\\x${b.toString(16).toUpperCase().padStart(2, "0")}`).join(""));
}

/* JSON with those as \uNNNN, which is the same JSON. */
function visibleJson(value) {
	return JSON.stringify(value, null, 2).replace(INVISIBLE, c =>
		c === "\n" ? c : c.split("").map(u =>
			`\\u${u.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""));
}

const GROUPS = new Intl.NumberFormat("en-US");

/* 350120 -> "350,120"; anything but a number -> "–". */
function count(n) {
	return Number.isFinite(n) ? GROUPS.format(n) : "–";
}

/* 350120 -> "350 KB", rounded, in powers of 1,000 like in the program. */
function size(bytes) {
	const units = ["B", "KB", "MB", "GB", "TB", "PB"];
	let n = bytes, i = 0;

	if (!Number.isFinite(bytes))
		return "–";
	while (n >= 999.5 && i < units.length - 1) {
		n /= 1000;
		i++;
	}
	return `${i > 0 && n < 9.95 ? n.toFixed(1) : Math.round(n)} ${units[i]}`;
}

/* "1 block", "3 blocks" */
function some(n, what) {
	return `${count(n)} ${what}${n === 1 ? "" : "s"}`;
}

/* A part of a whole that is never rounded to nothing or to everything. */
function percent(part, whole) {
	const p = whole > 0 ? 100 * part / whole : 0;

	if (p === 0 || p === 100)
		return `${p} %`;
	if (p < 0.01)
		return "< 0.01 %";
	if (p > 99.99)
		return "> 99.99 %";
	return `${p < 1 || p > 99 ? p.toFixed(2) : p.toFixed(1)} %`;
}

/* RFC 3339 -> milliseconds since 1970 with a fraction; null for an invalid
 * time. */
function moment(text) {
	const ms = typeof text === "string"
		? Date.parse(`${text.slice(0, 23)}Z`) : NaN;

	if (!Number.isFinite(ms))
		return null;
	return ms + Number(text.slice(23, 29)) / 1e6;
}

/* "2026-03-01 09:12:04.123" in UTC; digits: of the fraction. */
function date(ms, digits = 3) {
	const at = new Date(Math.floor(ms));

	if (ms === null || Number.isNaN(at.getTime()))
		return "–";
	const iso = at.toISOString();
	return `${iso.slice(0, -14)} ${iso.slice(-13, digits ? digits - 4 : -5)}`;
}

/* The same without the day. */
function clock(ms, digits = 3) {
	return date(ms, digits).replace(/^.* /, "");
}

/* "12.3 s", "19 min 51 s", "3 h 04 min", "2 d 3 h": rounded. */
function lasting(ms) {
	const s = ms / 1000;

	if (ms === null || !Number.isFinite(s) || s < 0)
		return "–";
	if (s < 0.0995)
		return `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
	if (s < 59.95)
		return `${s.toFixed(s < 10 ? 2 : 1)} s`;
	if (s < 3600)
		return `${Math.floor(s / 60)} min ${Math.floor(s % 60)} s`;
	if (s < 86400)
		return `${Math.floor(s / 3600)} h ${Math.floor(s % 3600 / 60)} min`;
	return `${count(Math.floor(s / 86400))} d ${
		Math.floor(s % 86400 / 3600)} h`;
}

/* "9.98 Hz": n messages in a span. */
function rate(n, ms) {
	const hz = ms > 0 ? 1000 * n / ms : NaN;

	if (!Number.isFinite(hz))
		return "–";
	if (hz === 0)
		return "0 Hz";
	return hz < 0.1 ? `${(60 * hz).toPrecision(2)} /min`
		: `${hz < 100 ? hz.toPrecision(3) : count(Math.round(hz))} Hz`;
}

/* Steps of an axis: about `wanted` round numbers in [from, to].
 *
 *   bases  possible steps, times a power of ten, or a list of all steps */
function ticks(from, to, wanted, steps) {
	const least = (to - from) / wanted;
	const out = [];
	let step;

	if (!(to > from))
		return out;
	if (steps)
		step = steps.find(s => s >= least);
	if (!step) {
		const ten = 10 ** Math.floor(Math.log10(least));

		step = [1, 2, 5, 10].map(n => n * ten).find(s => s >= least);
	}
	for (let at = Math.ceil(from / step) * step; at <= to; at += step)
		out.push(at);
	return out;
}

/* Round steps of time, in milliseconds. */
const TIME_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4,
	15e3, 3e4, 6e4, 12e4, 3e5, 6e5, 9e5, 18e5, 36e5, 72e5, 108e5, 216e5,
	432e5, 864e5];

const STATES = {
	intact: "nothing to do",
	indexed: "both ends and the index agree; nothing else was read",
	repaired: "repaired, or would be; every record in the file is kept",
	lossy: "repaired, or would be; records are lost or in doubt",
	damaged: "damage was found and left",
	unrecoverable: "a log of which nothing can be made",
	unrecognised: "no log that salvor knows",
	unsupported: "a log of a kind that salvor does not write",
	active: "another program was writing it; not judged",
	cancelled: "stopped",
	failed: "the machine failed, or a limit was reached",
};

const FATES = {
	kept: "in the output as it is",
	rebuilt: "rebuilt from the rest",
	lost: "left out; may have held records",
	filler: "left out; never written, or no part of the log",
	foreign: "left out; another recording",
	mixed: "several of these, in too small pieces to be told one by one",
};
