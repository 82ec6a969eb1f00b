/**
 * Types and helpers of the examples in this folder. Each shows a published upgrade of an operator that restarted Pods by
 * surprise, and how a rehearsal names the field.
 *
 * @module
 */

import {
  type Cached,
  Controller,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import {
  type Process,
  type ProcessEnv,
  type Rehearsal,
  rehearse,
  type Restart,
} from "@kubeloop/testing/simulation";

/** A published upgrade, rebuilt small. */
export interface Upgrade {
  /** Where it was published. */
  readonly upstream: string;
  readonly world: readonly KubeObject[];
  readonly before: Process;
  readonly after: Process;
  /** The Pods that the rehearsal says are replaced. */
  readonly restarts: Pick<Restart, "owner" | "how" | "pods"> & {
    readonly fields: readonly string[];
  };
}

/** Returns an operator that reconciles each object of a resource, and all of them again every half an hour. */
export function operator<T extends KubeObject>(
  resource: Resource<T>,
  reconcile: (object: Cached<T>, env: ProcessEnv) => Promise<unknown>,
): Process {
  return async (env) => {
    const informer = new SharedInformerFactory(env.client).informer(resource);
    const controller = new Controller({
      informer,
      async reconcile(key) {
        const object = informer.indexer.getByKey(key);
        if (object === undefined) return;
        await reconcile(object, env);
        return { requeueAfterMs: 1_800_000 };
      },
    });
    await controller.run({ signal: env.signal });
  };
}

/** Returns a definition that allows any fields. */
export function definitionOf({ group, kind, plural, version }: Resource): KubeObject {
  const openAPIV3Schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: "Namespaced",
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  } as KubeObject;
}

/** Returns running Pods of a StatefulSet. */
export function podsOf(set: string, uid: string, count: number): KubeObject[] {
  return Array.from({ length: count }, (_, i) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: `${set}-${i}`,
      namespace: "default",
      labels: { app: set },
      ownerReferences: [{
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        name: set,
        uid,
        controller: true,
      }],
    },
    spec: { nodeName: "node-1", containers: [{ name: "main", image: "main:1" }] },
    status: { phase: "Running" },
  } as KubeObject));
}

/** Rehearses an upgrade, and prints the report. */
export async function demonstrate({ after, before, upstream, world }: Upgrade): Promise<Rehearsal> {
  const rehearsal = await rehearse({ world, before, after });
  console.log(`${upstream}\n${rehearsal}`);
  return rehearsal;
}
