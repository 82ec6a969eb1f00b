/**
 * Records what a real kube-apiserver answers, or compares it with what was recorded.
 *
 * @module
 */

import { parseArgs } from "@std/cli/parse-args";
import { DEFAULT_MINOR, RELEASES } from "../e2e/minors.ts";
import { RealServer } from "../e2e/real_server.ts";
import { entryDifferences, type RecordedSet } from "./recorded_set.ts";
import { type Entry, readRecording, writeRecording } from "./recording.ts";
import { MODULE_SETS, RECORDED_SETS } from "./sets/mod.ts";

const USAGE = `Usage: deno task record [OPTIONS] [SET…]

Sends the requests of all sets, or of those whose name begins with a SET, to a real kube-apiserver, and writes its answers
to tests/conformance/recorded. Builds the server once, which needs go.

  --kubernetes MINOR  one of ${
  Object.keys(RELEASES).join(", ")
}; may be repeated (default: all, the default minor first)
  --check             only compares, and fails if an answer is another than the recorded one
  --help              prints this text
`;

/** Plays the sets on a real server of a minor version, and calls `done` with the answers to each. */
export async function playOnRealServer(
  sets: readonly RecordedSet[],
  minor: string,
  done: (set: RecordedSet, entries: readonly Entry[]) => Promise<void>,
): Promise<void> {
  const shared = sets.filter(({ setting }) => setting === undefined);
  if (shared.length > 0) {
    await using server = await RealServer.create({}, minor);
    for (const set of shared) await done(set, await set.play(server));
  }
  for (const set of sets) {
    if (set.setting === undefined) continue;
    await using server = await RealServer.create(set.setting, minor);
    await done(set, await set.play(server));
  }
}

/** Returns the names that begin with one of `wanted`; all, if there are none. */
function chosen(wanted: readonly string[]): ReadonlySet<string> {
  const known = [...RECORDED_SETS, ...MODULE_SETS].map(({ name }) => name);
  const unknown = wanted.find((name) => !known.some((one) => one.startsWith(name)));
  if (unknown !== undefined) {
    throw new RangeError(`No set begins with "${unknown}": expected one of ${known.join(", ")}`);
  }
  return new Set(
    wanted.length === 0
      ? known
      : known.filter((one) => wanted.some((name) => one.startsWith(name))),
  );
}

/** Returns the minor versions, the default one first: the recordings of the others say only what differs from it. */
function chosenMinors(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => !Object.hasOwn(RELEASES, name));
  if (unknown !== undefined) {
    throw new RangeError(
      `--kubernetes must be one of ${Object.keys(RELEASES).join(", ")}: received "${unknown}"`,
    );
  }
  const minors = names.length === 0 ? Object.keys(RELEASES) : names;
  return minors.toSorted((a, b) => Number(b === DEFAULT_MINOR) - Number(a === DEFAULT_MINOR));
}

async function main(): Promise<number> {
  const flags = parseArgs(Deno.args, {
    boolean: ["check", "help"],
    string: ["kubernetes"],
    collect: ["kubernetes"],
    unknown: (name, key) => {
      if (key !== undefined) throw new RangeError(`Unknown flag ${name}; --help lists all`);
    },
  });
  if (flags.help) {
    console.log(USAGE);
    return 0;
  }
  const names = chosen(flags._.map(String));
  const sets = RECORDED_SETS.filter(({ name }) => names.has(name));
  let different = 0;
  const keep = async (minor: string, name: string, entries: readonly Entry[]) => {
    if (!flags.check) {
      const isNew = await writeRecording(name, minor, entries);
      console.log(`${minor} ${name}: ${entries.length}, ${isNew ? "written" : "unchanged"}`);
      return;
    }
    const differences = entryDifferences(entries, await readRecording(name, minor));
    for (const [id, text] of differences) console.log(`${id}\n${text}`);
    different += differences.size;
    console.log(`${minor} ${name}: ${differences.size} of ${entries.length} differ`);
  };
  const minors = chosenMinors(flags.kubernetes);
  for (const { name, read } of minors.includes(DEFAULT_MINOR) ? MODULE_SETS : []) {
    if (names.has(name)) await keep(DEFAULT_MINOR, name, await read(RELEASES[DEFAULT_MINOR]!));
  }
  for (const minor of minors) {
    await playOnRealServer(sets, minor, ({ name }, entries) => keep(minor, name, entries));
  }
  return different === 0 ? 0 : 1;
}

if (import.meta.main) {
  try {
    Deno.exit(await main());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    console.error(error.message);
    Deno.exit(2);
  }
}
