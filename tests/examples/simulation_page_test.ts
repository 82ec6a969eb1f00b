/** Runs the first program of docs/simulation.md, and compares its report with the printed one. */

import { assertStringIncludes } from "@std/assert";
import { readText } from "./_documented.ts";
import { ROOT } from "./_permitted.ts";

/** Matches differences between two runs: real time, and the folder of the program. */
const DIFFERS = /in \d+\.\d s|\S*(?=disks_test\.ts:)/g;

const masked = (text: string) => text.replace(DIFFERS, "");

Deno.test("docs/simulation.md shows the report of its program", async () => {
  const page = await readText("docs/simulation.md");
  const [, program = ""] = /^```ts\n([^]*?)^```$/m.exec(page) ?? [];
  const [, report = ""] = /^```text\n(The simulation[^]*?)^```$/m.exec(page) ?? [];
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-simulation-page-" });
  try {
    await Deno.writeTextFile(
      `${folder}/disks_test.ts`,
      `${program}console.log(error.message);\n`,
    );
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", `--config=${ROOT}deno.json`, "disks_test.ts"],
      cwd: folder,
      env: { NO_COLOR: "1", DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    assertStringIncludes(masked(new TextDecoder().decode(stdout)), masked(report));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
