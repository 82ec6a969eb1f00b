/**
 * Adds a minor version of Kubernetes to everything that is generated or recorded, or removes one, and prints what a
 * person must decide. Needs go.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { MODULE_SETS } from "../sets/mod.ts";
import { newestRelease } from "./newest_release.ts";
import {
  type MinorTable,
  nextMinor,
  readTable,
  withMinor,
  withoutMinor,
  writeTable,
} from "./table.ts";

const USAGE = `Usage: deno task minor MINOR [OPTIONS]

Adds a minor version of Kubernetes, such as 1.38, or "next" for the one after the newest: its schemas, types, protobuf tables, feature gates and recorded
answers. A release becomes the default version, an alpha or beta does not. Then prints what differs from the version
before, and what the in-process server answers otherwise. Repeated, it takes the newest patch.

  --release VERSION  the release of the minor version (default: the newest)
  --remove           removes the minor version
  --report FILE      writes what it prints at the end to a file as well
  --help             prints this text
`;

/** Runs a program of this repository with its output on the terminal. Each is a new process, which reads the new table. */
async function run(what: string, ...command: readonly string[]): Promise<void> {
  console.error(`== ${what}`);
  const { code } = await new Deno.Command(Deno.execPath(), { args: [...command] }).spawn().status;
  if (code !== 0) throw new Error(`${command.join(" ")} failed: ${what}`);
}

const program = (
  path: string,
  ...args: readonly string[]
) => ["run", "-A", "--no-check", path, ...args];

/** Writes everything that is made of the table of minor versions and of the Go types. */
async function generate(): Promise<void> {
  await run("schemas, types, protobuf tables, feature gates", "task", "schemas");
  await run("exports of the package", ...program("tests/conformance/minor/exports.ts"));
  await run(
    "formatting",
    "fmt",
    "--quiet",
    "src/kinds",
    "src/testing/api_server/schema",
    "deno.json",
  );
  await run("docs/kinds.md", ...program("tests/checks/kinds_doc.ts"));
  await run("docs/support.md", ...program("tests/conformance/minor/support_doc.ts"));
}

function recordingOf(minor: string, file: string = ""): URL {
  return new URL(`../recorded/${minor}/${file}`, import.meta.url);
}

/** Makes the recordings of the new default version whole. */
async function rebase(before: MinorTable, after: MinorTable): Promise<void> {
  if (before.default === after.default) return;
  await run(
    `recordings: ${after.default} is the default version`,
    ...program("tests/conformance/minor/rebase.ts", after.default),
  );
  for (const { name } of MODULE_SETS) {
    await Deno.remove(recordingOf(before.default, `${name}.ndjson`));
  }
}

async function add(minor: string, release: string): Promise<void> {
  const before = await readTable();
  const after = withMinor(before, minor, release);
  await writeTable(after);
  await generate();
  await run(`recordings of ${release}`, "task", "record", "--kubernetes", minor);
  await rebase(before, after);
}

async function remove(minor: string): Promise<void> {
  const before = await readTable();
  const after = withoutMinor(before, minor);
  await rebase(before, after);
  await Deno.remove(recordingOf(minor), { recursive: true });
  await writeTable(after);
  await generate();
  if (before.default === after.default) return;
  const sets = MODULE_SETS.map(({ name }) => name);
  await run("objects and texts", "task", "record", "--kubernetes", after.default, ...sets);
}

async function main(): Promise<number> {
  const flags = parseArgs(Deno.args, {
    boolean: ["remove", "help"],
    string: ["release", "report", "_"],
    unknown: (name, key) => {
      if (key !== undefined) throw new RangeError(`Unknown flag ${name}; --help lists all`);
    },
  });
  if (flags.help) {
    console.log(USAGE);
    return 0;
  }
  const [named, ...others] = flags._ as string[];
  const minor = named === "next" ? nextMinor(await readTable()) : named;
  if (minor === undefined || others.length > 0 || !/^1\.\d+$/.test(minor)) {
    throw new RangeError(
      `MINOR must be a minor version, such as 1.38: received "${flags._.join(" ")}"`,
    );
  }
  if (flags.remove) {
    await remove(minor);
    return 0;
  }
  await add(minor, flags.release ?? await newestRelease(minor));
  const report = flags.report === undefined ? [] : [flags.report];
  await run("what differs", ...program("tests/conformance/minor/report.ts", minor, ...report));
  return 0;
}

try {
  Deno.exit(await main());
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  console.error(error.message);
  Deno.exit(2);
}
