// Imports the module named on the command line, if any; prints how many milliseconds that took, and the MiB in use then.

// Not imported, since that would cost as much as some of what is measured.
const { process } = globalThis;
const started = performance.now();
if (process.argv[2] !== undefined) await import(process.argv[2]);
const ms = performance.now() - started;
console.log(JSON.stringify({ ms, mib: process.memoryUsage().rss / 2 ** 20 }));
