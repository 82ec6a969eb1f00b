import { withoutGoTexts } from "./go_texts.ts";
import type { StepResult } from "./play_steps.ts";

const folder = new URL("./golden/", import.meta.url);

/** Reads the last recorded answers of the real server to the scenario of that name. */
export async function readGolden(name: string): Promise<StepResult[]> {
  const text = await Deno.readTextFile(new URL(`${name}.ndjson`, folder));
  return text.trimEnd().split("\n").map((line) => {
    const step: StepResult = JSON.parse(line);
    return { ...step, body: step.body.map(withoutGoTexts) };
  });
}

/** Writes the answers of the real server. */
export async function writeGolden(name: string, results: readonly StepResult[]): Promise<void> {
  const text = results.map((result) => `${JSON.stringify(result)}\n`).join("");
  await Deno.writeTextFile(new URL(`${name}.ndjson`, folder), text);
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
