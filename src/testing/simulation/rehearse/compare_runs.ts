import type { ServerState } from "../../api_server/mod.ts";
import { type Change, changesOf, comparable, isFarCount, isOtherCount } from "./changes.ts";
import { type OwnershipMove, ownershipMoves } from "./ownership.ts";
import type { Refused, RunOfVersion } from "./recording.ts";
import { PodOwners, type Restart, restartKey, restartsOf } from "./restarts.ts";

/** Writes of one kind and field that one version makes, and the other one does not. */
export interface WriteDifference {
  /** The verb. */
  readonly verb: "create" | "update";
  /** The full name of the resource. */
  readonly resource: string;
  /** The path of the field; empty if whole objects are created. */
  readonly field: string;
  /** The number of writes of the old version, started again on the same state. */
  readonly before: number;
  /** The number of writes of the new version. */
  readonly after: number;
  /** The number of objects. */
  readonly objects: number;
  /** The first object. */
  readonly example: string;
  /** Its value before the writes of the new version. */
  readonly from: unknown;
  /** Its value after the writes of the new version. */
  readonly to: unknown;
}

/** Objects that one version deletes. */
export interface DeletionDifference {
  /** The full name of the resource. */
  readonly resource: string;
  /** The number for the old version, started again on the same state. */
  readonly before: number;
  /** The number for the new version. */
  readonly after: number;
  /** The first object. */
  readonly example: string;
}

/** Writes that the server refuses: conflicts of field managers, changes of immutable fields, missing rights. */
export interface RefusalDifference {
  /** The verb. */
  readonly verb: string;
  /** The full name of the resource. */
  readonly resource: string;
  /** The HTTP status. */
  readonly status: number;
  /** The message of the server, without the name of the object. */
  readonly message: string;
  /** The number for the old version, started again on the same state. */
  readonly before: number;
  /** The number for the new version. */
  readonly after: number;
  /** The first object. */
  readonly example: string;
}

/** Fields whose managers change. */
export interface OwnershipDifference {
  /** The full name of the resource. */
  readonly resource: string;
  /** The path of the field. */
  readonly field: string;
  /** The managers at the start. */
  readonly from: string;
  /** The managers after the new version. */
  readonly to: string;
  /** The number of objects. */
  readonly objects: number;
  /** The first object. */
  readonly example: string;
}

/** Requests of one verb and resource. */
export interface RequestCount {
  /** The verb. */
  readonly verb: string;
  /** The full name of the resource. */
  readonly resource: string;
  /** The number for the old version, started again on the same state. */
  readonly before: number;
  /** The number for the new version. */
  readonly after: number;
  /** Whether the difference is greater than chance would have it. */
  readonly differs: boolean;
}

/** The differences between two runs that started from the same state. */
export interface RunDifferences {
  /** The other writes, by kind and field. */
  readonly writes: readonly WriteDifference[];
  /** The replaced Pods, with the fields that cause it. */
  readonly restarts: readonly Restart[];
  /** The deleted objects, by kind. */
  readonly deletions: readonly DeletionDifference[];
  /** The refused writes. */
  readonly refusals: readonly RefusalDifference[];
  /** The fields whose managers change. */
  readonly ownership: readonly OwnershipDifference[];
  /** All requests, by verb and resource. */
  readonly requests: readonly RequestCount[];
  /** The failures of the new version itself. */
  readonly problems: readonly string[];
}

/** Compares the run of the new version with that of the old one. */
export function compareRuns(
  start: ServerState,
  control: RunOfVersion,
  after: RunOfVersion,
): RunDifferences {
  const [old, now] = [changesOf(control.writes), changesOf(after.writes)];
  const pods = new PodOwners(start);
  const known = new Set(restartsOf(pods, control.writes).map(restartKey));
  const problems = after.problems.filter((one) => !control.problems.includes(one));
  if (after.isBusy && !control.isBusy) problems.push("it still writes at the end of its time");
  return {
    writes: writeDifferences(old, now),
    restarts: restartsOf(pods, after.writes).filter((one) => !known.has(restartKey(one))),
    deletions: deletionDifferences(old, now),
    refusals: refusalDifferences(control, after),
    ownership: ownershipDifferences(
      ownershipMoves(control.writes),
      ownershipMoves(after.writes),
    ),
    requests: requestCounts(control, after),
    problems,
  };
}

type Changes = ReadonlyMap<string, Change>;

function writeDifferences(old: Changes, now: Changes): WriteDifference[] {
  const groups = new Map<string, { ids: Set<string>; example: Change; isOther: boolean }>();
  for (const id of new Set([...now.keys(), ...old.keys()])) {
    const example = now.get(id) ?? old.get(id)!;
    if (example.verb === "delete") continue;
    const [before, after] = [old.get(id), now.get(id)];
    const isOther = before === undefined || after === undefined ||
      comparable(before.to) !== comparable(after.to);
    const name = `${example.verb} ${example.resource} ${example.field}`;
    const group = groups.get(name) ?? { ids: new Set(), example, isOther: false };
    if (isOther && !group.isOther) group.example = example;
    group.isOther ||= isOther;
    groups.set(name, group);
    group.ids.add(id);
  }
  const sum = (changes: Changes, ids: Iterable<string>) =>
    [...ids].reduce((total, id) => total + (changes.get(id)?.times ?? 0), 0);
  return [...groups.values()].flatMap(({ example, ids, isOther }) => {
    const [before, after] = [sum(old, ids), sum(now, ids)];
    if (!isOther && !isOtherCount(before, after)) return [];
    const { field, from, key, resource, to } = example;
    const verb = field === "" ? "create" : "update";
    const objects = new Set([...ids].map((id) => (now.get(id) ?? old.get(id)!).key)).size;
    return [{ verb, resource, field, before, after, objects, example: key, from, to }];
  });
}

function deletionDifferences(old: Changes, now: Changes): DeletionDifference[] {
  const groups = new Map<string, DeletionDifference>();
  const add = (changes: Changes, side: "before" | "after") => {
    for (const { key, resource, times, verb } of changes.values()) {
      if (verb !== "delete") continue;
      const group = groups.get(resource) ?? { resource, before: 0, after: 0, example: key };
      groups.set(resource, { ...group, [side]: group[side] + times });
    }
  };
  add(now, "after");
  add(old, "before");
  return [...groups.values()].filter(({ after, before }) => before !== after);
}

function refusalDifferences(control: RunOfVersion, after: RunOfVersion): RefusalDifference[] {
  const groups = new Map<string, RefusalDifference>();
  const add = ({ refused }: RunOfVersion, side: "before" | "after") => {
    for (const { key, message, resource, status, verb } of refused) {
      const what = `${verb} ${resource} ${status}`;
      const id = isVersionConflict({ message, status }) ? what : `${what} ${message}`;
      const group = groups.get(id) ??
        { verb, resource, status, message, before: 0, after: 0, example: key };
      groups.set(id, { ...group, [side]: group[side] + 1 });
    }
  };
  add(after, "after");
  add(control, "before");
  return [...groups.values()].filter((group) =>
    (isVersionConflict(group) ? isFarCount : isOtherCount)(group.before, group.after)
  );
}

/** Reports whether another client has written between a read and a write, which may always happen. */
function isVersionConflict({ message, status }: Pick<Refused, "message" | "status">): boolean {
  return status === 409 && !message.startsWith("Apply failed");
}

function ownershipDifferences(
  old: readonly OwnershipMove[],
  now: readonly OwnershipMove[],
): OwnershipDifference[] {
  const idOf = ({ field, from, key, resource, to }: OwnershipMove) =>
    [resource, key, field, from, to].join("\0");
  const known = new Set(old.map(idOf));
  const groups = new Map<string, OwnershipDifference>();
  for (const move of now) {
    if (known.has(idOf(move))) continue;
    const { field, from, key, resource, to } = move;
    const id = [resource, field, from, to].join("\0");
    const group = groups.get(id) ?? { resource, field, from, to, objects: 0, example: key };
    groups.set(id, { ...group, objects: group.objects + 1 });
  }
  return [...groups.values()];
}

function requestCounts(control: RunOfVersion, after: RunOfVersion): RequestCount[] {
  const names = new Set([...control.requests.keys(), ...after.requests.keys()]);
  return [...names].sort().map((name) => {
    const [verb = "", resource = ""] = name.split(" ");
    const [old, now] = [control.requests.get(name) ?? 0, after.requests.get(name) ?? 0];
    return {
      verb,
      resource,
      before: old,
      after: now,
      differs: isOtherCount(old, now),
    };
  });
}
