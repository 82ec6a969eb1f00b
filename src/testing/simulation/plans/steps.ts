import type { Clock, Random } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import { requireDelay, requireEach, showJson } from "@kubeloop/controller/internal/base";
import {
  isAlreadyExists,
  isNotFound,
  type KubeObject,
  type Resource,
  type ResourceDescriptor,
} from "@kubeloop/controller/types";
import { keyOf, type WriteBy } from "../record/mod.ts";
import type { Actors } from "../../actors/mod.ts";
import type { ApiServer } from "../../api_server/mod.ts";

/** The parts of a simulated world that an invariant and a custom step see. */
export interface Scene<C = undefined> {
  /** The API server, to read from: `server.get`, `server.objects`, `server.count`. */
  readonly server: ApiServer;
  /** The virtual clock. */
  readonly clock: Clock;
  /** The external world. */
  readonly cloud: C;
  /** Returns the writes so far with their writers, the newest one last. */
  writes(): readonly WriteBy[];
}

/** The parts of a simulated world that a custom step sees. */
export interface StepScene<C = undefined> extends Scene<C> {
  /** A client that acts as the user of the cluster. */
  readonly client: Client;
  /** The actors, such as kubelets; undefined without `world.actors`. */
  readonly actors: Actors | undefined;
  /** The random source of the step. */
  readonly random: Random;
  /** Replaces a process by another version of it. */
  upgrade(process: (env: never) => unknown, options?: UpgradeOptions): void;
}

/** Options of {@linkcode upgrade}. */
export interface UpgradeOptions {
  /** The name of the process, or of one replica. Default: the first one. */
  readonly name?: string | undefined;
  /** The time after which the old version is killed, if it does not stop by itself, in milliseconds. Default 30,000. */
  readonly graceMs?: number | undefined;
}

/** The object that a step acts on. */
export interface StepTarget {
  /** The resource of the object. */
  readonly resource: ResourceDescriptor;
  /** The namespace of the object; empty if the resource has none. */
  readonly namespace: string;
  /** The name of the object. */
  readonly name: string;
}

/** Which properties of an object a campaign changes. */
export interface CampaignScope {
  /** The levels of nesting below `spec`. */
  readonly depth: number;
  /** The paths that are not changed, as in `spec.storage.class`. */
  readonly except: ReadonlySet<string>;
}

/** One step of the workload of a simulation. Create steps with `create`, `patch`, `settle` and so on. */
export interface Step<C = undefined> {
  /** The step in words. */
  readonly text: string;
  /** The kind of the step. */
  readonly kind: "write" | "settle" | "wait" | "act" | "upgrade" | "change";
  /** The object that a step of the kind `write` or `change` acts on. */
  readonly target?: StepTarget | undefined;
  /** The finalizers that a step gives the object that it creates. */
  readonly finalizers?: readonly string[] | undefined;
  /** Whether the step is only done by the plans that try what happens after a bad step. */
  readonly isBad?: boolean | undefined;
  /** How long a step of the kind `wait` waits, and how long nothing may change for `settle`; in milliseconds. */
  readonly ms?: number | undefined;
  /** The properties that a step of the kind `change` changes, if the plan says so. */
  readonly campaign?: CampaignScope | undefined;
  /** Does the step. It is repeated each second until it succeeds. */
  run?(scene: StepScene<C>): Promise<unknown>;
}

function targetOf(resource: ResourceDescriptor, key: string): StepTarget {
  if (typeof key !== "string" || key === "") {
    throw new TypeError(
      `A step needs the name of an object, such as "w" or "default/w": received ${
        JSON.stringify(key)
      }`,
    );
  }
  const slash = key.indexOf("/");
  const namespace = resource.namespaced ? (slash < 0 ? "default" : key.slice(0, slash)) : "";
  return { resource, namespace, name: key.slice(slash + 1) };
}

/** Returns the options of a client call for a target. */
export function callOf({ namespace }: StepTarget): { namespace?: string } {
  return namespace === "" ? {} : { namespace };
}

function write<C>(
  verb: string,
  target: StepTarget,
  run: (client: Client, call: { namespace?: string }) => Promise<unknown>,
): Step<C> {
  const { name, namespace, resource } = target;
  return {
    text: `${verb} ${resource.kind} ${keyOf(namespace, name)}`,
    kind: "write",
    target,
    run: ({ client }) => run(client, callOf(target)),
  };
}

/**
 * A step that creates an object.
 *
 * @param resource The resource.
 * @param key The name of the object, in the namespace `default`, or `NAMESPACE/NAME`.
 * @param object The fields of the object besides its name, such as `spec`. Default: none.
 * @throws {TypeError} If the name is empty.
 *
 * @example
 * ```ts
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { create, patch, remove, settle } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const workload = [
 *   create(ConfigMaps, "settings", { data: { mode: "fast" } }),
 *   settle(),
 *   patch(ConfigMaps, "settings", { data: { mode: null } }),
 *   settle(),
 *   remove(ConfigMaps, "settings"),
 *   settle(),
 * ];
 * assertEquals(workload[0]?.text, "create ConfigMap default/settings");
 * ```
 */
export function create<T extends KubeObject>(
  resource: Resource<T>,
  key: string,
  object: Partial<T> = {},
): Step<never> {
  const target = targetOf(resource, key);
  const { finalizers } = object.metadata ?? {};
  const step = write<never>("create", target, async (client, call) => {
    const metadata = { ...object.metadata, name: target.name };
    try {
      await client.create(resource as Resource, { ...object, metadata } as never, call);
    } catch (error) {
      // The step may have succeeded before. If the object is terminating, the step is repeated until it is gone.
      if (!isAlreadyExists(error)) throw error;
      const { deletionTimestamp } =
        (await client.get(resource as Resource, target.name, call)).metadata;
      if (deletionTimestamp !== undefined) throw error;
    }
  });
  return finalizers === undefined ? step : { ...step, finalizers };
}

/**
 * A step that patches an object with a JSON merge patch: a field that is null is removed.
 *
 * @param resource The resource.
 * @param key The name of the object, in the namespace `default`, or `NAMESPACE/NAME`.
 * @param change The patch.
 */
export function patch(
  resource: ResourceDescriptor,
  key: string,
  change: Readonly<Record<string, unknown>>,
): Step<never> {
  const target = targetOf(resource, key);
  return write(
    `patch ${showJson(change)} into`,
    target,
    (client, call) => client.patch(resource as Resource, target.name, change as never, call),
  );
}

/** A step that patches the status of an object, as another controller would. See {@linkcode patch}. */
export function patchStatus(
  resource: ResourceDescriptor,
  key: string,
  status: Readonly<Record<string, unknown>>,
): Step<never> {
  const target = targetOf(resource, key);
  return {
    ...write(
      `patch status ${showJson(status)} into`,
      target,
      (client, call) =>
        client.patchStatus(resource as Resource, target.name, { status } as never, call),
    ),
    kind: "act",
  };
}

/**
 * A step that deletes an object. It does not wait until the object is gone; `settle` does.
 *
 * @param resource The resource.
 * @param key The name of the object, in the namespace `default`, or `NAMESPACE/NAME`.
 */
export function remove(resource: ResourceDescriptor, key: string): Step<never> {
  const target = targetOf(resource, key);
  return write("delete", target, async (client, call) => {
    try {
      await client.delete(resource as Resource, target.name, call);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  });
}

/**
 * A step that waits until everything has settled, which means that no object has changed for a while.
 *
 * @param options `quietMs`: the time without a change, in milliseconds. Default: `limits.quietMs` of the simulation,
 * which is 30,000.
 */
export function settle(options: { readonly quietMs?: number | undefined } = {}): Step<never> {
  if (options.quietMs !== undefined) requireEach(requireDelay, { quietMs: options.quietMs });
  return { text: "settle", kind: "settle", ms: options.quietMs };
}

/** A step that waits, in milliseconds of virtual time. */
export function wait(ms: number): Step<never> {
  requireEach(requireDelay, { ms });
  return { text: `wait ${ms} ms`, kind: "wait", ms };
}

/**
 * A step that runs a function, once a second until it does not throw.
 *
 * @param text The step in words.
 * @param run The function.
 *
 * @example A node fails
 * ```ts
 * import { act } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const step = act("the container crashes", ({ actors }) => actors?.crash("default/web-0"));
 * assertEquals(step.kind, "act");
 * ```
 */
export function act<C = undefined>(
  text: string,
  run: (scene: StepScene<C>) => unknown,
): Step<C> {
  return { text, kind: "act", run: async (scene) => void await run(scene) };
}

/**
 * A step that replaces a process by another version of it, as a rolling update of its Deployment does: the old version is
 * asked to stop, and the new one starts a second after it has. The plans try this in the middle of everything.
 *
 * @param process The new version. A later step can go back to the old one.
 *
 * @example
 * ```ts
 * import { upgrade } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const next = () => {};
 * assertEquals(upgrade(next, { name: "operator" }).text, "upgrade operator");
 * ```
 */
export function upgrade(
  process: (env: never) => unknown,
  options: UpgradeOptions = {},
): Step<never> {
  if (typeof process !== "function") {
    throw new TypeError(`upgrade() needs the program of a process: received ${showJson(process)}`);
  }
  const { graceMs = 0, name = "the process" } = options;
  requireEach(requireDelay, { graceMs });
  return {
    text: `upgrade ${name}`,
    kind: "upgrade",
    run: (scene) => Promise.resolve(scene.upgrade(process, options)),
  };
}

/**
 * Marks a step as a mistake of a user, such as an image that does not exist. The reference run leaves it out. Plans try
 * whether the controller recovers from it with the steps that follow.
 *
 * @example
 * ```ts
 * import { Deployments } from "@kubeloop/controller/types";
 * import { bad, patch } from "@kubeloop/testing/simulation";
 * import { assertEquals } from "@std/assert";
 *
 * const step = bad(patch(Deployments, "web", { spec: { replicas: 1_000_000 } }));
 * assertEquals(step.isBad, true);
 * ```
 */
export function bad<C>(step: Step<C>): Step<C> {
  return { ...step, text: `${step.text} (a mistake)`, isBad: true };
}
