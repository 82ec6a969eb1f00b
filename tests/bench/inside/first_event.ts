/**
 * A script that ends with its first event: `first_event.ts CLIENT SERVER`. Prints the CPU time since the process started,
 * in milliseconds.
 *
 * @module
 */

import process from "node:process";
import { loadClient } from "../clients/mod.ts";
import { cpuMs } from "./process_facts.ts";

const [, , name = "", server = ""] = process.argv;
const client = await loadClient(name);
const first = () => {
  console.log(cpuMs());
  process.exit(0);
};
client.start({ server }, { add: first, update: first });
