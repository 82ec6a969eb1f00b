/**
 * The recordings of a real server: one file for each set and minor version, below `recorded`. The first line of a file is
 * its {@linkcode Header}; each other line is one {@linkcode Entry}. The files of the default minor version are whole.
 * The files of the others have only the entries that differ from it, which their header names.
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
  /** The minor version from whose recording the entries differ; undefined if the recording is whole. */
  readonly base?: string;
}

interface Recording {
  readonly header: Header;
  readonly entries: readonly (Entry | Absence)[];
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

/** Reads what the release of a minor version answered to a set. */
export async function readRecording(set: string, minor: string): Promise<readonly Entry[]> {
  const { header, entries } = await readFile(set, minor);
  if (header.base === undefined) return entries as readonly Entry[];
  const changes = new Map(entries.map((entry) => [entry.id, entry]));
  const found: Entry[] = [];
  for (const entry of await readRecording(set, header.base)) {
    const change = changes.get(entry.id);
    changes.delete(entry.id);
    if (change === undefined) found.push(entry);
    else if (!isAbsence(change)) found.push(change);
  }
  return [...found, ...changes.values() as Iterable<Entry>];
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
  const base = minor === DEFAULT_MINOR ? undefined : DEFAULT_MINOR;
  const body = await bodyOf(set, entries, base);
  for (const before of [await textOf(file), await committed(file)]) {
    const end = before.indexOf("\n") + 1;
    if (end === 0 || before.slice(end) !== body) continue;
    const header: Header = JSON.parse(before.slice(0, end));
    if (header.kubernetes !== kubernetes || header.base !== base) continue;
    await write(file, before);
    return false;
  }
  const date = new Date().toISOString().slice(0, 10);
  await write(file, headerOf({ set, program: PROGRAM, kubernetes, date }, base) + body);
  return true;
}

/** Writes the recordings of a set for another default minor version: that of `whole` becomes whole. */
export async function rebaseRecordings(set: string, whole: string): Promise<void> {
  const minors = Object.keys(RELEASES);
  const read = await Promise.all(minors.map((minor) => readRecording(set, minor)));
  const headers = await Promise.all(minors.map((minor) => readFile(set, minor)));
  const order = [whole, ...minors.filter((minor) => minor !== whole)];
  for (const minor of order) {
    const at = minors.indexOf(minor);
    const base = minor === whole ? undefined : whole;
    const { header: { base: _, ...header } } = headers[at]!;
    await write(fileOf(set, minor), headerOf(header, base) + await bodyOf(set, read[at]!, base));
  }
}

function headerOf(header: Header, base: string | undefined): string {
  return `${JSON.stringify({ ...header, ...(base === undefined ? {} : { base }) })}\n`;
}

async function bodyOf(
  set: string,
  entries: readonly Entry[],
  base: string | undefined,
): Promise<string> {
  const lines = base === undefined ? entries : differences(entries, await readRecording(set, base));
  return lines.map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

/** Returns what differs from the whole recording, in its order; the entries that it does not have follow, by their ids. */
function differences(
  entries: readonly Entry[],
  whole: readonly Entry[],
): readonly (Entry | Absence)[] {
  const left = new Map(entries.map((entry) => [entry.id, entry]));
  const found: (Entry | Absence)[] = [];
  for (const entry of whole) {
    const own = left.get(entry.id);
    left.delete(entry.id);
    if (own === undefined) found.push({ id: entry.id, absent: true });
    else if (JSON.stringify(own) !== JSON.stringify(entry)) found.push(own);
  }
  return [...found, ...[...left.values()].sort((a, b) => a.id < b.id ? -1 : 1)];
}

function isAbsence(entry: Entry | Absence): entry is Absence {
  return entry.absent === true;
}

async function readFile(set: string, minor: string): Promise<Recording> {
  const text = await Deno.readTextFile(fileOf(set, minor));
  const [header, ...entries] = text.trimEnd().split("\n").map((line) => JSON.parse(line));
  return { header, entries };
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
