import { assert, assertEquals } from "@std/assert";
import { nightlyTest } from "../support/kinds_of_tests.ts";
import { type Diagnostic, differences, readPrograms, writePrograms } from "./_programs.ts";

const ROOT = new URL("../../", import.meta.url);

// The gate compiles them against the npm package, with two versions of TypeScript.
nightlyTest("Programs of users compile, or are refused with the expected errors", async () => {
  const programs = await readPrograms();
  assert(programs.length >= 60, `${programs.length} programs`);
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-types-of-users-" });
  try {
    await writePrograms(folder, programs);
    const { stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ..."check --quiet --config".split(" "),
        new URL("deno.json", ROOT).pathname,
        ...programs.map(({ name }) => `${folder}/${name}`),
      ],
      env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    }).output();
    const text = new TextDecoder().decode(stderr);
    const diagnostics = diagnosticsIn(text, await Deno.realPath(folder));
    const count = Number(/^Found (\d+) errors\.$/m.exec(text)?.[1]);
    assertEquals(diagnostics.length, count, text);
    const wrong = programs.flatMap((program) => differences(program, diagnostics));
    assert(wrong.length === 0, wrong.join("\n\n"));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Reads the errors that `deno check` prints. Some of them have a frame of code and notes. */
function diagnosticsIn(text: string, folder: string): Diagnostic[] {
  return text.split(/^(?=TS\d+ \[ERROR\]: )/m).flatMap((block) => {
    const lines = block.split("\n");
    const at = lines.findIndex((line) => line.startsWith("    at file://"));
    const [, code] = /^(TS\d+) \[ERROR\]: /.exec(block) ?? [];
    const place = /^ {4}at (file:\S+?):(\d+):\d+$/.exec(lines[at] ?? "");
    if (code === undefined || place === null) return [];
    const path = new URL(place[1] ?? "").pathname;
    const hasFrame = /^ *(?:~+|\^)$/.test(lines[at - 1] ?? "");
    return [{
      program: path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : path,
      line: Number(place[2]),
      code,
      message: lines.slice(0, hasFrame ? at - 2 : at).join("\n").replace(/^TS\d+ \[ERROR\]: /, ""),
    }];
  });
}
