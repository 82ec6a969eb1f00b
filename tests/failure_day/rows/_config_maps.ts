import { assertEquals } from "@std/assert";
import type { Client } from "../../../src/client/mod.ts";
import { type ConfigMap, ConfigMaps } from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";

/** The ConfigMap `a`. */
export const object = { resource: ConfigMaps, name: "a" };

/** Creates the ConfigMaps `a`, `b` and `c`. */
export async function prepare(client: Client): Promise<void> {
  for (const name of ["a", "b", "c"]) {
    await client.create(ConfigMaps, {
      metadata: { name, namespace, labels: { app: "a" } },
      data: { color: "red" },
    });
  }
}

/** Requires that a ConfigMap has a color. */
export function requireColor(found: unknown, color: string): void {
  assertEquals((found as ConfigMap).data?.color, color);
}
