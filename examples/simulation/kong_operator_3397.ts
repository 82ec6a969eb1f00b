/**
 * A gateway whose Service gets the annotations that its user wants for the load balancer. The operator patches them into
 * the Service. A merge patch adds and changes entries, and never removes the entries that the user has taken away.
 *
 * https://github.com/Kong/kong-operator/issues/3397, and the same in https://github.com/istio/istio/issues/35213
 *
 * What finds it: a campaign from the schema, which removes the annotations.
 *
 * @module
 */

import {
  type Client,
  defineResource,
  isNotFound,
  type ObjectOf,
  type Resource,
  Services,
} from "@kubeloop/controller";
import { campaign, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";
import { ownerController } from "./_owner.ts";

const Gateways = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Gateway",
  plural: "gateways",
  spec: {
    type: "object",
    properties: {
      port: { type: "integer", minimum: 1, maximum: 65535, default: 8000 },
      service: {
        type: "object",
        properties: {
          annotations: { type: "object", additionalProperties: { type: "string" } },
        },
      },
    },
  },
});

type Annotations = Readonly<Record<string, string>>;

/** Gives the Service its port and its annotations. */
type Serve = (
  client: Client,
  service: { metadata: { name: string; annotations: Annotations }; spec: { ports: [Port] } },
  call: { readonly namespace: string },
) => Promise<void>;

interface Port {
  name: string;
  port: number;
}

const broken: Serve = async (client, service, call) => {
  try {
    await client.patch(Services, service.metadata.name, service as never, call);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await client.create(Services, service as never, call);
  }
};

/** With server-side apply, the server removes the annotations that we have set before and do not set any more. */
const repaired: Serve = async (client, service, call) => {
  await client.apply(Services, service as never, { ...call, fieldManager: "kong" });
};

const operator = (serve: Serve) =>
  ownerController<ObjectOf<typeof Gateways>>(
    Gateways,
    [Services as Resource],
    async ({ call, client, metadata, owner }) => {
      const { port = 8000, service } = owner.spec;
      const annotations = (service?.annotations ?? {}) as Annotations;
      const ports: [Port] = [{ name: "proxy", port }];
      await serve(client, { metadata: { ...metadata, annotations }, spec: { ports } }, call);
    },
  );

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/Kong/kong-operator/issues/3397",
  finding: {
    oracle: "end state",
    says: ["spec.service", "services default/campaign: metadata.annotations", "should be absent"],
  },
  simulate: (logic) =>
    simulation({
      name: "kong-operator#3397",
      process: operator(logic === "broken" ? broken : repaired),
      workload: campaign(Gateways),
    }),
};

if (import.meta.main) await demonstrate(bug);
