/**
 * Runs one case for one client, inside the process that is measured, and prints the figures as JSON:
 * `measure.ts CASE CLIENT RUN`, where RUN is the rest of what there is to know, as JSON.
 *
 * @module
 */

import process from "node:process";
import { findCase } from "./cases/mod.ts";

const [, , caseName = "", client = "", run = "{}"] = process.argv;
const measured = await findCase(caseName).measure({ client, ...JSON.parse(run) });
console.log(JSON.stringify(measured));
// Clients keep connections and timers that nobody waits for any more.
process.exit(0);
