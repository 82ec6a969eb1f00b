import { type KubernetesMinor, MINOR_VERSIONS } from "../../src/testing/api_server/release/mod.ts";
import { withoutGoTexts } from "./go_texts.ts";
import type { StepResult } from "./play_steps.ts";

const folder = new URL("./golden/", import.meta.url);

/** The minor version whose answers are kept whole. Later ones keep what they answer differently. */
const BASE: KubernetesMinor = MINOR_VERSIONS[0]!;

/** An answer of a minor version that differs from the answer of the minor version before. */
interface Change {
  readonly at: number;
  readonly result: StepResult;
}

/** Reads the last recorded answers of the real server of that minor version to the scenario of that name. */
export async function readGolden(
  name: string,
  minor: KubernetesMinor = BASE,
): Promise<StepResult[]> {
  return (await readKept(name, minor)).map((step) => ({
    ...step,
    body: step.body.map(withoutGoTexts),
  }));
}

async function readKept(name: string, minor: KubernetesMinor): Promise<StepResult[]> {
  const results = (await readLines(`${name}.ndjson`)) as StepResult[];
  for (const later of MINOR_VERSIONS.slice(1, MINOR_VERSIONS.indexOf(minor) + 1)) {
    const changes = (await readLines(`${later}/${name}.ndjson`)) as Change[];
    for (const { at, result } of changes) results[at] = result;
  }
  return results;
}

async function readLines(path: string): Promise<unknown[]> {
  const text = await Deno.readTextFile(new URL(path, folder));
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** Writes the answers of the real server of that minor version. Record the minor versions in order. */
export async function writeGolden(
  name: string,
  results: readonly StepResult[],
  minor: KubernetesMinor = BASE,
): Promise<void> {
  const index = MINOR_VERSIONS.indexOf(minor);
  let lines: unknown[] = [...results];
  if (index > 0) {
    const before = await readKept(name, MINOR_VERSIONS[index - 1]!);
    lines = results.map((result, at): Change => ({ at, result }))
      .filter(({ at, result }) => JSON.stringify(before[at]) !== JSON.stringify(result));
    await Deno.mkdir(new URL(`${minor}/`, folder), { recursive: true });
  }
  const path = index > 0 ? `${minor}/${name}.ndjson` : `${name}.ndjson`;
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  await Deno.writeTextFile(new URL(path, folder), text);
}

/** Returns the differences between `found` and `wanted`, by step. */
export function stepDifferences(
  scenario: string,
  found: readonly StepResult[],
  wanted: readonly StepResult[],
): Map<string, string> {
  const differences = new Map<string, string>();
  for (let i = 0; i < Math.max(found.length, wanted.length); i++) {
    const left = JSON.stringify(found[i]);
    const right = JSON.stringify(wanted[i]);
    if (left === right) continue;
    let at = 0;
    while (at < (left?.length ?? 0) && left?.[at] === right?.[at]) at++;
    const from = Math.max(0, at - 80);
    const step = wanted[i]?.step ?? found[i]?.step;
    differences.set(
      `${scenario} ${i}`,
      `${step}\n  found  …${left?.slice(from, at + 300)}\n  wanted …${
        right?.slice(from, at + 300)
      }`,
    );
  }
  return differences;
}
