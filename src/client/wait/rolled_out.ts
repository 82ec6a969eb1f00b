import type { KubeObject, Stored } from "../../types/mod.ts";
import { conditionOf } from "./conditions.ts";
import { nameOf, type ObjectPredicate, objectPredicate, type Verdict } from "./wait_predicate.ts";

/** The fields of Deployments, StatefulSets and DaemonSets that say how far a roll-out is. */
interface Workload extends KubeObject {
  readonly spec?: {
    readonly replicas?: number;
    readonly updateStrategy?: {
      readonly type?: string;
      readonly rollingUpdate?: { readonly partition?: number };
    };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly readyReplicas?: number;
    readonly availableReplicas?: number;
    readonly currentRevision?: string;
    readonly updateRevision?: string;
    readonly desiredNumberScheduled?: number;
    readonly updatedNumberScheduled?: number;
    readonly numberAvailable?: number;
  };
}

/**
 * Waits until a Deployment, a StatefulSet or a DaemonSet is rolled out, by the rules of `kubectl rollout status`: its
 * controller has seen the newest generation, all Pods are of the newest template, and they are available (ready, for a
 * StatefulSet).
 *
 * The wait ends at once, with an error, if a Deployment exceeds its progress deadline, if the update strategy is
 * `OnDelete`, so that nothing rolls out, and for objects of another kind.
 *
 * @example
 * ```ts
 * import { Client, rolledOut } from "@kubeloop/controller/client";
 * import { Deployments } from "@kubeloop/controller/types";
 * import { ApiServer, VirtualClock } from "@kubeloop/testing";
 * import { assertRejects } from "@std/assert";
 *
 * const clock = new VirtualClock();
 * await using server = new ApiServer({ clock });
 * await using client = new Client(server.clientOptions);
 * const namespace = "default";
 * await client.create(Deployments, {
 *   metadata: { name: "web", namespace },
 *   spec: {
 *     replicas: 3,
 *     selector: { matchLabels: { app: "web" } },
 *     template: {
 *       metadata: { labels: { app: "web" } },
 *       spec: { containers: [{ name: "main", image: "nginx" }] },
 *     },
 *   },
 * });
 * await client.patchStatus(Deployments, "web", {
 *   status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1 },
 * }, { namespace });
 * const waiting = client.waitFor(Deployments, "web", rolledOut, { namespace, timeoutMs: 30_000 });
 * await assertRejects(
 *   () => clock.run(waiting),
 *   DOMException,
 *   "Deployment default/web was not rolled out within 30000 ms: 1 of 3 replicas are updated",
 * );
 * ```
 */
export const rolledOut: ObjectPredicate = objectPredicate("was not rolled out", (object) => {
  const judge = JUDGES[object.kind ?? ""];
  if (judge === undefined || object.apiVersion?.startsWith("apps/") !== true) {
    throw new TypeError(
      "rolledOut is for Deployments, StatefulSets and DaemonSets of the group apps: received " +
        `${
          nameOf(object.kind ?? "an object", object.metadata.name, object.metadata.namespace)
        } of ${object.apiVersion ?? "an unknown group"}`,
    );
  }
  return judge(object as Stored<Workload>);
});

const UNOBSERVED = "its controller has not yet seen the last change";

const JUDGES: Readonly<Record<string, ((object: Stored<Workload>) => Verdict) | undefined>> = {
  Deployment(object) {
    const { replicas = 1 } = object.spec ?? {};
    if (!isObserved(object)) return UNOBSERVED;
    const { updatedReplicas = 0, availableReplicas = 0, replicas: all = 0 } = object.status ?? {};
    if (conditionOf(object, "Progressing")?.reason === "ProgressDeadlineExceeded") {
      throw new Error(`${shown(object)} exceeded its progress deadline`);
    }
    if (updatedReplicas < replicas) {
      return `${updatedReplicas} of ${replicas} replicas are updated`;
    }
    if (all > updatedReplicas) {
      return `${all - updatedReplicas} old replicas have not terminated`;
    }
    return availableReplicas >= updatedReplicas ||
      `${availableReplicas} of ${updatedReplicas} updated replicas are available`;
  },

  StatefulSet(object) {
    requireRollingUpdate(object);
    const { replicas = 1, updateStrategy } = object.spec ?? {};
    const {
      observedGeneration = 0,
      readyReplicas = 0,
      updatedReplicas = 0,
      currentRevision,
      updateRevision,
    } = object.status ?? {};
    if (observedGeneration === 0 || !isObserved(object)) return UNOBSERVED;
    if (readyReplicas < replicas) return `${readyReplicas} of ${replicas} replicas are ready`;
    // The server sets the partition; without one, the revisions tell.
    if (updateStrategy?.rollingUpdate !== undefined) {
      const { partition = 0 } = updateStrategy.rollingUpdate;
      const wanted = Math.max(0, replicas - partition);
      return updatedReplicas >= wanted || `${updatedReplicas} of ${wanted} replicas are updated`;
    }
    return updateRevision === currentRevision ||
      `${updatedReplicas} of ${replicas} replicas are updated`;
  },

  DaemonSet(object) {
    requireRollingUpdate(object);
    if (!isObserved(object)) return UNOBSERVED;
    const { desiredNumberScheduled = 0, updatedNumberScheduled = 0, numberAvailable = 0 } =
      object.status ?? {};
    if (updatedNumberScheduled < desiredNumberScheduled) {
      return `${updatedNumberScheduled} of ${desiredNumberScheduled} Pods are updated`;
    }
    return numberAvailable >= desiredNumberScheduled ||
      `${numberAvailable} of ${desiredNumberScheduled} Pods are available`;
  },
};

function isObserved({ metadata, status }: Stored<Workload>): boolean {
  return (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
}

function requireRollingUpdate(object: Stored<Workload>): void {
  const type = object.spec?.updateStrategy?.type ?? "RollingUpdate";
  if (type === "RollingUpdate") return;
  throw new Error(
    `${shown(object)} has the update strategy ${type}: rolledOut needs RollingUpdate`,
  );
}

function shown({ kind, metadata: { name, namespace } }: Stored<Workload>): string {
  return nameOf(kind ?? "Workload", name, namespace);
}
