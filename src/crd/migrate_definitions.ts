import { isName, isSignal, LinkedAbort, type OptionChecks, requireOptions } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  type Cached,
  type CustomResourceDefinition,
  type Resource,
  resourceName,
} from "../types/mod.ts";
import { migrate } from "./migrate.ts";

/** Options of {@linkcode migrateDefinitions}. */
export interface MigrateOptions {
  /** The field manager. Default: `kubeloop`. */
  readonly fieldManager?: string | undefined;
  /** Stops the migration; the promise then rejects with `signal.reason`. The next call starts there. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<MigrateOptions> = { fieldManager: isName, signal: isSignal };

/**
 * Rewrites the objects that are stored in earlier versions of custom resources in the storage version, and then keeps only that
 * version in `status.storedVersions`, so that a later definition can leave the others out. Objects themselves do not change.
 *
 * The server does the work where it has StorageVersionMigrations (Kubernetes 1.37 or later). Elsewhere, and if it fails there,
 * objects are rewritten page by page, four at a time, by patches that change nothing. A migration that is killed loses nothing,
 * and the next call starts at the page at which it ended. Writes and deletions of others meanwhile do no harm. Several
 * callers at the same time do the work twice, which does no harm either. The progress is logged.
 *
 * The client needs the verbs `get` and `patch` on `customresourcedefinitions` and `patch` on their `status`; `list` and `patch` on
 * the resources, in all namespaces; `get`, `create` and `delete` on `storageversionmigrations` of `storagemigration.k8s.io`, or
 * the server is not asked. See `migrate` of `installDefinitions` and of the `Manager`.
 *
 * @param client The client.
 * @param definitions The resources, or whole CustomResourceDefinitions. They are installed already.
 * @param options The field manager and the signal.
 * @returns The definitions as stored, in the given order.
 * @throws {Error} If objects could not be rewritten, such as by a conversion webhook that fails. The message names some of them
 * and the reason. Their earlier versions stay in `status.storedVersions`. Other definitions are migrated nevertheless.
 *
 * @example
 * ```ts
 * import { Client, CustomResourceDefinitions } from "@kubeloop/controller";
 * import { installDefinitions, migrateDefinitions } from "@kubeloop/controller/crd";
 * import { defineResource } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const spec = { type: "object", properties: { size: { type: "integer" } } } as const;
 * const widgets = (storage: "v1" | "v2") =>
 *   defineResource({
 *     group: "acme.io",
 *     version: "v1",
 *     kind: "Widget",
 *     spec,
 *     versions: [{ name: "v2", spec, storage: storage === "v2" }],
 *     conversion: "None",
 *   });
 * await using server = new ApiServer({ kubernetes: "1.36" });
 * await using client = new Client({ fetch: server.fetch });
 * await installDefinitions(client, [widgets("v1")]);
 * await client.create(widgets("v1"), { metadata: { name: "a", namespace: "default" }, spec: {} });
 *
 * const [before] = await installDefinitions(client, [widgets("v2")]);
 * assertEquals(before?.status?.storedVersions, ["v1", "v2"]);
 * const [after] = await migrateDefinitions(client, [widgets("v2")]);
 * assertEquals(after?.status?.storedVersions, ["v2"]);
 * ```
 */
export async function migrateDefinitions(
  client: Client,
  definitions: readonly (Resource | CustomResourceDefinition)[],
  options: MigrateOptions = {},
): Promise<Cached<CustomResourceDefinition>[]> {
  requireOptions("migrateDefinitions()", options, CHECKS);
  const { fieldManager = "kubeloop", signal } = options;
  const link = new LinkedAbort(signal);
  const failures: Error[] = [];
  const migrated: Cached<CustomResourceDefinition>[] = [];
  try {
    for (const one of definitions) {
      const name = "plural" in one ? resourceName(one) : one.metadata.name ?? "";
      try {
        migrated.push(await migrate(name, { client, fieldManager, signal: link.signal }));
      } catch (error) {
        link.signal.throwIfAborted();
        failures.push(error as Error);
      }
    }
  } finally {
    link.release();
  }
  if (failures.length === 0) return migrated;
  if (failures.length === 1) throw failures[0];
  throw new AggregateError(failures, failures.map(({ message }) => message).join("; "));
}
