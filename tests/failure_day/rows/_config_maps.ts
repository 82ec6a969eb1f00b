import { assertEquals } from "@std/assert";
import type { Client } from "../../../src/client/mod.ts";
import { isRecord } from "../../../src/base/mod.ts";
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

/** Reports whether one of the arguments of a function is about an object `a`: its functions misbehave only with that one. */
export function isAboutA(...args: readonly unknown[]): boolean {
  return args.flat().some((arg) => {
    if (typeof arg === "string") return arg === `${namespace}/a`;
    if (!isRecord(arg)) return false;
    const { key, metadata, name, object } = arg;
    return key === `${namespace}/a` || name === "a" || isAboutA(object) ||
      isRecord(metadata) && /^a(?:-config)?$/.test(`${metadata.name}`);
  });
}
