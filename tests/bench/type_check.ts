/**
 * Measures the processor time that `deno check` takes for a program that uses the types, and prints the least of several
 * runs: without them, with the minimal types, with one API group, and with all of them. `deno task bench-types`.
 *
 * @module
 */

import { run } from "../package/_tools.ts";

const ROOT = new URL("../../", import.meta.url);
const RUNS = 5;

async function main(): Promise<void> {
  const config = new URL("deno.json", ROOT).pathname;
  const { exports } = JSON.parse(await Deno.readTextFile(config));
  const groups = Object.keys(exports).filter((name) => name.startsWith("./types/"));
  const module = (entry: string) => `@kubeloop/controller${entry.slice(1)}`;
  const use = (entry: string) =>
    `import type { Deployment } from "${module(entry)}";
     export function image(deployment: Deployment): string | undefined {
       return deployment.spec?.template.spec?.containers[0]?.image;
     }`;
  const programs = {
    "nothing": "export function one(): number { return 1; }",
    "./types": use("./types"),
    "./types/apps/v1": use("./types/apps/v1"),
    [`all ${groups.length} groups and versions`]: [
      use("./types/apps/v1"),
      ...groups.map((group, i) => `export type * as group${i} from "${module(group)}";`),
    ].join("\n"),
  };
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-types-" });
  try {
    for (const [name, program] of Object.entries(programs)) {
      const times: number[] = [];
      // The first run fills the caches of what is imported. Each program is new, so that it is checked each time.
      for (let i = 0; i <= RUNS; i++) {
        const file = `${folder}/program_${i}.ts`;
        await Deno.writeTextFile(file, `${program}\n// ${name} ${i} ${folder}\n`);
        const command = `"${Deno.execPath()}" check --quiet --config "${config}" "${file}"`;
        const output = await run(["sh", "-c", `${command} && times`]);
        if (i > 0) times.push(processorMs(output));
      }
      console.log(`${String(Math.round(Math.min(...times))).padStart(6)} ms  ${name}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Returns the sum of the children's user and system times, from the last line that `times` prints. */
function processorMs(output: string): number {
  const line = output.trim().split("\n").at(-1) ?? "";
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)]
    .reduce(
      (sum, [, minutes, seconds]) => sum + (60 * Number(minutes) + Number(seconds)) * 1000,
      0,
    );
}

await main();
