import {
  hasMethods,
  isName,
  isRecord,
  isSignal,
  isTimeLimit,
  LinkedAbort,
  type OptionChecks,
  realClock,
  requireOptions,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import type { Cached, CustomResourceDefinition, Resource } from "../types/mod.ts";
import { crd } from "./crd.ts";
import { type DefinitionWebhooks, Installation } from "./installation.ts";
import { requireConversion } from "./required_conversion.ts";

/** Options of {@linkcode installDefinitions}. */
export interface InstallOptions {
  /** The name under which the fields are owned. Default: `kubeloop`. */
  readonly fieldManager?: string | undefined;
  /** The time until all definitions must be established, in milliseconds. Default: one minute. */
  readonly timeoutMs?: number | undefined;
  /**
   * The webhooks that convert objects, such as a `WebhookServer` that runs. A definition is installed with the conversion that
   * they have for it, from the beginning: it waits until the webhook listens and its certificates are stored. Default: none.
   */
  readonly webhooks?: DefinitionWebhooks | undefined;
  /** Stops the wait; the promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<InstallOptions> = {
  fieldManager: isName,
  timeoutMs: isTimeLimit,
  webhooks: hasMethods("webhooks that convert, such as a WebhookServer", "conversionFor"),
  signal: isSignal,
};

/** The default time limit: a server that is well needs a few seconds at most. */
const TIMEOUT_MS = 60_000;

/**
 * Installs the CustomResourceDefinitions of resources, and waits until the server serves these resources.
 *
 * A definition that is already as it should be is not written. Others are written by server-side apply, which takes the
 * fields over from other field managers: so the last program to start wins. Fields that the definition does not have,
 * such as annotations, stay as they are. What fails for reasons that may pass is tried again until the time limit, such as a
 * lost answer, a conflict, or 5xx.
 *
 * Versions with different schemas need a conversion, or the API server would drop fields: that of one of the `webhooks`, a
 * `spec.conversion`, or `conversion: "None"`. The definition is written in one request with it, so that two versions are
 * never served without.
 *
 * The program needs the rights to get, create and patch `customresourcedefinitions.apiextensions.k8s.io`.
 *
 * @param client The client.
 * @param definitions The resources, with their definitions, or whole CustomResourceDefinitions.
 * @param options The field manager, the webhooks, the time limit and the signal.
 * @returns The definitions as stored, in the given order.
 * @throws {TypeError} If a definition cannot be expressed, or has versions with different schemas and no conversion; then
 * none is written.
 * @throws {Error} That names the definition, if the server refuses it, a name is taken, or a right is missing.
 * @throws {DOMException} `TimeoutError`, if a definition is not established in time.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { installDefinitions } from "@kubeloop/controller/operator";
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
  const link = new LinkedAbort(signal);
  const timer = timeoutMs === Infinity ? undefined : clock.setTimer(() => {
    link.abort(new DOMException(`not established within ${timeoutMs} ms`, "TimeoutError"));
  }, timeoutMs);
  try {
    link.signal.throwIfAborted();
    const installed: [Installation, Cached<CustomResourceDefinition>][] = [];
    for (const one of wanted) {
      const options = { client, fieldManager, webhooks, signal: link.signal };
      const installation = new Installation(one, options);
      installed.push([installation, await installation.write()]);
    }
    const established: Cached<CustomResourceDefinition>[] = [];
    for (const [installation, written] of installed) {
      established.push(await installation.established(written));
    }
    return established;
  } finally {
    timer?.cancel();
    link.release();
  }
}

function isDefinition(
  given: Resource | CustomResourceDefinition,
): given is CustomResourceDefinition {
  return isRecord(given) && isRecord(given["metadata"]) && isRecord(given["spec"]);
}
