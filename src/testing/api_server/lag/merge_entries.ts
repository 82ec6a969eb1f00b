import { type LiveEntry, StoredObject } from "../storage/mod.ts";
import { encodeJson, type Json } from "../../values/mod.ts";

/**
 * Returns the one event that takes the place of two subsequent ones of the same name, as a client would see them that
 * missed the state in between. Undefined if the object did not exist before them and does not exist after them.
 */
export function mergeEntries(first: LiveEntry, second: LiveEntry): LiveEntry | undefined {
  const { revision } = second;
  const { previous } = first;
  // The lines of the two events are shared with watches that see both.
  const merged = {
    revision,
    previous,
    previousValue: () => first.previousValue(),
    lines: new Map(),
  };
  if (second.type !== "DELETED") {
    const type = previous === undefined ? "ADDED" : "MODIFIED";
    return { ...merged, type, object: second.object, value: second.value };
  }
  if (previous === undefined) return undefined;
  if (previous.uid === second.object.uid) {
    return { ...merged, type: "DELETED", object: second.object, value: second.value };
  }
  // The client never saw the object that was deleted last, so the event shows the object that the client knows.
  const value = previous.parse();
  value.metadata.resourceVersion = String(revision);
  const object = new StoredObject(value, revision, encodeJson(value as unknown as Json));
  return { ...merged, type: "DELETED", object, value };
}
