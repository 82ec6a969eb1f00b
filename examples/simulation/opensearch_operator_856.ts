/**
 * A search cluster that runs the version which its user wants. The operator changes nothing while a node is not ready, so as
 * to take down one at a time. When the user has wanted a version that does not start, no node is ever ready again, and the
 * version that the user then wants is never rolled out.
 *
 * https://github.com/opensearch-project/opensearch-k8s-operator/issues/856, and the same in
 * https://github.com/VictoriaMetrics/operator/issues/271
 *
 * What finds it: a campaign from the schema, which sets the version to a text that is none, and restores it.
 *
 * @module
 */

import { type Cached, defineResource, type ObjectOf, type Resource } from "@kubeloop/controller";
import { campaign, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";
import { ownerController } from "./_owner.ts";

const SearchClusters = defineResource({
  group: "example.com",
  version: "v1",
  kind: "SearchCluster",
  spec: {
    type: "object",
    properties: { version: { type: "string", default: "2.19" } },
  },
});

const SearchNodes = defineResource({
  group: "example.com",
  version: "v1",
  kind: "SearchNode",
  spec: { type: "object", properties: { version: { type: "string" } }, required: ["version"] },
});

/** Reports whether a node runs, as its kubelet would: a version that does not exist never starts. */
function isReady({ spec: { version } }: Cached<ObjectOf<typeof SearchNodes>>): boolean {
  return /^\d+\.\d+$/.test(version);
}

const operator = (logic: Logic) =>
  ownerController<ObjectOf<typeof SearchClusters>>(
    SearchClusters,
    [SearchNodes as unknown as Resource],
    async ({ call, client, find, metadata, owner }) => {
      const { version = "2.19" } = owner.spec;
      const node = find(SearchNodes);
      if (node === undefined) {
        await client.create(SearchNodes, { metadata, spec: { version } }, call);
      } else if (node.spec.version !== version) {
        // Taking down a node that does not start costs nothing.
        if (logic === "broken" && !isReady(node)) return { requeueAfterMs: 10_000 };
        await client.patch(SearchNodes, metadata.name, { spec: { version } }, call);
      }
      return {};
    },
  );

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/opensearch-project/opensearch-k8s-operator/issues/856",
  finding: {
    oracle: "end state",
    says: ['searchnodes.example.com default/campaign: spec.version should be "2.19"'],
    story: ["a user changes spec.version: 2.19 →"],
  },
  simulate: (logic) =>
    simulation({
      name: "opensearch-k8s-operator#856",
      process: operator(logic),
      workload: campaign(SearchClusters),
      resources: [SearchNodes],
    }),
};

if (import.meta.main) await demonstrate(bug);
