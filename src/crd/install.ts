import {
  hasMethods,
  isFlag,
  isName,
  isRecord,
  isSignal,
  isTimeLimit,
  type OptionChecks,
  realClock,
  requireOptions,
  withTimeLimit,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import type { Cached, CustomResourceDefinition, Resource } from "../types/mod.ts";
import { crd } from "./crd.ts";
import { type DefinitionWebhooks, Installation } from "./installation.ts";
import { migrateDefinitions } from "./migrate_definitions.ts";
import { requireConversion } from "./required_conversion.ts";

/** Options of {@linkcode installDefinitions}. */
export interface InstallOptions {
  /** The field manager. Default: `kubeloop`. */
  readonly fieldManager?: string | undefined;
  /** The time limit until all definitions are established, in milliseconds. Default 60,000. */
  readonly timeoutMs?: number | undefined;
  /**
   * The conversion webhooks, such as a running `WebhookServer`. A definition is written together with its conversion, after
   * the webhook listens and its certificates are stored. Default: none.
   */
  readonly webhooks?: DefinitionWebhooks | undefined;
  /**
   * Whether objects that are stored in earlier versions are then rewritten in the storage version, so that a later definition
   * can leave these versions out; see `migrateDefinitions`. `timeoutMs` does not limit this. Default false.
   */
  readonly migrate?: boolean | undefined;
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<InstallOptions> = {
  fieldManager: isName,
  timeoutMs: isTimeLimit,
  webhooks: hasMethods("webhooks that convert, such as a WebhookServer", "conversionFor"),
  migrate: isFlag,
  signal: isSignal,
};

/** The default time limit. A healthy server needs a few seconds at most. */
const TIMEOUT_MS = 60_000;

/**
 * Installs the CustomResourceDefinitions of resources, and waits until the server serves these resources.
 *
 * A definition that is up to date is not written. Other definitions are written by forced server-side apply, which takes
 * fields over from other field managers: the last program to start wins. Fields outside the definition, such as
 * annotations, are kept. Temporary failures, such as a lost answer, a conflict or 5xx, are retried until the time limit.
 *
 * Versions with different schemas need a conversion, or the API server would drop fields: one of the `webhooks`, a
 * `spec.conversion`, or `conversion: "None"`. The definition and its conversion are written in one request, so that the
 * server never serves two versions without a conversion.
 *
 * The client needs the verbs `get`, `create` and `patch` on `customresourcedefinitions` of `apiextensions.k8s.io`, and with
 * `migrate` the rights that `migrateDefinitions` needs.
 *
 * @param client The client.
 * @param definitions The resources, with their definitions, or whole CustomResourceDefinitions.
 * @param options The field manager, the webhooks, the time limit, the migration and the signal.
 * @returns The definitions as stored, in the given order.
 * @throws {TypeError} If a definition cannot be expressed, or has versions with different schemas and no conversion. No
 * definition is written then.
 * @throws {Error} If the server refuses a definition, a name is taken, a right is missing, or an object cannot be rewritten. The
 * message names the definition.
 * @throws {DOMException} `TimeoutError`, if a definition is not established in time.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { installDefinitions } from "@kubeloop/controller/crd";
 * import { defineResource } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * const Widgets = defineResource({
 *   group: "acme.io",
 *   version: "v1",
 *   kind: "Widget",
 *   spec: { type: "object", properties: { size: { type: "integer", default: 1 } } },
 * });
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * await installDefinitions(client, [Widgets]);
 *
 * const metadata = { name: "a", namespace: "default" };
 * const { spec } = await client.create(Widgets, { metadata, spec: {} });
 * assertEquals(spec.size, 1);
 * ```
 */
export async function installDefinitions(
  client: Client,
  definitions: readonly (Resource | CustomResourceDefinition)[],
  options: InstallOptions = {},
): Promise<Cached<CustomResourceDefinition>[]> {
  requireOptions("installDefinitions()", options, CHECKS);
  const { fieldManager = "kubeloop", timeoutMs = TIMEOUT_MS, webhooks, signal } = options;
  const { clock = realClock } = client.environment;
  const wanted = definitions.map((one) => isDefinition(one) ? one : crd(one));
  for (const one of wanted) {
    requireConversion(one, webhooks?.conversionFor(one.metadata.name ?? "") !== undefined);
  }
  const late = () => `not established within ${timeoutMs} ms`;
  const established = await withTimeLimit(
    { clock, signal, limitMs: timeoutMs, late },
    async (signal) => {
      signal.throwIfAborted();
      const installed: [Installation, Cached<CustomResourceDefinition>][] = [];
      for (const one of wanted) {
        const options = { client, fieldManager, webhooks, signal };
        const installation = new Installation(one, options);
        installed.push([installation, await installation.write()]);
      }
      const established: Cached<CustomResourceDefinition>[] = [];
      for (const [installation, written] of installed) {
        established.push(await installation.established(written));
      }
      return established;
    },
  );
  return options.migrate === true
    ? await migrateDefinitions(client, wanted, { fieldManager, signal })
    : established;
}

function isDefinition(
  given: Resource | CustomResourceDefinition,
): given is CustomResourceDefinition {
  return isRecord(given) && isRecord(given["metadata"]) && isRecord(given["spec"]);
}
