/** Writes all recordings for another default minor version: `rebase.ts MINOR`. */

import { rebaseRecordings } from "../recording.ts";
import { RECORDED_SETS } from "../sets/mod.ts";

for (const { name } of RECORDED_SETS) await rebaseRecordings(name, Deno.args[0]!);
