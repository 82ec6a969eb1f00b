/**
 * An operator that replaces the Pods of a StatefulSet itself, when a container is not as it wants it.
 *
 * The new version always sets the capabilities of the container, to an empty list if the user wants none. The API server drops
 * an empty list, so the stored container never equals the wanted one: the Pods are deleted at every sync.
 *
 * https://github.com/zalando/postgres-operator/issues/1377
 *
 * @module
 */

import {
  defineResource,
  isNotFound,
  type KubeObject,
  Pods,
  type Resource,
} from "@kubeloop/controller";
import { StatefulSets } from "@kubeloop/controller/types/apps/v1";
import type { Container } from "@kubeloop/controller/types/core/v1";
import { definitionOf, demonstrate, operator, podsOf, type Upgrade } from "./_upgrade.ts";

interface Postgresql extends KubeObject {
  spec: { numberOfInstances: number; capabilities?: string[] };
}

const Postgresqls: Resource<Postgresql> = defineResource<Postgresql>({
  group: "acid.zalan.do",
  version: "v1",
  plural: "postgresqls",
  kind: "Postgresql",
  namespaced: true,
});

type SecurityContext = NonNullable<Container["securityContext"]>;
type SecurityContextOf = (capabilities: readonly string[]) => SecurityContext;

const v160: SecurityContextOf = () => ({ privileged: false });
const v161: SecurityContextOf = (add) => ({ privileged: false, capabilities: { add: [...add] } });

function version(securityContextOf: SecurityContextOf) {
  return operator(Postgresqls, async ({ metadata: { name, namespace = "" }, spec }, { client }) => {
    const labels = { app: name };
    const securityContext = securityContextOf(spec.capabilities ?? []);
    const set = {
      replicas: spec.numberOfInstances,
      serviceName: name,
      selector: { matchLabels: labels },
      updateStrategy: { type: "OnDelete" as const },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "postgres", image: "spilo-13:2.0-p3", securityContext }] },
      },
    };
    try {
      const stored = await client.get(StatefulSets, name, { namespace });
      const now = stored.spec?.template.spec?.containers[0]?.securityContext;
      if (JSON.stringify(now) === JSON.stringify(securityContext)) return;
      await client.update(StatefulSets, { ...stored, spec: { ...stored.spec!, ...set } });
      const { items } = await client.list(Pods, { namespace, labelSelector: `app=${name}` });
      for (const pod of items) await client.delete(Pods, pod.metadata.name, { namespace });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await client.create(StatefulSets, { metadata: { name, namespace }, spec: set });
    }
  });
}

const uid = "22222222-2222-4222-8222-222222222222";

/** The upgrade. */
export const upgrade: Upgrade = {
  upstream: "https://github.com/zalando/postgres-operator/issues/1377",
  world: [
    definitionOf(Postgresqls),
    {
      apiVersion: "acid.zalan.do/v1",
      kind: "Postgresql",
      metadata: { name: "orders", namespace: "default" },
      spec: { numberOfInstances: 2 },
    } as KubeObject,
    {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "orders", namespace: "default", uid },
      spec: {
        replicas: 2,
        serviceName: "orders",
        selector: { matchLabels: { app: "orders" } },
        updateStrategy: { type: "OnDelete" },
        template: {
          metadata: { labels: { app: "orders" } },
          spec: {
            containers: [{
              name: "postgres",
              image: "spilo-13:2.0-p3",
              securityContext: { privileged: false },
            }],
          },
        },
      },
    } as KubeObject,
    ...podsOf("orders", uid, 2),
  ],
  before: version(v160),
  after: version(v161),
  restarts: {
    owner: "statefulsets.apps default/orders",
    how: "deletes Pods",
    pods: 2,
    fields: ["spec.template.spec.containers[name=postgres].securityContext.capabilities"],
  },
};

if (import.meta.main) await demonstrate(upgrade);
