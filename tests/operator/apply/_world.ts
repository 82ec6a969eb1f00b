import {
  type ApplyConfiguration,
  CustomResourceDefinitions,
  defineResource,
  type JSONSchemaProps,
  type KubeObject,
  type Resource,
  type Stored,
} from "../../../src/types/mod.ts";
import { World as PlainWorld } from "../../support/world.ts";

/** A custom resource with every kind of list and map. */
export interface Thing extends KubeObject {
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
}

export const Things: Resource<Thing> = defineResource<Thing>({
  group: "example.com",
  version: "v1",
  plural: "things",
  kind: "Thing",
  namespaced: true,
});

const text = { type: "string" };
const whole = { type: "integer" };

/** The schema of a condition; `list` is the `x-kubernetes-list-type` of the conditions. */
function conditions(list: "map" | "atomic") {
  return {
    type: "array",
    "x-kubernetes-list-type": list,
    ...(list === "map" ? { "x-kubernetes-list-map-keys": ["type"] } : {}),
    items: {
      type: "object",
      required: ["type", "status", "reason", "message", "lastTransitionTime"],
      properties: {
        type: text,
        status: text,
        reason: text,
        message: text,
        lastTransitionTime: { type: "string", format: "date-time" },
        observedGeneration: whole,
      },
    },
  };
}

const SPEC: JSONSchemaProps = {
  type: "object",
  properties: {
    text,
    whole,
    flag: { type: "boolean" },
    size: { type: "string", default: "small" },
    either: { "x-kubernetes-int-or-string": true },
    map: { type: "object", additionalProperties: text },
    atomicMap: {
      type: "object",
      "x-kubernetes-map-type": "atomic",
      additionalProperties: text,
    },
    nested: {
      type: "object",
      properties: { a: whole, b: { type: "object", properties: { c: text, d: text } } },
    },
    atomicList: { type: "array", items: whole },
    defaulted: {
      type: "array",
      items: { type: "object", properties: { a: text, b: { type: "string", default: "b" } } },
    },
    set: { type: "array", "x-kubernetes-list-type": "set", items: text },
    items: {
      type: "array",
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["port", "protocol"],
      items: {
        type: "object",
        required: ["port"],
        properties: {
          port: whole,
          protocol: { type: "string", default: "TCP" },
          name: text,
          tags: { type: "array", "x-kubernetes-list-type": "set", items: text },
        },
      },
    },
    anything: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  },
};

/** The shape of the status in the definition of Things. */
export interface StatusShape {
  readonly conditions?: "map" | "atomic";
  readonly observedGeneration?: boolean;
  readonly subresource?: boolean;
}

/** A world with Things. */
export class World extends PlainWorld {
  async installThings(status: StatusShape = {}): Promise<void> {
    const { conditions: list = "map", observedGeneration = true, subresource = true } = status;
    await this.client.create(CustomResourceDefinitions, {
      metadata: { name: "things.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "things", singular: "thing", kind: "Thing", listKind: "ThingList" },
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          ...(subresource ? { subresources: { status: {} } } : {}),
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: SPEC,
                status: {
                  type: "object",
                  properties: {
                    phase: text,
                    ready: whole,
                    nodes: { type: "array", items: text },
                    detail: { type: "object", properties: { a: text, b: text } },
                    ...(observedGeneration ? { observedGeneration: whole } : {}),
                    conditions: conditions(list),
                  },
                },
              },
            },
          },
        }],
      },
    });
    await this.clock.advance(1_000);
    this.requests.length = 0;
  }

  /** Applies by server-side apply, with force, as another manager than the one under test. */
  applyAs<T extends KubeObject>(
    manager: string,
    resource: Resource<T>,
    object: ApplyConfiguration<NoInfer<T>>,
    subresource?: string,
  ): Promise<Stored<T>> {
    return this.client.apply<T>(resource, object, {
      namespace: "default",
      fieldManager: manager,
      force: true,
      subresource,
    });
  }
}
