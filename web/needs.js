/* needs.js - what a browser must have. */

/* The smallest module; a policy can forbid to compile it. */
const NO_MODULE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);

function compiles() {
	try {
		return new WebAssembly.Module(NO_MODULE) !== null;
	} catch {
		return false;
	}
}

/* [what it is called, is it there?] */
const NEEDS = [
	["WebAssembly", () => typeof WebAssembly === "object" && compiles()],
	["workers", () => typeof Worker === "function"],
	["64-bit numbers (BigInt)", () => typeof BigInt === "function"
		&& typeof BigInt64Array === "function"],
	["DecompressionStream", () => typeof DecompressionStream === "function"],
	["files that are read in ranges (Blob)", () => typeof Blob === "function"
		&& typeof Blob.prototype.slice === "function"],
];

/* A sentence that names what is missing and what works without it; null:
 * everything is there. */
function missing() {
	const not = NEEDS.filter(([, there]) => !there()).map(([name]) => name);

	return not.length === 0 ? null : `This browser has no ${not.join(", no ")}, `
		+ "or has it switched off: this page cannot read logs here. "
		+ "Another browser can, and so can the program on the command line: "
		+ "\"salvor FILE\".";
}
