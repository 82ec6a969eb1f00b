import { isRecord, parseJson } from "@kubeloop/controller/internal/base";
import { fieldChanges } from "@kubeloop/controller/internal/fields";
import { controllerOf, type KubeObject } from "@kubeloop/controller/types";
import type { ServerState, ServerWrite } from "../../api_server/mod.ts";
import { keyOf, objectName } from "../record/mod.ts";
import { isDeletion } from "./changes.ts";

/** A field that makes Pods restart. */
export interface RestartField {
  /** The path of the field, as in `spec.template.spec.containers[name=main].image`. */
  readonly field: string;
  /** The old value. */
  readonly from: unknown;
  /** The new value. */
  readonly to: unknown;
}

/** Pods that are replaced. */
export interface Restart {
  /** The object that owns the Pods, as in `statefulsets.apps default/db`; or the Pods themselves. */
  readonly owner: string;
  /** The number of Pods. */
  readonly pods: number;
  /** How they come to be replaced. */
  readonly how:
    /** The template has changed, and the controller of the workload replaces the Pods. */
    | "rolls"
    /** The template has changed, and the Pods are replaced once they are deleted. */
    | "on delete"
    /** The operator deletes the Pods. */
    | "deletes Pods"
    /** The operator deletes the object that owns them. */
    | "deletes the owner";
  /** How often they are replaced. */
  readonly times: number;
  /** The fields that differ between the old Pods and the new ones; empty if they are the same. */
  readonly fields: readonly RestartField[];
}

/** Workloads whose Pods end by themselves, or that leave their Pods alone when their template changes. */
const NOT_ROLLED: ReadonlySet<string> = new Set([
  "jobs.batch",
  "cronjobs.batch",
  "replicasets.apps",
  "replicationcontrollers",
  "podtemplates",
]);
/** The names of a Pod, and the parts that the cluster sets. */
const SET_BY_CLUSTER =
  /^(spec\.(nodeName|tolerations|volumes\[name=kube-api-access)|metadata\.(name|generateName|ownerReferences|annotations\["kubernetes\.io))/;

/** Returns the Pods that the writes of a run replace. */
export function restartsOf(pods: PodOwners, writes: readonly ServerWrite[]): Restart[] {
  const out = workloadRestarts(pods, writes);
  for (const [owner, { fields, names, times }] of podDeletions(pods, writes)) {
    if (out.has(`deletes the owner ${owner}`)) continue;
    // The cluster makes the new Pods of a workload, so its template tells the difference.
    const template = out.get(`on delete ${owner}`) ?? out.get(`rolls ${owner}`);
    out.delete(`on delete ${owner}`);
    out.set(`deletes Pods ${owner}`, {
      owner,
      how: "deletes Pods",
      pods: names.size,
      times: Math.ceil(times / names.size),
      fields: distinct([...fields, ...template?.fields ?? []]),
    });
  }
  return [...out.values()];
}

/** Returns the restarts that changes and deletions of workloads cause, by their kind and owner. */
function workloadRestarts(pods: PodOwners, writes: readonly ServerWrite[]): Map<string, Restart> {
  const out = new Map<string, Restart>();
  for (const [index, write] of writes.entries()) {
    if (write.resource === "pods" || NOT_ROLLED.has(write.resource)) continue;
    const object = write.object();
    if (!hasTemplate(object)) continue;
    const cause = isDeletion(write)
      ? deletionRestart(object, recreated(write, writes, index))
      : templateRestart(write.type === "MODIFIED" ? write.previous() : undefined, object);
    if (cause === undefined) continue;
    const owner = objectName(write);
    const id = `${cause.how} ${owner}`;
    const known = out.get(id);
    out.set(id, {
      owner,
      how: cause.how,
      pods: pods.countOf(object),
      times: (known?.times ?? 0) + 1,
      fields: distinct([...known?.fields ?? [], ...cause.fields]),
    });
  }
  return out;
}

type RestartCause = Pick<Restart, "fields" | "how">;

/** Returns why the deletion of a workload replaces its Pods; undefined if it does not. */
function deletionRestart(old: KubeObject, next: KubeObject | undefined): RestartCause | undefined {
  // Orphans stay, and the new object adopts them.
  if (old.metadata.finalizers?.includes("orphan")) return next && templateRestart(old, next);
  const fields = next === undefined ? [] : changedFields(old, next, "spec.");
  return { how: "deletes the owner", fields };
}

/** Returns why a change of a workload replaces its Pods; undefined if it does not. */
function templateRestart(old: KubeObject | undefined, next: KubeObject): RestartCause | undefined {
  if (old === undefined) return undefined;
  const fields = changedFields(old, next, "spec.template.");
  return fields.length === 0 ? undefined : { how: howOf(next), fields };
}

/** Returns the object that takes the name of a deleted one. */
function recreated(
  { name, namespace, resource }: ServerWrite,
  writes: readonly ServerWrite[],
  from: number,
): KubeObject | undefined {
  return writes.find((write, i) =>
    i > from && write.type === "ADDED" && write.resource === resource && write.name === name &&
    write.namespace === namespace
  )?.object();
}

/** The deletions of the Pods of one owner. */
interface PodDeletions {
  readonly names: Set<string>;
  times: number;
  readonly fields: RestartField[];
}

/** Returns the deletions of Pods, by their owner. */
function podDeletions(
  pods: PodOwners,
  writes: readonly ServerWrite[],
): ReadonlyMap<string, PodDeletions> {
  const out = new Map<string, PodDeletions>();
  for (const [index, write] of writes.entries()) {
    if (write.resource !== "pods" || !isDeletion(write)) continue;
    const old = write.previous() ?? write.object();
    const owner = pods.ownerOf(old) ?? objectName(write);
    const known = out.get(owner) ?? { names: new Set(), times: 0, fields: [] };
    known.names.add(write.name);
    known.times++;
    known.fields.push(...podFields(old, successor(write, old, writes, index)));
    out.set(owner, known);
  }
  return out;
}

function distinct(fields: readonly RestartField[]): readonly RestartField[] {
  const out = new Map<string, RestartField>();
  for (const one of fields) {
    out.set(one.field, { ...one, from: (out.get(one.field) ?? one).from });
  }
  return [...out.values()];
}

/** Returns a text that is the same for the same restart in another run. */
export function restartKey({ fields, how, owner }: Restart): string {
  return `${owner} ${how} ${fields.map(({ field }) => field).sort().join(" ")}`;
}

function howOf(object: KubeObject): Restart["how"] {
  const { spec } = object as { spec?: { updateStrategy?: { type?: string } } };
  return spec?.updateStrategy?.type === "OnDelete" ? "on delete" : "rolls";
}

function hasTemplate(object: KubeObject): boolean {
  const { spec } = object as { spec?: { template?: { spec?: { containers?: unknown } } } };
  return isRecord(spec) && Array.isArray(spec.template?.spec?.containers);
}

function changedFields(
  before: KubeObject | undefined,
  after: KubeObject,
  prefix: string,
): RestartField[] {
  return fieldChanges(before, after)
    .filter(({ path }) => path.startsWith(prefix))
    .map(({ after: to, before: from, path: field }) => ({ field, from, to }));
}

function podFields(old: KubeObject, next: KubeObject | undefined): RestartField[] {
  if (next === undefined) return [];
  return [...changedFields(old, next, "spec."), ...changedFields(old, next, "metadata.")]
    .filter(({ field }) => !SET_BY_CLUSTER.test(field));
}

/** Returns the Pod that replaces another one: it has the same name, or the same prefix of a generated one. */
function successor(
  { name, namespace }: ServerWrite,
  old: KubeObject,
  writes: readonly ServerWrite[],
  from: number,
): KubeObject | undefined {
  const { generateName } = old.metadata;
  const owner = ownerUid(old);
  return writes.find((write, i) => {
    if (i <= from || write.resource !== "pods" || write.type !== "ADDED") return false;
    if (write.namespace !== namespace) return false;
    if (write.name === name) return true;
    if (generateName === undefined || owner === undefined) return false;
    const next = write.object();
    return next.metadata.generateName === generateName && ownerUid(next) === owner;
  })?.object();
}

/** The owners of the Pods of a state. */
export class PodOwners {
  /** The owner of each object that owns something, by UIDs. */
  readonly #owners = new Map<
    string,
    { readonly name: string; readonly owner: string | undefined }
  >();
  readonly #pods = new Map<string, number>();

  constructor({ objects }: ServerState) {
    for (const { resource, text } of objects) {
      const object = parseJson(text) as KubeObject;
      const { metadata } = object;
      const owner = ownerUid(object);
      this.#owners.set(metadata.uid ?? "", {
        name: `${resource} ${keyOf(metadata.namespace ?? "", metadata.name ?? "")}`,
        owner,
      });
      if (resource === "pods" && owner !== undefined) {
        this.#pods.set(owner, (this.#pods.get(owner) ?? 0) + 1);
      }
    }
    // A Deployment has the Pods of its ReplicaSets.
    for (const [uid, count] of [...this.#pods]) {
      let next = this.#owners.get(uid)?.owner;
      for (let depth = 0; next !== undefined && depth < 10; depth++) {
        this.#pods.set(next, (this.#pods.get(next) ?? 0) + count);
        next = this.#owners.get(next)?.owner;
      }
    }
  }

  /** Returns the number of Pods of a workload. */
  countOf(object: KubeObject): number {
    const counted = this.#pods.get(object.metadata.uid ?? "");
    if (counted !== undefined) return counted;
    const { spec, status } = object as {
      spec?: { replicas?: number };
      status?: { desiredNumberScheduled?: number };
    };
    return spec?.replicas ?? status?.desiredNumberScheduled ?? 1;
  }

  /** Returns the name of the workload of a Pod; undefined if it has none. */
  ownerOf(pod: KubeObject): string | undefined {
    const owner = this.#owners.get(ownerUid(pod) ?? "");
    if (owner === undefined) return undefined;
    if (!owner.name.startsWith("replicasets.apps ")) return owner.name;
    // A ReplicaSet works for its Deployment.
    return this.#owners.get(owner.owner ?? "")?.name ?? owner.name;
  }
}

function ownerUid(object: KubeObject): string | undefined {
  return (controllerOf(object) ?? object.metadata.ownerReferences?.[0])?.uid;
}
