import { type KubeObject, type Pod, Pods, type Resource } from "../../../../mod.ts";
import type { Actors, StartActorsOptions } from "../../../../src/testing/mod.ts";
import { World } from "../world.ts";

/** A cluster with nodes and all controllers. */
export class Cluster extends World {
  declare readonly actors: Actors;

  constructor({ kubelet, ...options }: StartActorsOptions = {}, seed?: number) {
    super(seed, {
      nodes: 2,
      // Without heartbeats, hours pass quickly.
      nodeController: { gracePeriodMs: 360_000_000 },
      kubelet: { heartbeatMs: 36_000_000, ...kubelet },
      ...options,
    });
  }

  /** Starts a cluster whose nodes are ready. */
  static async start(options: StartActorsOptions = {}, seed?: number): Promise<Cluster> {
    const cluster = new Cluster(options, seed);
    await cluster.clock.advance(1000);
    return cluster;
  }

  /** Returns an object as the server has it. */
  get<T extends KubeObject>(resource: Resource<T>, name: string): T {
    const found = this.server.get(resource, name, "default");
    if (found === undefined) throw new Error(`${resource.plural} ${name} does not exist`);
    return found as T;
  }

  /** Changes an object with a merge patch and lets the cluster run for `ms`. */
  async patch<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    patch: object,
    ms = 0,
  ): Promise<void> {
    const call = resource.namespaced ? { namespace: "default" } : {};
    await this.clock.run(this.client.patch(resource as Resource, name, patch, call));
    await this.clock.advance(ms);
  }

  /** Deletes an object and lets the cluster run for `ms`. */
  async delete<T extends KubeObject>(
    resource: Resource<T>,
    name: string,
    ms = 0,
    options: object = {},
  ): Promise<void> {
    const call = { namespace: "default", ...options };
    await this.clock.run(this.client.delete(resource as Resource, name, call));
    await this.clock.advance(ms);
  }

  /** Returns the Pods that are not being deleted. */
  get pods(): Pod[] {
    return this.server.objects(Pods, "default")
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined) as Pod[];
  }

  /** Returns the Events about an object, as `reason: message`, in the order of their creation. */
  events(name: string): string[] {
    return this.server.objects(EVENTS, "default")
      .filter((event) => event.involvedObject.name === name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ message, reason }) => `${reason}: ${message}`);
  }
}

type CoreEvent = KubeObject & {
  involvedObject: { name: string };
  reason: string;
  message: string;
};

const EVENTS: Resource<CoreEvent> = {
  group: "",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};

/** Returns a template for Pods with the label `app: NAME`. */
export function template(app: string, image = "nginx:1"): {
  metadata: { labels: Record<string, string> };
  spec: { containers: { name: string; image: string }[] };
} {
  return { metadata: { labels: { app } }, spec: { containers: [{ name: "main", image }] } };
}

/** Returns the metadata of an object in the namespace of the tests. */
export function named(name: string): { name: string; namespace: string } {
  return { name, namespace: "default" };
}
