import type { Client } from "../../../src/client/mod.ts";
import { installDefinitions } from "../../../src/operator/mod.ts";
import {
  type Condition,
  ConfigMaps,
  defineResource,
  type KubeObject,
  type Resource,
} from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";

/** A custom resource. */
export interface Widget extends KubeObject {
  spec: { size: number; color?: string };
  status?: { ready?: number; observedGeneration?: number; conditions?: Condition[] };
}

/** The schema of the spec of a Widget. */
export const WIDGET_SPEC = {
  type: "object",
  required: ["size"],
  properties: { size: { type: "integer" }, color: { type: "string" } },
} as const;

/** The resource of the Widgets. */
export const Widgets: Resource<Widget> = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: WIDGET_SPEC,
  status: { type: "object", properties: { ready: { type: "integer" } } },
});

/** The Widget `a`. */
export const object = { resource: Widgets, name: "a" };

/** Creates the Widgets `a`, `b` and `c`. */
export async function prepare(client: Client): Promise<void> {
  await installDefinitions(client, [Widgets]);
  for (const name of ["a", "b", "c"]) {
    await client.create(Widgets, { metadata: { name, namespace }, spec: { size: 1 } });
  }
}

/** Returns the Widgets that must be done: all, or the others if a user function misbehaves with one of them. */
export function wanted({ misbehaviour }: Day): string[] {
  return misbehaviour === undefined ? ["a", "b", "c"] : ["b", "c"];
}

/** Reports whether each Widget has its ConfigMap, and says so in its status. */
export function areDone(day: Day): boolean {
  return wanted(day).every((name) =>
    day.server.get(Widgets, name, namespace)?.status?.ready === 1 &&
    day.server.get(ConfigMaps, `${name}-config`, namespace) !== undefined
  );
}
