import type { KubeObject, Resource } from "@kubeloop/controller/types";
import { Run } from "./run.ts";
import type { Setup } from "./world/mod.ts";
import { create, type Step } from "./plans/mod.ts";
import { keyOf } from "./record/mod.ts";

/** Steps that create the objects in their final form. */
export interface Shortcut {
  readonly steps: readonly Step<never>[];
  /** The number of steps of the workload that lead to the same desired state. */
  readonly upTo: number;
}

/**
 * Returns the shortcut of a workload up to its first delete. Returns undefined if the workload has custom or bad steps or upgrades, or
 * if no object is written twice.
 */
export async function shortcutOf<C>(setup: Setup<C>, seed: number): Promise<Shortcut | undefined> {
  const { workload } = setup.options;
  if (workload.some(({ kind, isBad }) => kind === "act" || kind === "upgrade" || isBad)) {
    return undefined;
  }
  const removes = workload.findIndex(({ text }) => text.startsWith("delete "));
  const upTo = removes < 0 ? workload.length : removes;
  const writes = workload.slice(0, upTo).filter(({ kind }) => kind === "write");
  const targets = new Set(writes.map(({ target }) => JSON.stringify(target)));
  if (writes.length === targets.size) return undefined;
  const run = new Run(setup, { seed, faults: [] }, {
    isEmpty: true,
    workload: writes as readonly Step<never>[],
  });
  const steps: Step<never>[] = [];
  const seen = new Set<string>();
  await run.execute(({ server }) => {
    for (const { target } of writes) {
      const { name, namespace, resource } = target!;
      const key = `${resource.plural} ${namespace}/${name}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const object = server.get(resource as Resource, name, namespace);
      if (object === undefined) continue;
      const { apiVersion: _, kind: __, metadata, status: ___, ...rest } = object as KubeObject & {
        status?: unknown;
      };
      const { annotations, finalizers, labels } = metadata;
      const kept = {
        ...(annotations && { annotations }),
        ...(finalizers && { finalizers }),
        ...(labels && { labels }),
      };
      steps.push(create(resource as Resource, keyOf(namespace, name), { ...rest, metadata: kept }));
    }
  });
  return { steps, upTo };
}
