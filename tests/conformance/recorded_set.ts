import type { Entry } from "./recording.ts";
import type { ServerSetting, ServerUnderTest } from "./server_under_test.ts";

/** Requests whose answers are recorded from a real server, and compared with those of ours. */
export interface RecordedSet {
  /** The name of the set and of its file. */
  readonly name: string;
  /** The settings of a server of its own; if undefined, the set shares a server with others. */
  readonly setting?: ServerSetting;
  /** Sends the requests, and returns the answers without what differs between two equal servers. */
  play(server: ServerUnderTest): Promise<readonly Entry[]>;
}

/** A set that is read from Go modules and not from a server, for the default minor version only. */
export interface ModuleSet {
  /** The name of the set and of its file. */
  readonly name: string;
  /** Returns the entries of a release of Kubernetes, such as `v1.37.2`. Needs go. */
  read(release: string): Promise<readonly Entry[]>;
}

/** The difference between two lists of entries, by id. */
export function entryDifferences(
  found: readonly Entry[],
  wanted: readonly Entry[],
): ReadonlyMap<string, string> {
  const differences = new Map<string, string>();
  const ours = new Map(found.map((entry) => [entry.id, entry]));
  for (const entry of wanted) {
    const text = differenceOf(ours.get(entry.id), entry);
    if (text !== undefined) differences.set(entry.id, text);
    ours.delete(entry.id);
  }
  for (const entry of ours.values()) differences.set(entry.id, differenceOf(entry, undefined)!);
  return differences;
}

/** Returns the parts of two entries where they begin to differ. */
function differenceOf(found: Entry | undefined, wanted: Entry | undefined): string | undefined {
  const [left, right] = [JSON.stringify(found) ?? "", JSON.stringify(wanted) ?? ""];
  if (left === right) return undefined;
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  const from = Math.max(0, at - 80);
  return `  found  …${left.slice(from, at + 300)}\n  wanted …${right.slice(from, at + 300)}`;
}
