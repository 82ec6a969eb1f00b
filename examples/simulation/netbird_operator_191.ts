/**
 * A resource of a private network for a Service. A finalizer makes the operator remove it from the network before the object goes.
 *
 * The bug: a condition is the wrong way round. The operator takes the Service that it has found for an error, and tries
 * again for ever: the object is never gone while its Service exists.
 *
 * https://github.com/netbirdio/kubernetes-operator/issues/191
 *
 * What finds it: no fault at all. The run without faults is wrong, since it never ends a deletion. Without that rule, its
 * end state would be what all other runs are compared with.
 *
 * The repaired operator also reads the object from the server, since an operator that starts anew on an old replica would
 * put a resource into the network whose object is gone. The simulation found that in our first repair.
 *
 * @module
 */

import {
  Controller,
  defineResource,
  isNotFound,
  type KubeObject,
  Services,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, type ProcessEnv, remove, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface NBResource extends KubeObject {
  spec: { address: string };
  status?: { id?: string };
}
const NBResources = defineResource<NBResource>({
  group: "example.com",
  version: "v1",
  plural: "nbresources",
  kind: "NBResource",
  namespaced: true,
});
const FINALIZER = "netbird.io/cleanup";

class NetBird {
  readonly #resources = new Set<string>();
  put(name: string): Promise<void> {
    this.#resources.add(name);
    return Promise.resolve();
  }
  delete(name: string): Promise<void> {
    this.#resources.delete(name);
    return Promise.resolve();
  }
  state() {
    return [...this.#resources];
  }
}

const operator = (logic: Logic) => async ({ client, cloud, signal }: ProcessEnv<NetBird>) => {
  const resources = new SharedInformerFactory(client).informer(NBResources);
  const controller = new Controller({
    informer: resources,
    async reconcile(key) {
      const [namespace = "", name = ""] = key.split("/");
      const one = logic === "broken"
        ? resources.indexer.getByKey(key)
        : await client.get(NBResources, name, { namespace }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      if (one === undefined) return;
      const { deletionTimestamp, finalizers = [], resourceVersion } = one.metadata;
      const setFinalizers = (wanted: string[]) =>
        client.patch(NBResources, name, { metadata: { resourceVersion, finalizers: wanted } }, {
          namespace,
        });
      if (deletionTimestamp !== undefined) {
        if (!finalizers.includes(FINALIZER)) return;
        const service = await client.get(Services, name, { namespace }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
        if (logic === "broken" && service !== undefined) {
          throw new Error("kubernetes API error: getting Service");
        }
        await cloud.delete(name);
        await setFinalizers(finalizers.filter((one) => one !== FINALIZER));
        return;
      }
      if (!finalizers.includes(FINALIZER)) {
        await setFinalizers([...finalizers, FINALIZER]);
        return;
      }
      await cloud.put(name);
      if (one.status?.id !== name) {
        await client.patchStatus(NBResources, name, { status: { id: name } }, { namespace });
      }
    },
  });
  await controller.run({ signal });
};

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/netbirdio/kubernetes-operator/issues/191",
  finding: {
    oracle: "liveness",
    says: ["The deletion of nbresources.example.com default/web never ends: operator has added"],
    story: ["<== this deletion never ends"],
  },
  simulate: (logic) =>
    simulation({
      name: "netbird-operator#191",
      process: operator(logic),
      world: { cloud: () => new NetBird() },
      workload: [
        create(Services, "web", { spec: { ports: [{ port: 80 }] } }),
        create(NBResources, "web", { spec: { address: "web.default.svc" } }),
        settle(),
        remove(NBResources, "web"),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
