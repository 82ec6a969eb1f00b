// Imports the module named on the command line, if any; prints the time in milliseconds, and the memory in use in MiB.

// A global, because importing it would cost as much as some of the measured modules.
const { process } = globalThis;
const started = performance.now();
if (process.argv[2] !== undefined) await import(process.argv[2]);
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, mib: process.memoryUsage().rss / 2 ** 20 }));
