/**
 * An operator whose labels move to another domain.
 *
 * The selector of a StatefulSet cannot be changed, so the new version deletes the StatefulSet, keeps its Pods, and creates it
 * again. But its template has the new labels too: all Pods are rolled.
 *
 * https://github.com/opensearch-project/opensearch-k8s-operator/issues/1580
 *
 * @module
 */

import { defineResource, isNotFound, type KubeObject, type Resource } from "@kubeloop/controller";
import { StatefulSets } from "@kubeloop/controller/types/apps/v1";
import { definitionOf, demonstrate, operator, podsOf, type Upgrade } from "./_upgrade.ts";

interface OpenSearchCluster extends KubeObject {
  spec: { replicas: number };
}

const OpenSearchClusters: Resource<OpenSearchCluster> = defineResource<OpenSearchCluster>({
  group: "opensearch.org",
  version: "v1",
  plural: "opensearchclusters",
  kind: "OpenSearchCluster",
  namespaced: true,
});

function version(label: string) {
  return operator(
    OpenSearchClusters,
    async ({ metadata, spec: { replicas } }, { client, clock }) => {
      const { namespace = "" } = metadata;
      const name = `${metadata.name}-masters`;
      const labels = { [label]: metadata.name };
      try {
        const stored = await client.get(StatefulSets, name, { namespace });
        if (stored.spec?.selector.matchLabels?.[label] !== undefined) return;
        await client.delete(StatefulSets, name, { namespace, propagationPolicy: "Orphan" });
        while (true) {
          await client.get(StatefulSets, name, { namespace });
          await new Promise<void>((resolve) => clock.setTimer(resolve, 1000));
        }
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
      await client.create(StatefulSets, {
        metadata: { name, namespace },
        spec: {
          replicas,
          serviceName: name,
          selector: { matchLabels: labels },
          template: {
            metadata: { labels },
            spec: { containers: [{ name: "opensearch", image: "opensearch:2.19.6" }] },
          },
        },
      });
    },
  );
}

const uid = "33333333-3333-4333-8333-333333333333";
const OLD = "opster.io/opensearch-cluster";
const NEW = "opensearch.org/opensearch-cluster";

/** The upgrade. */
export const upgrade: Upgrade = {
  upstream: "https://github.com/opensearch-project/opensearch-k8s-operator/issues/1580",
  world: [
    definitionOf(OpenSearchClusters),
    {
      apiVersion: "opensearch.org/v1",
      kind: "OpenSearchCluster",
      metadata: { name: "search", namespace: "default" },
      spec: { replicas: 3 },
    } as KubeObject,
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "search-masters", namespace: "default", uid },
      spec: {
        replicas: 3,
        serviceName: "search-masters",
        selector: { matchLabels: { [OLD]: "search" } },
        template: {
          metadata: { labels: { [OLD]: "search" } },
          spec: { containers: [{ name: "opensearch", image: "opensearch:2.19.6" }] },
        },
      },
    } as KubeObject,
    ...podsOf("search-masters", uid, 3),
  ],
  before: version(OLD),
  after: version(NEW),
  restarts: {
    owner: "statefulsets.apps default/search-masters",
    how: "rolls",
    pods: 3,
    fields: [
      `spec.template.metadata.labels["${NEW}"]`,
      `spec.template.metadata.labels["${OLD}"]`,
    ],
  },
};

if (import.meta.main) await demonstrate(upgrade);
