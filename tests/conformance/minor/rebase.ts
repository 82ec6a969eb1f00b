/** Writes all recordings for another default minor version: `rebase.ts FROM TO`. */

import { rebaseRecordings } from "../recording.ts";
import { RECORDED_SETS } from "../sets/mod.ts";

const [from = "", to = ""] = Deno.args;
for (const { name } of RECORDED_SETS) await rebaseRecordings(name, from, to);
