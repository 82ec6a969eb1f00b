/**
 * Writes `tests/yaml/recorded.json`, after a change of the texts, the values or the writer. Needs Go.
 *
 * ```sh
 * deno run -A tests/foreign/record_yaml.ts
 * ```
 *
 * @module
 */

import { GoYaml } from "./go_yaml.ts";
import { CASES } from "../yaml/_cases.ts";
import {
  canonical,
  hashesOf,
  type Recorded,
  recordedRequests,
  recordedTexts,
} from "../yaml/_recorded.ts";

/** Returns what is recorded, from Go. */
export async function record(go: GoYaml): Promise<Recorded> {
  const written = recordedTexts();
  const read = await go.read(written.map(({ text }) => ({ how: "first", text })));
  written.forEach(({ value, text }, i) => {
    if (read[i] !== canonical([wellFormed(value)])) {
      throw new Error(
        `Go does not read ${JSON.stringify(text)} as ${canonical(value)}: ${read[i]}`,
      );
    }
  });
  return {
    cases: await go.read(CASES),
    read: hashesOf((await go.read(recordedRequests())).map(String)),
    written: hashesOf(written.map(({ text }) => text)),
  };
}

/** Returns a value without lone surrogates, which no text of Go has. */
function wellFormed(value: unknown): unknown {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key.toWellFormed(), wellFormed(member)]),
  );
}

if (import.meta.main) {
  await using go = await GoYaml.build();
  const url = new URL("../yaml/recorded.json", import.meta.url);
  await Deno.writeTextFile(url, `${JSON.stringify(await record(go), undefined, 2)}\n`);
}
