import type { Outcome } from "./replay.ts";
import type { Transcript } from "./transcript.ts";

/** The families of exchanges, by the first two digits of their numbers. */
const FAMILIES: Readonly<Record<string, string>> = {
  "01": "discovery and health",
  "02": "lists and representations",
  "03": "revisions of lists",
  "04": "selectors",
  "05": "refusals",
  "06": "patches",
  "07": "server-side apply",
  "08": "deletion",
  "09": "tables and partial metadata",
  "10": "large answers",
  "11": "watches",
  "12": "custom resources",
  "13": "leases and times",
  "14": "events",
  "15": "reviews and subresources",
  "16": "compaction and restarts",
  "17": "limits",
  "18": "storage down",
  "19": "headers, queries and paths",
};

/** Prints the number of equal exchanges of each family, and all differences that are not known. */
export function printOutcomes(
  server: string,
  outcomes: readonly Outcome[],
  transcripts: ReadonlyMap<string, Transcript>,
  known: ReadonlyMap<string, string>,
): void {
  const families = new Map<string, { same: number; all: number }>();
  for (const { id, differences } of outcomes) {
    const family = families.get(id.slice(0, 2)) ?? { same: 0, all: 0 };
    families.set(id.slice(0, 2), family);
    family.all++;
    if (differences.length === 0) family.same++;
    else if (!known.has(id)) {
      console.log(`${transcripts.get(id)!.name}\n  ${differences.join("\n  ")}`);
    }
  }
  for (const [id, { same, all }] of [...families].sort()) {
    console.log(`${server}: ${FAMILIES[id] ?? id}: ${same} of ${all} the same`);
  }
  const same = outcomes.filter(({ differences }) => differences.length === 0).length;
  console.log(`${server}: ${same} of ${outcomes.length} recorded exchanges are answered the same`);
}
