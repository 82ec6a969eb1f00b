/**
 * A release whose status says what was deployed. A status that cannot be written is tried again, up to three times.
 *
 * The bug: each try changes the same object in memory. The second try finds nothing to change, and is taken for a success:
 * the status is never written.
 *
 * https://github.com/operator-framework/helm-operator-plugins/issues/378
 *
 * What finds it: one error of the API server.
 *
 * @module
 */

import {
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  type KubeObject,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface Release extends KubeObject {
  spec: { values: string };
  status?: { deployed?: string };
}
const Releases = defineResource<Release>({
  group: "example.com",
  version: "v1",
  plural: "releases",
  kind: "Release",
  namespaced: true,
});

const operator = (logic: Logic) => async ({ client, signal }: ProcessEnv) => {
  const releases = new SharedInformerFactory(client).informer(Releases);
  const updateStatus = async (object: Release, change: (release: Release) => boolean) => {
    for (let attempt = 1;; attempt++) {
      const target = logic === "broken" ? object : structuredClone(object);
      if (!change(target)) return;
      try {
        await client.updateStatus(Releases, target as never, {
          namespace: object.metadata.namespace,
        });
        return;
      } catch (error) {
        if (attempt === 3) throw error;
      }
    }
  };
  const controller = new Controller({
    informer: releases,
    async reconcile(key) {
      const cached = releases.indexer.getByKey(key);
      if (cached === undefined) return;
      const release = structuredClone(cached) as Release;
      const { name, namespace } = cached.metadata;
      await client.apply(ConfigMaps, {
        metadata: { name, namespace, ownerReferences: [controllerReference(cached, Releases)] },
        data: { values: release.spec.values },
      }, { fieldManager: "helm" });
      await updateStatus(release, (one) => {
        if (one.status?.deployed === one.spec.values) return false;
        one.status = { deployed: one.spec.values };
        return true;
      });
    },
  });
  await controller.run({ signal });
};

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/operator-framework/helm-operator-plugins/issues/378",
  finding: {
    oracle: "end state",
    says: ["releases.example.com default/web: status should be", "and is absent"],
    story: ["update releases.example.com/status default/web #1] is answered with 500"],
  },
  simulate: (logic) =>
    simulation({
      name: "helm-operator-plugins#378",
      process: operator(logic),
      workload: [
        create(Releases, "web", { spec: { values: "a" } }),
        settle(),
        patch(Releases, "web", { spec: { values: "b" } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
