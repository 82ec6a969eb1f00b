/**
 * An operator that writes the credentials of a service into a Secret, and watches its Secrets to repair them.
 *
 * The bug: it watches all Secrets of the cluster, and so keeps the Secrets of everybody in memory, such as those of all
 * Helm releases. In a large cluster it is killed for lack of memory.
 *
 * The repair: it watches only the Secrets with its label.
 *
 * @module
 */

import {
  Controller,
  controllerOf,
  controllerReference,
  defineResource,
  type KubeObject,
  type Resource,
  Secrets,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, simulation } from "@kubeloop/testing/simulation";
import type { Logic } from "../_bug.ts";
import { type CostBug, demonstrate } from "./_cost_bug.ts";

const ServiceBindings: Resource<KubeObject> = defineResource({
  group: "example.com",
  version: "v1",
  plural: "servicebindings",
  kind: "ServiceBinding",
  namespaced: true,
});

const LABEL = "example.com/binding";

async function operator({ client, signal }: ProcessEnv, logic: Logic): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const bindings = informers.informer(ServiceBindings);
  const secrets = logic === "broken"
    ? informers.informer(Secrets)
    : informers.informer(Secrets, { labelSelector: LABEL });
  const controller = new Controller({
    informer: bindings,
    waitFor: [secrets],
    async reconcile(key) {
      const binding = bindings.indexer.getByKey(key);
      if (binding === undefined || secrets.indexer.getByKey(key) !== undefined) return;
      const { name, namespace } = binding.metadata;
      const labels = { [LABEL]: name };
      const ownerReferences = [controllerReference(binding, ServiceBindings)];
      const secret = { metadata: { name, namespace, labels, ownerReferences } };
      await client.apply(Secrets, secret, { fieldManager: "bindings" });
    },
  });
  secrets.addEventHandler({
    onDelete: (last) => {
      const owner = "metadata" in last ? controllerOf(last, ServiceBindings) : undefined;
      if (owner !== undefined && "metadata" in last) {
        controller.enqueue(`${last.metadata.namespace}/${owner.name}`);
      }
    },
  });
  await controller.run({ signal });
}

/** The bug, broken and repaired. The objects are Secrets of other programs. */
export const bug: CostBug = {
  upstream: "https://github.com/SAP/sap-btp-service-operator/issues/432",
  bounds: { start: "O(1)", quiet: { requests: "O(1)", cache: "O(1)" }, change: "O(1)" },
  says: [
    "quiet cache: O(n) instead of O(1)",
    "Cause: the watch of secrets covers 3, 9, 33 objects",
  ],
  line: "informers.informer(Secrets)",
  cost: {
    each: (i) =>
      create(Secrets, `sh.helm.release.v1.shop.v${i}`, {
        type: "helm.sh/release.v1",
        data: { release: "H4sI".repeat(256) },
      }),
    change: (i) =>
      patch(Secrets, `sh.helm.release.v1.shop.v${i}`, { metadata: { labels: { status: "old" } } }),
  },
  simulate: (logic) =>
    simulation({
      name: "sap-btp-service-operator 432",
      process: (env) => operator(env, logic),
      objects: [{ resource: ServiceBindings, object: { metadata: { name: "database" } } }],
      workload: [],
    }),
};

if (import.meta.main) await demonstrate(bug);
