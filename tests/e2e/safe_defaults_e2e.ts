/**
 * The safe defaults against a real API server: a definition is served with its conversion from the beginning, webhooks move
 * from a Service to a URL and back, and `apply` takes over no object that it has not applied.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import {
  Client,
  ConfigMaps,
  CustomResourceDefinitions,
  defineResource,
  isNotFound,
  loadConfig,
  Manager,
} from "@kubeloop/controller";
import {
  admission,
  conversion,
  installDefinitions,
  NotOwnedError,
  ValidatingWebhookConfigurations,
  WebhookServer,
  type WebhookServerOptions,
} from "@kubeloop/controller/operator";
import { freePort } from "./cluster.ts";
import { eventually, World } from "./world.ts";

const names = { group: "safe.acme.io", kind: "Widget" } as const;
const OLD = { type: "object", properties: { length: { type: "integer" } } } as const;
const Old = defineResource({ ...names, version: "v1alpha1", spec: OLD });
const Widgets = defineResource({
  ...names,
  version: "v1",
  spec: { type: "object", properties: { size: { type: "integer" } } },
  versions: [{ name: "v1alpha1", spec: OLD }],
});
const DEFINITION = "widgets.safe.acme.io";

const converts = conversion(Widgets, {
  v1alpha1: {
    toHub: ({ spec, ...rest }) => ({ ...rest, spec: { size: spec.length ?? 0 } }),
    fromHub: ({ spec, ...rest }) => ({ ...rest, spec: { length: spec.size ?? 0 } }),
  },
});

// A cluster of KUBELOOP_E2E_KUBECONFIG does not reach webhooks on this machine.
const ignore = Deno.env.get("KUBELOOP_E2E_KUBECONFIG") !== undefined;

/** Starts something that runs until it is disposed of. */
function running(run: (call: { signal: AbortSignal }) => Promise<void>): AsyncDisposable {
  const stop = new AbortController();
  const ended = run({ signal: stop.signal });
  ended.catch(() => {});
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await ended;
    },
  };
}

Deno.test("safe defaults on a real API server", async (t) => {
  await using world = await World.create();
  await t.step({
    name: "a new version is served with its conversion from the beginning",
    ignore,
    fn: async () => {
      const { client, namespace } = world;
      await installDefinitions(client, [Old], { fieldManager: "widgets" });
      await client.create(Old, { metadata: { name: "before", namespace }, spec: { length: 3 } });

      const states = new Set<string>();
      const stop = new AbortController();
      const watching = (async () => {
        const scope = { fieldSelector: `metadata.name=${DEFINITION}`, signal: stop.signal };
        for await (const event of await client.watch(CustomResourceDefinitions, scope)) {
          if (event.type !== "ADDED" && event.type !== "MODIFIED") continue;
          const { versions, conversion } = event.object.spec;
          const served = versions.filter((one) => one.served).map((one) => one.name);
          states.add(`${served.join("+")} ${conversion?.strategy}`);
        }
      })().catch(() => {});

      const port = freePort();
      const manager = new Manager(client, {
        name: "widgets",
        definitions: [Widgets],
        namespaces: [namespace],
        webhooks: {
          url: `https://127.0.0.1:${port}`,
          port,
          hostname: "127.0.0.1",
          name: "widgets-safe",
          secret: { namespace, name: "certificates" },
        },
      });
      manager.webhooks.add(converts);
      const seen = new Map<string, unknown>();
      const applied: string[] = [];
      manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ object, name, apply }) => {
        seen.set(name, object.spec.size);
        try {
          await apply(ConfigMaps, { metadata: { name: `${name}-map` }, data: { size: "1" } });
          applied.push(name);
        } catch (error) {
          if (!NotOwnedError.is(error)) throw error;
          applied.push(`${name}: ${error.message}`);
        }
      });
      // An object without an owner has the name of a child.
      const taken = { name: "before-map", namespace };
      await client.create(ConfigMaps, { metadata: taken, data: { theirs: "yes" } });
      {
        await using _manager = running((call) => manager.run(call));
        await eventually(
          "the object of before is reconciled",
          () => Promise.resolve(applied.length > 0),
        );
        assertEquals(seen.get("before"), 3);
        await client.create(Old, { metadata: { name: "after", namespace }, spec: { length: 5 } });
        await eventually(
          "the object of now is reconciled",
          () => Promise.resolve(applied.includes("after")),
        );
        assertEquals(seen.get("after"), 5);
        const old = await client.get(Old, "before", { namespace });
        assertEquals(old.spec, { length: 3 });
        // Since Kubernetes 1.37 a definition is not deleted while its objects cannot be converted.
        await client.deleteCollection(Widgets, { namespace });
      }
      stop.abort();
      await watching;
      assert(states.has("v1+v1alpha1 Webhook"), [...states].join());
      assert(!states.has("v1+v1alpha1 None"), [...states].join());

      assert(
        applied.some((one) => one.startsWith("before: Cannot apply ConfigMap")),
        applied.join(),
      );
      const { data, metadata } = await client.get(ConfigMaps, "before-map", { namespace });
      assertEquals([data, metadata.ownerReferences], [{ theirs: "yes" }, undefined]);
      await client.delete(CustomResourceDefinitions, DEFINITION);
      await eventually(
        "the definition and its objects are gone",
        () => client.get(CustomResourceDefinitions, DEFINITION).then(() => false, isNotFound),
      );
    },
  });

  await t.step("webhooks move from a Service to a URL and back", async () => {
    const { namespace } = world;
    await using client = new Client(await loadConfig({ kubeconfig: world.kubeconfig }));
    await installDefinitions(client, [Old]);
    const name = `move-${namespace}`;
    const secret = { namespace, name: "certificates" };
    const targets: Partial<WebhookServerOptions>[] = [
      { service: { namespace, name: "widgets" } },
      { url: "https://127.0.0.1:9" },
    ];
    for (const target of [...targets, ...targets]) {
      const webhooks = new WebhookServer(client, {
        ...target,
        name,
        secret,
        port: 0,
        hostname: "127.0.0.1",
      });
      webhooks.add(admission(Old, { validate: () => {} }, { failurePolicy: "Ignore" }));
      webhooks.add(converts);
      await using _webhooks = running((call) => webhooks.run(call));
      const isUrl = target.url !== undefined;
      await eventually(`webhooks are called at ${JSON.stringify(target)}`, async () => {
        const { webhooks: [webhook] } = await client.get(ValidatingWebhookConfigurations, name);
        const { spec } = await client.get(CustomResourceDefinitions, DEFINITION);
        return [webhook?.clientConfig, spec.conversion?.webhook?.clientConfig].every((config) =>
          config !== undefined && (config.url !== undefined) === isUrl &&
          (config.service !== undefined) === !isUrl
        );
      });
    }
    await client.delete(ValidatingWebhookConfigurations, name);
    await client.delete(CustomResourceDefinitions, DEFINITION);
  });
});
