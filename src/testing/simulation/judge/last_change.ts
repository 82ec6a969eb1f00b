import { showJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ServerWrite } from "../../api_server/mod.ts";
import { compareStates, type Difference } from "./compare_states.ts";
import { endState, type Journal, objectName } from "../record/mod.ts";

/** Describes a write: its writer, the object and the first field that it has changed. */
export function lastChange(write: ServerWrite, journal: Journal): string {
  const what = objectName(write);
  const by = journal.writerOf(write);
  if (write.type === "DELETED") return `${by} deletes ${what}`;
  const previous = write.previous();
  if (previous === undefined) return `${by} creates ${what}`;
  const [difference] = changesOf(write, previous);
  if (difference === undefined) return `${by} writes ${what}, and changes only times or versions`;
  const { actual, expected, field } = difference;
  return `${by} changes ${what}, field ${field}, from ${showJson(expected)} to ${showJson(actual)}`;
}

/** Returns the fields that a write has changed; an empty text for times and versions alone, and for a whole object. */
export function changedFields(write: ServerWrite): readonly string[] {
  const previous = write.previous();
  if (previous === undefined || write.type === "DELETED") return [""];
  const changes = changesOf(write, previous);
  return changes.length === 0 ? [""] : changes.map(({ field }) => field);
}

function changesOf(write: ServerWrite, previous: KubeObject): readonly Difference[] {
  const state = (object: KubeObject) => endState([{ resource: write.resource, object }], undefined);
  return compareStates(state(previous), state(write.object()));
}
