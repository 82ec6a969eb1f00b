import {
  type Clock,
  type Random,
  requireCount,
  requireDelay,
  requireEach,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  isNotFound,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
} from "@kubeloop/controller/types";

/** The environment of a neighbour. */
export interface NeighbourEnv {
  /** A client that acts under the name of the neighbour. */
  readonly client: Client;
  /** The virtual clock. */
  readonly clock: Clock;
  /** The random source of the neighbour. */
  readonly random: Random;
}

/**
 * Another program in the cluster with wishes of its own. No faults concern it: its writes are part of the run without
 * faults. {@linkcode hpa}, {@linkcode gitOps}, {@linkcode kubectlEdit} and {@linkcode defaultingWebhook} make the usual ones.
 */
export interface Neighbour {
  /** The name, by which reports call it. */
  readonly name: string;
  /** Called at the start of a run, before the processes start. A failure is tried again a minute later. */
  readonly start?: ((env: NeighbourEnv) => unknown) | undefined;
  /** Changes the objects of some resources when they are created or updated, as a mutating webhook does. */
  readonly defaults?: {
    /** The resources whose objects are changed. */
    readonly resources: readonly ResourceDescriptor[];
    /** Changes the object that it gets. */
    change(object: KubeObject): void;
  } | undefined;
}

/** Returns the object that a neighbour writes. */
function targetOf(descriptor: ResourceDescriptor, key: string) {
  const slash = key.indexOf("/");
  const namespace = slash < 0 ? "default" : key.slice(0, slash);
  return {
    resource: descriptor as Resource,
    name: key.slice(slash + 1),
    call: descriptor.namespaced ? { namespace } : {},
  };
}

/** Calls `work` now and every `everyMs`, also after a failure. */
function every(clock: Clock, everyMs: number, work: () => Promise<unknown>): void {
  const next = () => void clock.setTimer(() => every(clock, everyMs, work), everyMs);
  work().then(next, next);
}

/**
 * A HorizontalPodAutoscaler: writes the number of replicas that it wants, by the subresource `scale` if the resource has one.
 *
 * @param descriptor The resource of the object.
 * @param key The name of the object, in the namespace `default`, or `NAMESPACE/NAME`.
 * @param options `replicas`: the wished number. `everyMs`: how often it looks, by default each 15 seconds, as in
 * kube-controller-manager.
 *
 * @example
 * ```ts
 * import { Deployments } from "@kubeloop/controller/types";
 * import { hpa } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(hpa(Deployments, "web", { replicas: 3 }).name, "horizontal-pod-autoscaler");
 * ```
 */
export function hpa(
  descriptor: ResourceDescriptor,
  key: string,
  options: { readonly replicas: number; readonly everyMs?: number | undefined },
): Neighbour {
  const { replicas, everyMs = 15_000 } = options;
  requireCount("replicas", replicas, 0);
  requireEach(requireDelay, { everyMs });
  const { call, name, resource } = targetOf(descriptor, key);
  return {
    name: "horizontal-pod-autoscaler",
    start: ({ client, clock }) =>
      every(clock, everyMs, async () => {
        const { spec } = await client.get(resource, name, call) as {
          spec?: { replicas?: number };
        };
        if (spec?.replicas === replicas) return;
        const patch = { spec: { replicas } };
        await client.patch(resource, name, patch as never, { ...call, subresource: "scale" })
          .catch((error) => {
            if (!isNotFound(error)) throw error;
            return client.patch(resource, name, patch as never, call);
          });
      }),
  };
}

/**
 * A tool such as Argo CD or Flux: applies the objects of a repository again and again, with force, so that what others change
 * in them is set back.
 *
 * @param manifests The objects, each with its resource.
 * @param options `everyMs`: how often it applies them, by default each 3 minutes, as Argo CD does.
 *
 * @example
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { gitOps } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const object = { metadata: { name: "settings" }, data: { mode: "fast" } };
 * assertEquals(gitOps([{ resource: ConfigMaps, object }]).name, "gitops");
 * ```
 */
export function gitOps(
  manifests: readonly { readonly resource: ResourceDescriptor; readonly object: KubeObject }[],
  options: { readonly everyMs?: number | undefined } = {},
): Neighbour {
  const { everyMs = 180_000 } = options;
  requireEach(requireDelay, { everyMs });
  return {
    name: "gitops",
    start: ({ client, clock }) =>
      every(clock, everyMs, async () => {
        for (const { resource, object } of manifests) {
          const { namespace = "default" } = object.metadata;
          const call = {
            fieldManager: "gitops",
            force: true,
            ...resource.namespaced && { namespace },
          };
          await client.apply(resource as Resource, object as never, call);
        }
      }),
  };
}

/**
 * A person who edits an object of a controller by hand, once: as soon as it exists and `afterMs` have passed.
 *
 * @param descriptor The resource.
 * @param key The name of the object, in the namespace `default`, or `NAMESPACE/NAME`.
 * @param change The change, as a JSON merge patch.
 * @param options `afterMs`: the time from the start of the run, in milliseconds. Default 10,000.
 *
 * @example
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { kubectlEdit } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const edit = kubectlEdit(ConfigMaps, "web-config", { data: { debug: "true" } });
 * assertEquals(edit.name, "kubectl-edit");
 * ```
 */
export function kubectlEdit(
  descriptor: ResourceDescriptor,
  key: string,
  change: Readonly<Record<string, unknown>>,
  options: { readonly afterMs?: number | undefined } = {},
): Neighbour {
  const { afterMs = 10_000 } = options;
  requireEach(requireDelay, { afterMs });
  const { call, name, resource } = targetOf(descriptor, key);
  return {
    name: "kubectl-edit",
    start: ({ client, clock }) => {
      const edit = () =>
        void client.patch(resource, name, change as never, call)
          .catch(() => void clock.setTimer(edit, 1000));
      clock.setTimer(edit, afterMs);
    },
  };
}

/**
 * A mutating webhook that fills in fields when objects are created or updated, as service meshes and policy engines do.
 *
 * @param resources The resources whose objects it changes.
 * @param change Changes the object that it gets.
 *
 * @example
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { defaultingWebhook } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const webhook = defaultingWebhook([ConfigMaps], ({ metadata }) => {
 *   metadata.labels = { ...metadata.labels, team: "a" };
 * });
 * assertEquals(webhook.name, "defaulting-webhook");
 * ```
 */
export function defaultingWebhook(
  resources: readonly ResourceDescriptor[],
  change: (object: KubeObject) => void,
): Neighbour {
  return { name: "defaulting-webhook", defaults: { resources, change } };
}
