/**
 * Two controllers of one operator, each of which keeps the Installation from being deleted while its own part runs.
 *
 * Each controller adds its finalizer to the Installation and takes it away again when its part is gone. It writes the
 * list that its cache shows, with one entry more or less, as a JSON merge patch. A merge patch replaces a list as a
 * whole, so it drops the entries that the other controller, or another client, has added since. The
 * Installation is then deleted before they have cleaned up.
 *
 * https://github.com/tigera/operator/issues/4492, and the same in https://github.com/kubernetes/kubernetes/issues/111643
 * and https://github.com/nolar/kopf/issues/1106
 *
 * What finds it: another client that adds a finalizer just before the write.
 *
 * @module
 */

import {
  type Cached,
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isNotFound,
  type KubeObject,
  type Resource,
  SharedInformerFactory,
} from "@kubeloop/controller";
import type { MergePatch } from "@kubeloop/controller/types";
import { create, type ProcessEnv, remove, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

const Installations: Resource<KubeObject> = defineResource({
  group: "example.com",
  version: "v1",
  plural: "installations",
  kind: "Installation",
  namespaced: true,
});

/** Returns the patch that sets the finalizers of an Installation. */
type PatchOf = (
  installation: Cached<KubeObject>,
  finalizers: string[],
) => MergePatch<KubeObject>;

const broken: PatchOf = (_installation, finalizers) => ({ metadata: { finalizers } });

/** The server refuses the patch of an Installation that has changed since. */
const repaired: PatchOf = ({ metadata: { resourceVersion } }, finalizers) => ({
  metadata: { resourceVersion, finalizers },
});

async function operator({ client, signal }: ProcessEnv, patchOf: PatchOf): Promise<void> {
  const informers = new SharedInformerFactory(client);
  const installations = informers.informer(Installations);

  const controllerOfPart = (part: string) => {
    const finalizer = `example.com/${part}`;
    return new Controller({
      informer: installations,
      name: part,
      async reconcile(key) {
        const installation = installations.indexer.getByKey(key);
        if (installation === undefined) return;
        const { deletionTimestamp, finalizers = [], name, namespace } = installation.metadata;
        const call = { namespace };
        const config = `${name}-${part}`;
        const setFinalizers = (wanted: string[]) =>
          client.patch(Installations, name, patchOf(installation, wanted), call);
        if (deletionTimestamp !== undefined) {
          if (!finalizers.includes(finalizer)) return;
          await client.delete(ConfigMaps, config, call).catch((error) => {
            if (!isNotFound(error)) throw error;
          });
          await setFinalizers(finalizers.filter((one) => one !== finalizer));
          return;
        }
        if (!finalizers.includes(finalizer)) await setFinalizers([...finalizers, finalizer]);
        const object = {
          metadata: {
            name: config,
            namespace,
            ownerReferences: [controllerReference(installation, Installations)],
          },
          data: { part },
        };
        await client.apply(ConfigMaps, object, { fieldManager: part });
      },
    });
  };

  await Promise.all(["whisker", "goldmane"].map((part) => controllerOfPart(part).run({ signal })));
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/tigera/operator/issues/4492",
  finding: {
    oracle: "lost entry",
    says: ["operator drops the finalizer that another client has added to installations"],
    story: ["acted on installations default/default version"],
  },
  simulate: (logic) =>
    simulation({
      name: "tigera/operator#4492",
      process: (env: ProcessEnv) => operator(env, logic === "broken" ? broken : repaired),
      workload: [
        create(Installations, "default"),
        settle(),
        remove(Installations, "default"),
        settle(),
      ],
      resources: [Installations],
    }),
};

if (import.meta.main) await demonstrate(bug);
