/**
 * Prints what a person must decide about a minor version: what differs from the version before it, and what the
 * in-process server answers otherwise. `report.ts MINOR [FILE]`; exits with 0 whatever it finds.
 *
 * @module
 */

import {
  FEATURE_GATES,
  type KubernetesMinor,
} from "../../../src/testing/api_server/schema/generated/mod.ts";
import { schemasOf } from "../../../src/testing/api_server/schema/mod.ts";
import { isMinor, releaseOf } from "../../../src/testing/api_server/release/mod.ts";
import { RELEASES } from "../../e2e/minors.ts";
import { InProcessServer } from "../in_process_server.ts";
import { knownDifferences } from "../known_differences.ts";
import { entryDifferences } from "../recorded_set.ts";
import { type Entry, readRecording } from "../recording.ts";
import { RECORDED_SETS } from "../sets/mod.ts";

/** The number of differences of a set that are printed. */
const SHOWN = 10;

/** A part of the report: a list under a title. */
interface Part {
  readonly title: string;
  readonly lines: readonly string[];
}

/** Returns the entries of one list that the other does not have. */
function without(entries: readonly Entry[], others: readonly Entry[]): readonly string[] {
  const known = new Set(others.map(({ id }) => id));
  return entries.map(({ id }) => id).filter((id) => !known.has(id));
}

/** The groups and resources that a minor version adds, and that the server has no record of. */
async function resourceParts(minor: KubernetesMinor, before: string): Promise<readonly Part[]> {
  const [now, then] = await Promise.all(
    [minor, before].map((one) => readRecording("discovery", one)),
  );
  await using server = new InProcessServer({}, minor);
  const ours = await RECORDED_SETS.find(({ name }) => name === "discovery")!.play(server);
  return [
    { title: `Groups and resources that ${before} does not have`, lines: without(now!, then!) },
    { title: `Groups and resources of ${before} that are gone`, lines: without(then!, now!) },
    { title: "Groups and resources without a record", lines: without(now!, ours) },
  ];
}

function gatePart(minor: KubernetesMinor, before: KubernetesMinor): Part {
  const [now, then] = [releaseOf(minor), releaseOf(before)];
  const lines = Object.keys(FEATURE_GATES)
    .filter((gate) => now.isOn(gate) !== then.isOn(gate))
    .map((gate) => `${gate}: ${now.isOn(gate) ? "on" : "off"} by default (${FEATURE_GATES[gate]})`);
  return { title: "Feature gates with another default", lines };
}

/** The fields that a minor version adds or removes. */
function fieldParts(minor: KubernetesMinor, before: KubernetesMinor): readonly Part[] {
  const fieldsOf = (one: KubernetesMinor) => {
    const schemas = schemasOf(one);
    return schemas.names.flatMap((name) =>
      [...schemas.struct(name).fields.keys()].map((field) => ({ id: `${name}.${field}` }))
    );
  };
  const [now, then] = [fieldsOf(minor), fieldsOf(before)];
  return [
    { title: "Fields that are new", lines: without(now, then) },
    { title: "Fields that are gone", lines: without(then, now) },
  ];
}

/** The answers that differ from the version before, and the answers in which the server differs. */
async function answerParts(minor: KubernetesMinor, before: string): Promise<readonly Part[]> {
  const changed: string[] = [];
  const wrong: string[] = [];
  for (const { name, setting, play } of RECORDED_SETS) {
    const wanted = await readRecording(name, minor);
    const differences = entryDifferences(wanted, await readRecording(name, before));
    if (differences.size > 0) changed.push(`${name}: ${differences.size} of ${wanted.length}`);
    await using server = new InProcessServer(setting ?? {}, minor);
    const unlike = entryDifferences(await play(server), wanted);
    for (const id of knownDifferences(name, minor, unlike.keys())) {
      (unlike as Map<string, string>).delete(id);
    }
    if (unlike.size === 0) continue;
    wrong.push(`${name}: ${unlike.size} of ${wanted.length}`);
    for (const [id, text] of [...unlike].slice(0, SHOWN)) wrong.push(`  ${id}\n${text}`);
  }
  return [
    { title: `Answers that differ from ${before}`, lines: changed },
    { title: "Answers in which the in-process server differs", lines: wrong },
  ];
}

function textOf({ title, lines }: Part): string {
  const body = lines.length === 0 ? "None." : `\`\`\`\n${lines.join("\n")}\n\`\`\``;
  return `## ${title}\n\n${body}\n`;
}

const [minor = "", file] = Deno.args;
const minors = Object.keys(RELEASES);
const before = minors[minors.indexOf(minor) - 1];
if (!isMinor(minor) || before === undefined || !isMinor(before)) {
  throw new RangeError(`The minor version must have one before it: received "${minor}"`);
}
const parts = [
  ...await resourceParts(minor, before),
  gatePart(minor, before),
  ...fieldParts(minor, before),
  ...await answerParts(minor, before),
];
const text = `# Kubernetes ${RELEASES[minor]}\n\n${parts.map(textOf).join("\n")}`;
console.log(text);
if (file !== undefined) await Deno.writeTextFile(file, text);
