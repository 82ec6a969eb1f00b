/**
 * The shared fixture of the tests of migrations.
 *
 * @module
 */

import type { ApiServer } from "../../src/testing/mod.ts";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  defineResource,
  type KubeObject,
  type Resource,
} from "../../src/types/mod.ts";

/** A custom resource. */
export interface Widget extends KubeObject {
  spec?: { size?: number };
}

const spec = { type: "object", properties: { size: { type: "integer" } } } as const;

/** Returns a custom resource with the versions v1, v2 and v3; the server stores objects in `storage`. */
export function widgetsIn(storage: "v1" | "v2" | "v3"): Resource<Widget> {
  const version = (name: string) => ({ name, spec, storage: name === storage });
  return defineResource({
    group: "acme.io",
    version: "v1",
    kind: "Widget",
    spec,
    versions: [version("v2"), version("v3")],
    conversion: "None",
    shortNames: ["wd"],
  }) as unknown as Resource<Widget>;
}

/** Returns the definition as stored. */
export function definitionOf(server: ApiServer): CustomResourceDefinition | undefined {
  return server.get(CustomResourceDefinitions, "widgets.acme.io");
}

/** Returns the versions in which objects may be stored, as the definition says. */
export function storedVersions(server: ApiServer): readonly string[] {
  return definitionOf(server)?.status?.storedVersions ?? [];
}

/** Returns the numbers of objects by the version in which they are stored. */
export function countsByVersion(server: ApiServer): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { resource, text } of server.state().objects) {
    if (resource !== "widgets.acme.io") continue;
    const version = String(JSON.parse(text).apiVersion).split("/")[1]!;
    counts[version] = (counts[version] ?? 0) + 1;
  }
  return counts;
}
