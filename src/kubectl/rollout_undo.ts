import {
  isCount,
  isFlag,
  isRecord,
  isSignal,
  type OptionChecks,
  realClock,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client, JsonPatchOperation } from "@kubeloop/controller/client";
import {
  formatTime,
  isInvalid,
  type KubeObject,
  type Stored,
  type StrategicMergePatch,
} from "@kubeloop/controller/types";
import {
  type ControllerRevision,
  readWorkload,
  revisionsOf,
  type RolloutRevision,
  type Workload,
} from "./rollout_history.ts";
import { shownBy } from "./shown.ts";
import { type ObjectTarget, placeOf } from "./target.ts";

const RESTARTED_AT = "kubectl.kubernetes.io/restartedAt";
const CHANGE_CAUSE = "kubernetes.io/change-cause";

/** Options of {@linkcode rolloutRestart}. */
export interface RolloutOptions {
  /** Whether the server only tries the change. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Stops the requests. */
  readonly signal?: AbortSignal | undefined;
}

/** Options of {@linkcode rolloutUndo}. */
export interface RolloutUndoOptions extends RolloutOptions {
  /** The number of the revision to return to. Default: the previous revision. */
  readonly toRevision?: number | undefined;
}

const CHECKS: OptionChecks<RolloutOptions> = { dryRun: isFlag, signal: isSignal };
const UNDO_CHECKS: OptionChecks<RolloutUndoOptions> = { ...CHECKS, toRevision: isCount(1) };

/**
 * Returns a Deployment, StatefulSet or DaemonSet to the template of an earlier revision, as `kubectl rollout undo` does.
 *
 * @param client The client that makes the requests.
 * @param target The workload.
 * @param options The revision.
 * @returns The changed workload.
 * @throws {Error} If there is no such revision, or if the Deployment is paused.
 *
 * @example
 * ```ts
 * import type { Client } from "@kubeloop/controller/client";
 * import { rolloutUndo } from "@kubeloop/kubectl";
 * import { Deployments } from "@kubeloop/controller/types";
 *
 * async function rollBack(client: Client, name: string) {
 *   await rolloutUndo(client, { resource: Deployments, name, namespace: "default" });
 * }
 * ```
 */
export async function rolloutUndo(
  client: Client,
  target: ObjectTarget,
  options: RolloutUndoOptions = {},
): Promise<Stored<KubeObject>> {
  requireOptions("rolloutUndo()", options, UNDO_CHECKS);
  const { dryRun, signal, toRevision } = options;
  const place = await placeOf(client, target, "rolloutUndo", signal);
  const { name, namespace } = place;
  const { resource, workload } = await readWorkload(client, place, "rolloutUndo", signal);
  const what = shownBy(client)(`${resource.kind} ${namespace}/${name}`);
  requireNotPaused(workload, what, "roll back");
  const revisions = await revisionsOf(client, place, workload, signal);
  const wanted = toRevision === undefined
    ? revisions.filter(({ isCurrent }) => !isCurrent).at(-1)
    : revisions.find(({ revision }) => revision === toRevision);
  if (wanted === undefined) {
    const known = revisions.map(({ revision }) => revision).join(", ") || "none";
    throw new Error(
      `Cannot roll back ${what}: it has no revision ${
        toRevision ?? "before the current one"
      }; the revisions are ${known}`,
    );
  }
  if (!isRecord(wanted.template.spec)) {
    throw new Error(
      `Cannot roll back ${what}: revision ${wanted.revision} has no template of Pods`,
    );
  }
  const call = { namespace, dryRun, signal };
  if (resource.kind === "Deployment") {
    const operations = undoOperations(workload, wanted);
    try {
      return await client.patch(resource, name, operations, { ...call, type: "json" });
    } catch (error) {
      if (!isInvalid(error)) throw error;
      // The server does not say which test of a patch has failed.
      const { workload: { metadata } } = await readWorkload(client, place, "rolloutUndo", signal);
      if (metadata.uid === workload.metadata.uid) throw error;
      throw new Error(`Cannot roll back ${what}: it was created again meanwhile`, { cause: error });
    }
  }
  // The data of a ControllerRevision is such a patch, which replaces the template as a whole.
  const { data } = wanted.object as Stored<ControllerRevision>;
  const { uid } = workload.metadata;
  const patch = {
    metadata: { uid },
    spec: { template: data?.spec?.template },
  } as StrategicMergePatch<Workload>;
  return await client.patch(resource, name, patch, { ...call, type: "strategic" });
}

function undoOperations(
  { metadata }: Stored<Workload>,
  { changeCause, template }: RolloutRevision,
): JsonPatchOperation[] {
  const operations: JsonPatchOperation[] = [
    { op: "test", path: "/metadata/uid", value: metadata.uid },
    { op: "replace", path: "/spec/template", value: template },
  ];
  if (changeCause === undefined) return operations;
  if (metadata.annotations !== undefined) {
    // Keep the other annotations: another client may have changed them since the read.
    const path = `/metadata/annotations/${CHANGE_CAUSE.replace("/", "~1")}`;
    return [...operations, { op: "add", path, value: changeCause }];
  }
  // Adding the whole map would remove annotations that another client has added since the read.
  const { resourceVersion } = metadata;
  return [
    ...operations,
    { op: "test", path: "/metadata/resourceVersion", value: resourceVersion },
    { op: "add", path: "/metadata/annotations", value: { [CHANGE_CAUSE]: changeCause } },
  ];
}

/**
 * Replaces the Pods of a Deployment, StatefulSet or DaemonSet step by step, as `kubectl rollout restart` does: it sets an
 * annotation of the template to the current time, in whole seconds.
 *
 * @param client The client that makes the requests.
 * @param target The workload.
 * @param options Whether to try it only, and a signal.
 * @returns The workload.
 * @throws {Error} If the Deployment is paused.
 *
 * @example
 * ```ts
 * import type { Client } from "@kubeloop/controller/client";
 * import { rolloutRestart, rolloutStatus } from "@kubeloop/kubectl";
 * import { Deployments } from "@kubeloop/controller/types";
 *
 * async function restart(client: Client, name: string) {
 *   const target = { resource: Deployments, name, namespace: "default" };
 *   await rolloutRestart(client, target);
 *   for await (const { message } of rolloutStatus(client, target)) console.log(message);
 * }
 * ```
 */
export async function rolloutRestart(
  client: Client,
  target: ObjectTarget,
  options: RolloutOptions = {},
): Promise<Stored<KubeObject>> {
  requireOptions("rolloutRestart()", options, CHECKS);
  const { dryRun, signal } = options;
  const place = await placeOf(client, target, "rolloutRestart", signal);
  const { name, namespace } = place;
  const { resource, workload } = await readWorkload(client, place, "rolloutRestart", signal);
  const what = shownBy(client)(`${resource.kind} ${namespace}/${name}`);
  requireNotPaused(workload, what, "restart");
  const { clock = realClock } = client.environment;
  const annotations = { [RESTARTED_AT]: formatTime(clock.wallNow()) };
  const patch = { spec: { template: { metadata: { annotations } } } };
  return await client.patch(resource, name, patch, { namespace, dryRun, signal });
}

function requireNotPaused({ spec }: Workload, what: string, verb: string): void {
  if (spec?.paused !== true) return;
  throw new Error(`Cannot ${verb} ${what}: it is paused, set spec.paused to false first`);
}
