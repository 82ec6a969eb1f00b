import { describeError } from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  type Cached,
  controllerReference,
  deepCopy,
  type DeepReadonly,
  isNotFound,
  type KubeObject,
  type Pod,
  Pods,
  type PodTemplateSpec,
  type ResourceDescriptor,
  type Stored,
} from "@kubeloop/controller/types";
import { unlessGone, whenTerminating } from "./errors.ts";
import type { EventWriter } from "./event_writer.ts";

/** Returns a Pod made from a template, whose controller owner is `owner`. */
export function podFromTemplate(
  template: DeepReadonly<PodTemplateSpec>,
  owner: DeepReadonly<Stored<KubeObject>>,
  resource: ResourceDescriptor,
): Pod {
  const { annotations, finalizers, labels } = deepCopy(template.metadata ?? {});
  const { name, namespace } = owner.metadata;
  return {
    metadata: {
      generateName: `${name}-`,
      ...(namespace !== undefined && { namespace }),
      ...(labels !== undefined && { labels }),
      ...(annotations !== undefined && { annotations }),
      ...(finalizers !== undefined && { finalizers }),
      ownerReferences: [controllerReference(owner, resource)],
    },
    ...(template.spec !== undefined && { spec: deepCopy(template.spec) }),
  };
}

/** Creates and deletes the Pods of the objects of one resource, and writes events about it. */
export class PodControl {
  readonly #client: Client;
  readonly #events: EventWriter;
  readonly #resource: ResourceDescriptor;

  /** Creates a control for Pods whose owners are of `resource`. */
  constructor(
    resource: ResourceDescriptor,
    { client, events }: { readonly client: Client; readonly events: EventWriter },
  ) {
    this.#client = client;
    this.#events = events;
    this.#resource = resource;
  }

  /** Creates a Pod. Writes an event before it throws an error. */
  async create(
    owner: DeepReadonly<Stored<KubeObject>>,
    pod: Pod,
    signal: AbortSignal,
  ): Promise<void> {
    let created: Pod;
    try {
      created = await this.#client.create(Pods, pod, { signal });
    } catch (error) {
      if (!whenTerminating(error) && !signal.aborted) {
        const message = `Error creating: ${describeError(error)}`;
        const event = { type: "Warning", reason: "FailedCreate", message } as const;
        await this.#events.write(this.#resource, owner, event, signal);
      }
      throw error;
    }
    await this.#events.write(this.#resource, owner, {
      type: "Normal",
      reason: "SuccessfulCreate",
      message: `Created pod: ${created.metadata.name}`,
    }, signal);
  }

  /**
   * Deletes a Pod. Writes an event before it throws an error.
   *
   * @returns Whether the Pod existed.
   */
  async delete(
    owner: DeepReadonly<KubeObject>,
    { metadata }: Cached<Pod>,
    signal: AbortSignal,
  ): Promise<boolean> {
    const { name, namespace = "", uid } = metadata;
    try {
      await this.#client.delete(Pods, name, { namespace, preconditions: { uid }, signal });
    } catch (error) {
      if (!signal.aborted && !isNotFound(error)) {
        const message = `Error deleting: ${describeError(error)}`;
        const event = { type: "Warning", reason: "FailedDelete", message } as const;
        await this.#events.write(this.#resource, owner, event, signal);
      }
      unlessGone(error);
      return false;
    }
    await this.#events.write(this.#resource, owner, {
      type: "Normal",
      reason: "SuccessfulDelete",
      message: `Deleted pod: ${name}`,
    }, signal);
    return true;
  }
}
