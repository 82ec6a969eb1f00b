/** The writes of the webhook configurations: exactly the wanted fields, and no write twice. */

import { assertEquals } from "@std/assert";
import {
  admission,
  type AdmissionOptions,
  AppliedMemory,
  conversion,
  ValidatingWebhookConfigurations,
  type WebhookTarget,
} from "../../src/operator/mod.ts";
import { installWebhooks } from "../../src/webhooks/install_webhooks.ts";
import { CustomResourceDefinitions } from "../../src/types/mod.ts";
import { Cluster } from "./_configurations.ts";
import { Widgets } from "./_reviews.ts";

const SERVICE: WebhookTarget = { service: { namespace: "acme", name: "widgets" } };
const URL_TARGET: WebhookTarget = { url: "https://10.0.0.1:9443" };
const CA = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n";

const conversions = conversion(Widgets, {
  v1beta1: { toHub: (object) => object as never, fromHub: (object) => object },
});

/** Installs webhooks as a program that has just started. */
async function install(
  { client }: Cluster,
  target: WebhookTarget,
  options: AdmissionOptions = {},
): Promise<void> {
  const guard = admission(Widgets, { validate: () => {}, mutate: () => {} }, options);
  await installWebhooks(
    client,
    {
      admissions: [guard],
      conversions: [conversions],
      name: "widgets",
      target,
      install: true,
      memories: { mutating: new AppliedMemory(), validating: new AppliedMemory() },
      isAwaited: () => false,
    },
    CA,
    undefined,
  );
}

async function createDefinition({ client }: Cluster): Promise<void> {
  const schema = { openAPIV3Schema: { type: "object" } };
  await client.create(CustomResourceDefinitions, {
    metadata: { name: "widgets.acme.io" },
    spec: {
      group: "acme.io",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [{ name: "v1", served: true, storage: true, schema }],
    },
  });
}

Deno.test("webhooks move from a Service to a URL and back, even if other field managers own the fields", async () => {
  await using cluster = new Cluster();
  const { client } = cluster;
  await createDefinition(cluster);
  for (const isShared of [false, true]) {
    for (const target of [SERVICE, URL_TARGET, SERVICE, URL_TARGET]) {
      await install(cluster, target);
      const called = async () => {
        const found = await cluster.configuration("validating");
        const mutating = await cluster.configuration("mutating");
        const { spec } = await client.get(CustomResourceDefinitions, "widgets.acme.io");
        return [
          found?.webhooks[0]?.clientConfig,
          mutating?.webhooks[0]?.clientConfig,
          spec.conversion?.webhook?.clientConfig,
        ].map((
          config,
        ) => [config?.service?.name, config?.url?.startsWith("https://10.0.0.1:9443/")]);
      };
      const expected = "service" in target ? ["widgets", undefined] : [undefined, true];
      assertEquals(await called(), [expected, expected, expected], JSON.stringify(target));
      cluster.writes.length = 0;
      await install(cluster, target);
      assertEquals(cluster.writes, []);
      if (!isShared) continue;
      // A user has edited the configuration.
      const found = await cluster.configuration("validating");
      const { metadata, webhooks } = found!;
      await client.apply(ValidatingWebhookConfigurations, {
        metadata: { name: metadata.name! },
        webhooks,
      }, { fieldManager: "editor", force: true });
    }
  }
});

Deno.test("a selector that is no longer wanted is removed", async () => {
  await using cluster = new Cluster();
  await createDefinition(cluster);
  const objectSelector = { matchLabels: { guarded: "yes" } };
  const namespaceSelector = { matchExpressions: [{ key: "a", operator: "Exists" as const }] };
  await install(cluster, SERVICE, { objectSelector, namespaceSelector });
  const selectors = async () => {
    const [webhook] = (await cluster.configuration("validating"))!.webhooks;
    return [webhook?.objectSelector, webhook?.namespaceSelector];
  };
  assertEquals(await selectors(), [objectSelector, namespaceSelector] as never);
  await install(cluster, SERVICE);
  assertEquals(await selectors(), [{}, {}]);
  cluster.writes.length = 0;
  await install(cluster, SERVICE);
  assertEquals(cluster.writes, []);
});

Deno.test("other webhooks in the configuration are kept", async () => {
  await using cluster = new Cluster();
  await createDefinition(cluster);
  await install(cluster, SERVICE);
  const [own] = (await cluster.configuration("validating"))!.webhooks;
  const theirs = { ...own!, name: "theirs.example.com" };
  await cluster.client.apply(ValidatingWebhookConfigurations, {
    metadata: { name: "widgets" },
    webhooks: [theirs],
  }, { fieldManager: "other" });
  cluster.writes.length = 0;
  await install(cluster, SERVICE);
  assertEquals(cluster.writes, []);
  await install(cluster, URL_TARGET);
  const names = (await cluster.configuration("validating"))!.webhooks.map(({ name }) => name);
  assertEquals(names.sort(), ["theirs.example.com", "validate.widgets.acme.io"]);
});
