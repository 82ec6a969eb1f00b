/**
 * Runs one case for one client in the measured process, and prints the figures as JSON:
 * `measure.ts CASE CLIENT RUN`, where RUN contains the other parameters as JSON.
 *
 * @module
 */

import process from "node:process";
import { findCase } from "./cases/mod.ts";

const [, , caseName = "", client = "", run = "{}"] = process.argv;
const measured = await findCase(caseName).measure({ client, ...JSON.parse(run) });
console.log(JSON.stringify(measured));
// Exits explicitly, because clients keep connections and timers open.
process.exit(0);
