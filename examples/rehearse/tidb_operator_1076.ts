/**
 * An operator that keeps the template that it has last applied in an annotation of the template.
 *
 * The new version writes an empty `securityContext`, which the API server sets by default, so that no Pod would have to
 * change. But the text in the annotation changes, and with it the template.
 *
 * https://github.com/pingcap/tidb-operator/issues/1076
 *
 * @module
 */

import { defineResource, isNotFound, type KubeObject, type Resource } from "@kubeloop/controller";
import { StatefulSets } from "@kubeloop/controller/types/apps/v1";
import { definitionOf, demonstrate, operator, podsOf, type Upgrade } from "./_upgrade.ts";

interface TidbCluster extends KubeObject {
  spec: { replicas: number };
}

const TidbClusters: Resource<TidbCluster> = defineResource<TidbCluster>({
  group: "pingcap.com",
  version: "v1alpha1",
  plural: "tidbclusters",
  kind: "TidbCluster",
  namespaced: true,
});

const APPLIED = "pingcap.com/last-applied-configuration";

function version(securityContext: Record<string, never> | undefined) {
  return operator(TidbClusters, async ({ metadata, spec: { replicas } }, { client }) => {
    const { namespace = "" } = metadata;
    const name = `${metadata.name}-tikv`;
    const labels = { app: name };
    const podSpec = {
      containers: [{ name: "tikv", image: "tikv:v3.0.5" }],
      ...(securityContext && { securityContext }),
    };
    const annotations = { [APPLIED]: JSON.stringify(podSpec) };
    const set = {
      metadata: { name, namespace },
      spec: {
        replicas,
        serviceName: name,
        selector: { matchLabels: labels },
        template: { metadata: { labels, annotations }, spec: podSpec },
      },
    };
    try {
      const stored = await client.get(StatefulSets, name, { namespace });
      const applied = stored.spec?.template.metadata?.annotations?.[APPLIED];
      if (applied === annotations[APPLIED] && stored.spec?.replicas === replicas) return;
      await client.update(StatefulSets, { ...stored, spec: { ...stored.spec!, ...set.spec } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(StatefulSets, set);
    }
  });
}

const uid = "11111111-1111-4111-8111-111111111111";

/** The upgrade. */
export const upgrade: Upgrade = {
  upstream: "https://github.com/pingcap/tidb-operator/issues/1076",
  world: [
    definitionOf(TidbClusters),
    {
      apiVersion: "pingcap.com/v1alpha1",
      kind: "TidbCluster",
      metadata: { name: "demo", namespace: "default" },
      spec: { replicas: 3 },
    } as KubeObject,
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "demo-tikv", namespace: "default", uid },
      spec: {
        replicas: 3,
        serviceName: "demo-tikv",
        selector: { matchLabels: { app: "demo-tikv" } },
        template: {
          metadata: { labels: { app: "demo-tikv" } },
          spec: { containers: [{ name: "tikv", image: "tikv:v3.0.5" }] },
        },
      },
    } as KubeObject,
    ...podsOf("demo-tikv", uid, 3),
  ],
  before: version(undefined),
  after: version({}),
  restarts: {
    owner: "statefulsets.apps default/demo-tikv",
    how: "rolls",
    pods: 3,
    fields: [`spec.template.metadata.annotations["${APPLIED}"]`],
  },
};

if (import.meta.main) await demonstrate(upgrade);
