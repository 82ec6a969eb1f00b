/** The handlers of the library, called by the in-process API server: no socket, no certificate. */

import { assert, assertEquals } from "@std/assert";
import {
  admission,
  admissionConfigurations,
  admissionPath,
  conversion,
  conversionPath,
  conversionStanza,
} from "../../src/webhooks/mod.ts";
import { Client } from "../../src/client/mod.ts";
import {
  type CustomResourceDefinition,
  CustomResourceDefinitions,
  defineResource,
  type KubeObject,
} from "../../src/types/mod.ts";
import { ApiServer, VirtualClock } from "../../src/testing/mod.ts";
import { type Widget, Widgets } from "./_reviews.ts";

interface OldWidget extends KubeObject {
  spec: { length: number };
}

const OldWidgets = defineResource<OldWidget>({
  group: "acme.io",
  version: "v1beta1",
  plural: "widgets",
  kind: "Widget",
  namespaced: true,
});

const NAMESPACE = { namespace: "default" };

Deno.test("admission() and conversion() decide for the in-process API server", async () => {
  const guards = admission(Widgets, {
    mutate: ({ object }) => ({ ...object, spec: { size: object.spec.size || 1 } }),
    validate: ({ object }) => object.spec.size > 9 ? "spec.size must be at most 9" : undefined,
  });
  const versions = conversion(Widgets, {
    v1beta1: {
      toHub: (old: OldWidget) => ({ ...old, spec: { size: old.spec.length } }),
      fromHub: (widget) => ({ ...widget, spec: { length: widget.spec.size } }),
    },
  });
  const handlers = new Map<string, (request: Request) => Promise<Response>>([
    [admissionPath("mutate", Widgets), guards],
    [admissionPath("validate", Widgets), guards],
    [conversionPath(Widgets), versions],
  ]);
  const clock = new VirtualClock();
  await using server = new ApiServer({
    clock,
    webhooks: (request) => handlers.get(new URL(request.url).pathname)!(request),
  });
  await using client = new Client(server.clientOptions);
  const target = { service: { namespace: "acme", name: "widgets" } };
  const { mutating, validating } = admissionConfigurations([guards], { name: "acme", target });
  assert(mutating !== undefined && validating !== undefined);
  for (const [plural, object] of [["mutating", mutating], ["validating", validating]] as const) {
    const resource = defineResource({
      group: "admissionregistration.k8s.io",
      version: "v1",
      plural: `${plural}webhookconfigurations`,
      kind: object.kind!,
      namespaced: false,
    });
    await clock.run(client.create(resource, object as KubeObject));
  }
  await clock.run(
    client.create(CustomResourceDefinitions, definition(conversionStanza(versions, { target }))),
  );
  const create = (name: string, size: number) =>
    clock.run(client.create(Widgets, { metadata: { name }, spec: { size } } as Widget, NAMESPACE));
  assertEquals((await create("a", 0)).spec, { size: 1 });
  const refused = await create("b", 10).catch((error) => error);
  assertEquals(
    refused.message.includes('admission webhook "validate.widgets.acme.io" denied the request'),
    true,
    refused.message,
  );
  const old = await clock.run(client.get(OldWidgets, "a", NAMESPACE));
  assertEquals([old.apiVersion, old.spec], ["acme.io/v1beta1", { length: 1 }]);
  const written = await clock.run(
    client.create(
      OldWidgets,
      { metadata: { name: "c" }, spec: { length: 3 } } as OldWidget,
      NAMESPACE,
    ),
  );
  assertEquals(written.spec, { length: 3 });
  assertEquals((await clock.run(client.get(Widgets, "c", NAMESPACE))).spec, { size: 3 });
});

function definition(stanza: unknown): CustomResourceDefinition {
  const version = (name: string, storage: boolean, field: string) => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { [field]: { type: "integer" } } } },
      },
    },
  });
  return {
    metadata: { name: "widgets.acme.io" },
    spec: {
      group: "acme.io",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [version("v1", true, "size"), version("v1beta1", false, "length")],
      conversion: stanza,
    },
  } as CustomResourceDefinition;
}
