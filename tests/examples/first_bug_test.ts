/** Follows docs/first-bug.md as a reader does: writes its files, runs them, repairs the operator and runs them again. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { slowTest } from "../support/kinds_of_tests.ts";
import { commandsIn, readText } from "./_documented.ts";
import { ROOT } from "./_permitted.ts";

/** Matches differences between two runs: real time, and the folder of the program. */
const DIFFERS = /in \d+(\.\d+)? s|Sent at \S*backups\.ts/g;

const masked = (text: string) => text.replace(DIFFERS, "…").replace(/\n +at .*/g, "");

slowTest(
  "a reader of docs/first-bug.md finds the bug that is printed, and repairs it",
  async () => {
    const page = await readText("docs/first-bug.md");
    const blocks = [...page.matchAll(/^```ts ignore\n([^]*?)^```$/gm)].map(([, code = ""]) => code);
    const [operator = "", test = "", simulation = "", repaired = ""] = blocks;
    const [, report = ""] = /^```text\n([^]*?)^```$/m.exec(page) ?? [];
    const [, plan = ""] = /^export KUBELOOP_PLAN='(.*)'$/m.exec(page) ?? [];
    const commands = commandsIn("docs/first-bug.md", page);
    assertEquals(commands.map(({ script }) => script), [
      "backups_test.ts",
      "backups_simulation.ts",
      "backups_simulation.ts",
    ]);
    const folder = await Deno.makeTempDir({ prefix: "kubeloop-first-bug-" });
    const write = (name: string, text: string) => Deno.writeTextFile(`${folder}/${name}`, text);
    const run = async (index: number, env: Readonly<Record<string, string>> = {}) => {
      const { permissions, script } = commands[index]!;
      const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
        args: ["run", "--no-check", `--config=${ROOT}deno.json`, ...permissions, script],
        cwd: folder,
        env: { NO_COLOR: "1", DENO_NO_PROMPT: "1", DENO_NO_UPDATE_CHECK: "1", ...env },
      }).output();
      const text = new TextDecoder();
      return masked(text.decode(stdout) + text.decode(stderr));
    };
    try {
      await write("backups.ts", operator);
      await write("backups_test.ts", test);
      await write("backups_simulation.ts", simulation);
      assertEquals(await run(0), "one Backup, one Job\n");
      assertStringIncludes(await run(1), masked(report));
      assertStringIncludes(await run(2, { KUBELOOP_PLAN: plan }), "two Jobs for one Backup");

      const declared = /^ {2}manager\.controller[^]*?^ {4}\}\);\n/m;
      await write("backups.ts", operator.replace(declared, () => repaired));
      assertEquals(await run(0), "one Backup, one Job\n");
      assertEquals(await run(1), "no fault leads to a second Job\n");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
