/**
 * Checks the declarations of the npm package with the programs of `tests/types_of_users`, and what editors complete in
 * them. `deno task npm` must have built the package before.
 */

import { assert, assertEquals } from "@std/assert";
import { seededRuns } from "../support/seeded_runs.ts";
import {
  type Diagnostic,
  differences,
  readPrograms,
  writePrograms,
} from "../types_of_users/_programs.ts";
import { capture, LIBRARY, ROOT, run, toolsFolder } from "./_tools.ts";

/** The packages that the programs import. */
const SCHEMAS: readonly string[] = [
  "@sinclair/typebox",
  "@valibot/to-json-schema",
  "arktype",
  "typebox",
  "valibot",
  "zod",
];

/** The compilers, as the folder of tools names them. */
const COMPILERS: readonly string[] = seededRuns.factor > 1
  ? ["typescript", "typescript-6", "typescript-7"]
  : ["typescript", "typescript-7"];

const OPTIONS = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
  target: "esnext",
  module: "esnext",
  moduleResolution: "bundler",
  lib: ["esnext", "dom"],
  types: [],
};

/** A program with places, each of which is a `|`, and some of the names that an editor must complete there. */
const COMPLETED: Readonly<Record<string, readonly string[]>> = {
  'manager.controller(Widgets, { when: changed("|") });': ["spec.size", "metadata.labels"],
  'manager.controller(Widgets, { when: allOf(changed("spec.size", "s|")) });': ["spec.image"],
  'manager.controller(Widgets).owns(Deployments, { when: changed("spec.|") });': ["spec.replicas"],
  'changed<Widget>("|");': ["spec.ports", "status.ready"],
  'manager.controller(Widgets, { when: changed(["spec", "|"]) });': ["size", "image"],
  'manager.controller(Widgets).indexes({ image: pathIndexFunc("|") });': ["spec.image"],
};

Deno.test("programs of users with the npm package", async (t) => {
  const tools = await toolsFolder();
  const programs = await readPrograms();
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-types-of-users-" });
  try {
    await Deno.mkdir(`${folder}/node_modules/@sinclair`, { recursive: true });
    await Deno.mkdir(`${folder}/node_modules/@valibot`);
    await Deno.symlink(LIBRARY.folder, `${folder}/node_modules/${LIBRARY.name}`);
    for (const name of SCHEMAS) {
      await Deno.symlink(`${tools}/${name}`, `${folder}/node_modules/${name}`);
    }
    const textOf = (text: string) => text.replaceAll(LIBRARY.jsrName, LIBRARY.name);
    await writePrograms(folder, programs, textOf);
    const files = programs.map(({ name }) => name);
    await Deno.writeTextFile(
      `${folder}/tsconfig.json`,
      JSON.stringify({ compilerOptions: OPTIONS, files }),
    );

    for (const compiler of COMPILERS) {
      await t.step(`are accepted and refused by ${compiler} as expected`, async () => {
        const command = ["node", `${tools}/${compiler}/bin/tsc`, "--pretty", "false"];
        const { stdout, stderr } = await capture(command, { cwd: folder });
        const diagnostics = diagnosticsIn(stdout);
        assert(diagnostics.length > 0, stdout + stderr);
        const wrong = programs.flatMap((program) => differences(program, diagnostics));
        const elsewhere = diagnostics.filter(({ program }) => !files.includes(program));
        assertEquals(elsewhere, []);
        assert(wrong.length === 0, wrong.join("\n\n"));
      });
    }

    await t.step("are completed by editors", async () => {
      const places = Object.keys(COMPLETED);
      const script = `${ROOT}tests/package/completions.mjs`;
      const output = await run(["node", script, tools, folder, JSON.stringify(places)]);
      const found: Record<string, readonly string[]> = JSON.parse(output);
      for (const [place, names] of Object.entries(COMPLETED)) {
        for (const name of names) assert(found[place]?.includes(name), `${place}: ${found[place]}`);
        assert(!found[place]?.includes("changed"), `${place} completes names of the program`);
      }
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

/** Reads the errors from what `tsc` prints. The further lines of a message are indented. */
function diagnosticsIn(text: string): Diagnostic[] {
  return text.split(/\n(?! )/).flatMap((block) => {
    const [, program, line, code, message] =
      /^(\S+)\((\d+),\d+\): error (TS\d+): (.*)$/s.exec(block) ?? [];
    if (program === undefined || code === undefined || message === undefined) return [];
    return [{ program, line: Number(line), code, message }];
  });
}
