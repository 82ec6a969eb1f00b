/**
 * An operator that runs Pods without a workload, and deletes all that are not as it wants them.
 *
 * The new version brings a newer image of its own helper, which is the init container of each Pod. So all Pods of all clusters
 * are deleted at once.
 *
 * https://github.com/humio/humio-operator/issues/246
 *
 * @module
 */

import {
  controllerReference,
  defineResource,
  type KubeObject,
  Pods,
  type Resource,
} from "@kubeloop/controller";
import { definitionOf, demonstrate, operator, type Upgrade } from "./_upgrade.ts";

interface HumioCluster extends KubeObject {
  spec: { image: string; nodeCount: number };
}

const HumioClusters: Resource<HumioCluster> = defineResource<HumioCluster>({
  group: "core.humio.com",
  version: "v1alpha1",
  plural: "humioclusters",
  kind: "HumioCluster",
  namespaced: true,
});

function version(helper: string) {
  return operator(HumioClusters, async (cluster, { client }) => {
    const { metadata: { name, namespace = "" }, spec: { image, nodeCount } } = cluster;
    const isAsWanted = ({ spec }: { spec?: typeof podSpec }) =>
      spec?.containers[0]?.image === image && spec.initContainers[0]?.image === helper;
    const podSpec = {
      initContainers: [{ name: "init", image: helper }],
      containers: [{ name: "humio", image }],
    };
    const list = await client.list(Pods, { namespace, labelSelector: `humio=${name}` });
    for (const pod of list.items) {
      if (isAsWanted(pod as { spec?: typeof podSpec })) continue;
      await client.delete(Pods, pod.metadata.name, { namespace });
    }
    const kept = list.items.filter((pod) => isAsWanted(pod as { spec?: typeof podSpec })).length;
    for (let i = kept; i < nodeCount; i++) {
      const metadata = {
        generateName: `${name}-core-`,
        namespace,
        labels: { humio: name },
        ownerReferences: [controllerReference(cluster, HumioClusters)],
      };
      await client.create(Pods, { metadata, spec: podSpec });
    }
  });
}

/** The upgrade. */
export const upgrade: Upgrade = {
  upstream: "https://github.com/humio/humio-operator/issues/246",
  world: [
    definitionOf(HumioClusters),
    {
      apiVersion: "core.humio.com/v1alpha1",
      kind: "HumioCluster",
      metadata: { name: "logs", namespace: "default" },
      spec: { image: "humio-core:1.16.0", nodeCount: 3 },
    } as KubeObject,
  ],
  before: version("humio-operator-helper:0.0.6"),
  after: version("humio-operator-helper:0.1.0"),
  restarts: {
    owner: "humioclusters.core.humio.com default/logs",
    how: "deletes Pods",
    pods: 3,
    fields: ["spec.initContainers[name=init].image"],
  },
};

if (import.meta.main) await demonstrate(upgrade);
