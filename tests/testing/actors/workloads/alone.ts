import {
  type Event,
  Events,
  type KubeObject,
  type Pod,
  Pods,
  type Resource,
} from "../../../../mod.ts";
import type { Actor, ActorOptions } from "../../../../src/testing/mod.ts";
import { World } from "../world.ts";

type ActorClass = new (options: ActorOptions) => Actor;

/** A cluster with the controllers of a test alone: without kubelets, the test says itself what its Pods do. */
export class Alone extends World {
  /** Starts controllers. */
  static async run(...actors: readonly ActorClass[]): Promise<Alone> {
    const world = new Alone();
    for (const Class of actors) await world.start(new Class(world.options));
    return world;
  }

  /** Returns an object as the server has it. */
  get<T extends KubeObject>(resource: Resource<T>, name: string): T {
    return this.server.get(resource, name, "default") as T;
  }

  /** Changes an object with a merge patch and lets the controllers run for `ms`. */
  async patch(resource: Resource, name: string, patch: object, ms = 100): Promise<void> {
    await this.clock.run(this.client.patch(resource, name, patch, this.#callOf(resource)));
    await this.clock.advance(ms);
  }

  /** Changes the status of an object with a merge patch and lets the controllers run for `ms`. */
  async patchStatus(resource: Resource, name: string, status: object, ms = 100): Promise<void> {
    const patch: object = { status };
    await this.clock.run(this.client.patchStatus(resource, name, patch, this.#callOf(resource)));
    await this.clock.advance(ms);
  }

  /** Deletes an object, at once, and lets the controllers run for `ms`. */
  async delete(resource: Resource, name: string, ms = 100): Promise<void> {
    const call = { ...this.#callOf(resource), gracePeriodSeconds: 0 };
    await this.clock.run(this.client.delete(resource, name, call));
    await this.clock.advance(ms);
  }

  /** The Pods that are not being deleted. */
  get pods(): Pod[] {
    return this.server.objects(Pods, "default")
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined) as Pod[];
  }

  /** Makes Pods run; by default all of them, and ready. */
  async runPods(names?: readonly string[], { ready = true, ms = 100 } = {}): Promise<void> {
    const lastTransitionTime = new Date(this.clock.wallNow()).toISOString().replace(/\.\d+/, "");
    for (const name of names ?? this.pods.map(({ metadata }) => metadata.name!)) {
      // A controller may have deleted it meanwhile.
      if (this.get(Pods, name) === undefined) continue;
      await this.patchStatus(Pods as Resource, name, {
        phase: "Running",
        conditions: [{ type: "Ready", status: ready ? "True" : "False", lastTransitionTime }],
      }, 0);
    }
    await this.clock.advance(ms);
  }

  /** Ends the Pods that are being deleted, as a kubelet does. */
  async endPods(ms = 100): Promise<void> {
    for (const { metadata } of this.server.objects(Pods, "default")) {
      if (metadata.deletionTimestamp !== undefined) {
        await this.delete(Pods as Resource, metadata.name!, 0);
      }
    }
    await this.clock.advance(ms);
  }

  /** Returns the Events about an object, as `reason: message`, oldest first. */
  events(name: string): string[] {
    return (this.server.objects(Events, "default") as Event[])
      .filter(({ involvedObject }) => involvedObject.name === name)
      .sort((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
      .map(({ message, reason }) => `${reason}: ${message}`);
  }

  #callOf({ namespaced }: Resource): object {
    return namespaced ? { namespace: "default" } : {};
  }
}
