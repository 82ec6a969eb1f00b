import {
  describeError,
  isSignal,
  type OptionChecks,
  parseCount,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  controllerOf,
  type DeepReadonly,
  defineResource,
  type KubeObject,
  type LabelSelector,
  labelSelectorAsSelector,
  type PodTemplateSpec,
  ReplicaSets,
  type Resource,
  type ResourceDescriptor,
  type Stored,
} from "@kubeloop/controller/types";
import { shownBy } from "./shown.ts";
import { type ObjectTarget, type Place, placeOf } from "./target.ts";

const REVISION = "deployment.kubernetes.io/revision";
const CHANGE_CAUSE = "kubernetes.io/change-cause";
const TEMPLATE_HASH = "pod-template-hash";

/** A revision of a workload: its current or an earlier Pod template. */
export interface RolloutRevision {
  /** The number of the revision. */
  readonly revision: number;
  /** The annotation `kubernetes.io/change-cause`. */
  readonly changeCause: string | undefined;
  /** Whether this is the current revision. */
  readonly isCurrent: boolean;
  /** The template of the Pods. */
  readonly template: DeepReadonly<PodTemplateSpec>;
  /** The ReplicaSet or ControllerRevision that keeps the template. */
  readonly object: Stored<KubeObject>;
}

/** A workload with a Pod template. */
export interface Workload extends KubeObject {
  readonly spec?: {
    readonly selector?: LabelSelector;
    readonly paused?: boolean;
    readonly template?: PodTemplateSpec;
  };
  readonly status?: { readonly updateRevision?: string };
}

/** A ControllerRevision: a Pod template of a StatefulSet or a DaemonSet. */
export interface ControllerRevision extends KubeObject {
  readonly revision: number;
  /** A strategic merge patch of the workload. */
  readonly data?: { readonly spec?: { readonly template?: PodTemplateSpec } };
}

const ControllerRevisions: Resource<ControllerRevision> = defineResource<ControllerRevision>({
  group: "apps",
  version: "v1",
  plural: "controllerrevisions",
  kind: "ControllerRevision",
  namespaced: true,
});

const KINDS = ["Deployment", "StatefulSet", "DaemonSet"];

const CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = { signal: isSignal };

/**
 * Returns the stored revisions of a Deployment, StatefulSet or DaemonSet, as `kubectl rollout history` does.
 *
 * @param client The client that makes the requests.
 * @param target The workload.
 * @param options A signal that stops the requests.
 * @returns The revisions, oldest first.
 * @throws {TypeError} If the target is of another kind.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { rolloutHistory } from "@kubeloop/kubectl";
 * import { Deployments } from "@kubeloop/controller/types";
 *
 * async function imagesOf(client: Client, name: string, namespace: string) {
 *   const revisions = await rolloutHistory(client, { resource: Deployments, name, namespace });
 *   return revisions.map(({ template }) => template.spec?.containers[0]?.image);
 * }
 * ```
 */
export async function rolloutHistory(
  client: Client,
  target: ObjectTarget,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<RolloutRevision[]> {
  requireOptions("rolloutHistory()", options, CHECKS);
  const place = await placeOf(client, target, "rolloutHistory", options.signal);
  const { workload } = await readWorkload(client, place, "rolloutHistory", options.signal);
  return await revisionsOf(client, place, workload, options.signal);
}

/**
 * Reads a workload.
 *
 * @throws {TypeError} If its kind does not roll out.
 */
export async function readWorkload(
  client: Client,
  { resource, name, namespace }: Place,
  fn: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly resource: Resource<Workload>; readonly workload: Stored<Workload> }> {
  requireWorkload(resource, fn, client);
  const ofWorkload = resource as Resource<Workload>;
  const workload = await client.get(ofWorkload, name, { namespace, signal });
  return { resource: ofWorkload, workload };
}

/** Returns the selector of a workload as text. Throws if the server has sent an invalid selector. */
function selectorText(client: Client, selector: LabelSelector): string {
  try {
    return labelSelectorAsSelector(selector).toString();
  } catch (error) {
    throw new TypeError(`Cannot read spec.selector: ${shownBy(client)(describeError(error))}`);
  }
}

/** Returns the revisions of a workload, oldest first. */
export async function revisionsOf(
  client: Client,
  { resource, namespace }: Place,
  workload: Stored<Workload>,
  signal: AbortSignal | undefined,
): Promise<RolloutRevision[]> {
  const { selector } = workload.spec ?? {};
  const labelSelector = selector && selectorText(client, selector);
  const call = { namespace, labelSelector, signal };
  const isOwn = (object: KubeObject) => controllerOf(object)?.uid === workload.metadata.uid;
  let revisions: RolloutRevision[];
  if (resource.kind === "Deployment") {
    const current = workload.metadata.annotations?.[REVISION];
    const { items } = await client.list(ReplicaSets, call);
    revisions = items.filter(isOwn).map((object) => {
      const number = object.metadata.annotations?.[REVISION];
      const template = withoutHash(object.spec?.template ?? {});
      return revisionOf(revisionNumber(number), object, number === current, template);
    });
  } else {
    const { items } = await client.list(ControllerRevisions, call);
    const own = items.filter(isOwn);
    const newest = own.reduce((max, { revision }) => Math.max(max, revisionNumber(revision)), 0);
    const { updateRevision } = workload.status ?? {};
    revisions = own.map((object) => {
      const isCurrent = resource.kind === "StatefulSet" && updateRevision !== undefined
        ? object.metadata.name === updateRevision
        : revisionNumber(object.revision) === newest;
      const { $patch: _, ...template } = (object.data?.spec?.template ?? {}) as
        & PodTemplateSpec
        & { $patch?: string };
      return revisionOf(revisionNumber(object.revision), object, isCurrent, template);
    });
  }
  return revisions.sort((a, b) => a.revision - b.revision);
}

/** @throws {TypeError} If a resource does not roll out. */
function requireWorkload(resource: ResourceDescriptor, fn: string, client: Client): void {
  if (resource.group === "apps" && KINDS.includes(resource.kind)) return;
  throw new TypeError(
    `${fn}() is for Deployments, StatefulSets and DaemonSets of the group apps: received ` +
      shownBy(client)(`${resource.kind} of ${resource.group || "the core group"}`),
  );
}

/** Parses the number of a revision from an annotation or a field. Returns 0 if it is not a whole number. */
function revisionNumber(revision: unknown): number {
  return parseCount(String(revision), Number.MAX_SAFE_INTEGER) ?? 0;
}

function revisionOf(
  revision: number,
  object: Stored<KubeObject>,
  isCurrent: boolean,
  template: PodTemplateSpec,
): RolloutRevision {
  const changeCause = object.metadata.annotations?.[CHANGE_CAUSE];
  return { revision, changeCause, isCurrent, template, object };
}

function withoutHash(template: PodTemplateSpec): PodTemplateSpec {
  const { [TEMPLATE_HASH]: _, ...labels } = template.metadata?.labels ?? {};
  return { ...template, metadata: { ...template.metadata, labels } };
}
