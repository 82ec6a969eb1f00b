/**
 * The recordings of a real server: one file for each set and minor version, below `recorded`. The first line of a file is
 * its {@linkcode Header}; each other line is one {@linkcode Entry}. The files of the default minor version are whole.
 * The files of the others have only the entries that differ from it.
 *
 * @module
 */

import { DEFAULT_MINOR, RELEASES } from "../e2e/minors.ts";

/** One answer of a server, by an id that is unique in its set. */
export interface Entry {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** The origin of a recording. */
interface Header {
  readonly set: string;
  readonly program: string;
  readonly kubernetes: string;
  readonly date: string;
}

/** An entry that the default minor version has, and another does not. */
interface Absence {
  readonly id: string;
  readonly absent: true;
}

const PROGRAM = "deno task record";

function fileOf(set: string, minor: string): URL {
  return new URL(`recorded/${minor}/${set}.ndjson`, import.meta.url);
}

/**
 * Reads what the release of a minor version answered to a set.
 *
 * @param base The minor version whose recordings are whole.
 */
export async function readRecording(
  set: string,
  minor: string,
  base: string = DEFAULT_MINOR,
): Promise<readonly Entry[]> {
  const whole = await readFile(set, base);
  if (minor === base) return whole;
  const changes = new Map((await readFile(set, minor)).map((entry) => [entry.id, entry]));
  const found: Entry[] = [];
  for (const entry of whole) {
    const change = changes.get(entry.id);
    changes.delete(entry.id);
    if (change === undefined) found.push(entry);
    else if (!isAbsence(change)) found.push(change);
  }
  return [...found, ...changes.values()];
}

/**
 * Writes what the release of a minor version answered to a set. The date stays that of the last recording, on disk or in
 * the last commit, if the entries are the same.
 *
 * @returns Whether the entries are others than before.
 */
export async function writeRecording(
  set: string,
  minor: string,
  entries: readonly Entry[],
): Promise<boolean> {
  const file = fileOf(set, minor);
  const kubernetes = RELEASES[minor]!;
  const body = minor === DEFAULT_MINOR
    ? bodyOf(entries)
    : bodyOf(differences(entries, await readFile(set, DEFAULT_MINOR)));
  for (const before of [await textOf(file), await committed(file)]) {
    const end = before.indexOf("\n") + 1;
    if (end === 0 || before.slice(end) !== body) continue;
    if ((JSON.parse(before.slice(0, end)) as Header).kubernetes !== kubernetes) continue;
    await write(file, before);
    return false;
  }
  const date = new Date().toISOString().slice(0, 10);
  const header: Header = { set, program: PROGRAM, kubernetes, date };
  await write(file, `${JSON.stringify(header)}\n${body}`);
  return true;
}

/** Writes the recordings of a set for another default minor version: the file of `to` becomes whole. */
export async function rebaseRecordings(set: string, from: string, to: string): Promise<void> {
  const minors = Object.keys(RELEASES);
  const read = await Promise.all(minors.map((minor) => readRecording(set, minor, from)));
  const whole = read[minors.indexOf(to)]!;
  for (const [index, minor] of minors.entries()) {
    const file = fileOf(set, minor);
    const [header] = (await Deno.readTextFile(file)).split("\n", 1);
    const entries = minor === to ? whole : differences(read[index]!, whole);
    await write(file, `${header}\n${bodyOf(entries)}`);
  }
}

function bodyOf(entries: readonly (Entry | Absence)[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

function differences(
  entries: readonly Entry[],
  whole: readonly Entry[],
): readonly (Entry | Absence)[] {
  const texts = new Map(whole.map((entry) => [entry.id, JSON.stringify(entry)]));
  const changed = entries.filter((entry) => texts.get(entry.id) !== JSON.stringify(entry));
  const ids = new Set(entries.map(({ id }) => id));
  const gone = whole.filter(({ id }) => !ids.has(id));
  return [...changed, ...gone.map(({ id }) => ({ id, absent: true } as const))];
}

function isAbsence(entry: Entry | Absence): entry is Absence {
  return entry.absent === true;
}

async function readFile(set: string, minor: string): Promise<readonly Entry[]> {
  const [, ...lines] = (await Deno.readTextFile(fileOf(set, minor))).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line));
}

async function write(file: URL, text: string): Promise<void> {
  await Deno.mkdir(new URL(".", file), { recursive: true });
  await Deno.writeTextFile(file, text);
}

/** Returns the text of a file, or an empty text if there is none. */
async function textOf(file: URL): Promise<string> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

/** Returns the text of a file in the last commit, or an empty text if it has none. */
async function committed(file: URL): Promise<string> {
  const path = file.href.slice(new URL("../../", import.meta.url).href.length);
  const { stdout } = await new Deno.Command("git", {
    args: ["show", `HEAD:${path}`],
    cwd: new URL(".", import.meta.url),
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}
