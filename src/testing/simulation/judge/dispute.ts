import type { ServerWrite } from "../../api_server/mod.ts";
import { type Journal, objectName } from "../record/mod.ts";
import { lastChange } from "./last_change.ts";

/** The number of the last writes of an object that are looked at. */
const LAST = 12;

/**
 * Returns who undoes whose writes of an object, in words: each of them with its change. Returns undefined unless two writers
 * or more have changed the object in turn.
 */
export function disputeOver(write: ServerWrite, journal: Journal): string | undefined {
  const object = objectName(write);
  const writes = journal.commits.filter((one) => objectName(one.write) === object).slice(-LAST)
    .map((one) => one.write);
  const byWriter = new Map<string, ServerWrite>();
  let turns = 0;
  for (const [index, one] of writes.entries()) {
    const writer = journal.writerOf(one);
    byWriter.set(writer, one);
    if (index > 0 && writer !== journal.writerOf(writes[index - 1]!)) turns++;
  }
  if (byWriter.size < 2 || turns < LAST / 2) return undefined;
  const changes = [...byWriter.values()].map((one) => lastChange(one, journal));
  return `${[...byWriter.keys()].join(" and ")} undo each other: ${changes.join("; ")}`;
}
