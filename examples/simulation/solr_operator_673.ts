/**
 * A cloud of search nodes that its user can make reachable from outside, with an Ingress. When the user takes that wish
 * back, the operator does nothing: it only looks at what is wanted, and never at what is there and no more wanted.
 *
 * https://github.com/apache/solr-operator/issues/673, and the same in
 * https://github.com/open-telemetry/opentelemetry-operator/issues/2651
 *
 * What finds it: a campaign from the schema, which removes the wish.
 *
 * @module
 */

import {
  type Cached,
  defineResource,
  isNotFound,
  type ObjectOf,
  type Resource,
} from "@kubeloop/controller";
import { type Ingress, Ingresses } from "@kubeloop/controller/types/networking/v1";
import { campaign, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";
import { ownerController } from "./_owner.ts";

const SolrClouds = defineResource({
  group: "example.com",
  version: "v1",
  kind: "SolrCloud",
  spec: {
    type: "object",
    properties: {
      external: {
        type: "object",
        properties: { host: { type: "string", format: "hostname" } },
        required: ["host"],
      },
    },
  },
});

const operator = (logic: Logic) =>
  ownerController<ObjectOf<typeof SolrClouds>>(
    SolrClouds,
    [Ingresses as Resource],
    async ({ call, client, find, metadata, owner }) => {
      const { external } = owner.spec;
      const current = find(Ingresses);
      if (external !== undefined) {
        const spec = {
          defaultBackend: { service: { name: metadata.name, port: { number: 80 } } },
          rules: [{ host: external.host }],
        };
        await client.apply(Ingresses, { metadata, spec }, { ...call, fieldManager: "solr" });
      } else if (logic === "repaired" && current !== undefined) {
        await removeIngress(current);
      }

      async function removeIngress({ metadata: { name, uid } }: Cached<Ingress>): Promise<void> {
        await client.delete(Ingresses, name, { ...call, preconditions: { uid } }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
    },
  );

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/apache/solr-operator/issues/673",
  finding: {
    oracle: "end state",
    says: ["spec.external", "→ removed →", "ingresses.networking.k8s.io default/campaign"],
  },
  simulate: (logic) =>
    simulation({
      name: "solr-operator#673",
      process: operator(logic),
      workload: campaign(SolrClouds),
    }),
};

if (import.meta.main) await demonstrate(bug);
