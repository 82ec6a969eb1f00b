/**
 * A controller that gives the seed Service of a datacenter the additional labels that its user wants.
 *
 * The controller merges the wanted labels into the labels of the Service, and updates the Service if that
 * changes anything. So a label is added, but never removed: a label that the user takes away again stays for ever.
 *
 * https://github.com/k8ssandra/cass-operator/issues/330
 *
 * What finds it: a step that is taken back, and the same wish reached by another way.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerReference,
  defineResource,
  type KubeObject,
  type Resource,
  type Service,
  Services,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Datacenter extends KubeObject {
  spec: { size: number; seedService?: { additionalLabels?: Record<string, string> } };
}

const Datacenters: Resource<Datacenter> = defineResource<Datacenter>({
  group: "example.com",
  version: "v1",
  plural: "datacenters",
  kind: "Datacenter",
  namespaced: true,
});

type Labels = Readonly<Record<string, string>>;

/** Gives the Service the labels that are wanted. `seed` is the Service that the cache shows. */
type Label = (client: Client, seed: Cached<Service>, wanted: Labels) => Promise<unknown>;

const broken: Label = async (client, seed, wanted) => {
  const { labels: has = {}, namespace } = seed.metadata;
  const labels = { ...has, ...wanted };
  if (isSame(has, labels)) return;
  await client.update(Services, { ...seed, metadata: { ...seed.metadata, labels } }, { namespace });
};

/** With server-side apply, the server removes the labels that we have set before and do not set any more. */
const repaired: Label = async (client, { metadata: { name, namespace } }, labels) => {
  const metadata = { name, labels };
  await client.apply(Services, { metadata }, { namespace, fieldManager: "cass-operator" });
};

function operator(label: Label) {
  return async ({ client, signal }: ProcessEnv) => {
    const informers = new SharedInformerFactory(client);
    const datacenters = informers.informer(Datacenters);
    const services = informers.informer(Services);

    const reconcile = async (key: string) => {
      const datacenter = datacenters.indexer.getByKey(key);
      if (datacenter === undefined || datacenter.metadata.deletionTimestamp !== undefined) return;
      const { name, namespace } = datacenter.metadata;
      const seed = services.indexer.getByKey(`${key}-seed`);
      if (seed === undefined) {
        await client.create(Services, {
          metadata: {
            name: `${name}-seed`,
            ownerReferences: [controllerReference(datacenter, Datacenters)],
          },
          spec: { clusterIP: "None", ports: [{ port: 9042 }], selector: { dc: name } },
        }, { namespace });
      } else {
        const { additionalLabels } = datacenter.spec.seedService ?? {};
        await label(client, seed, { "example.com/dc": name, ...additionalLabels });
      }
    };

    const controller = new Controller({ informer: datacenters, waitFor: [services], reconcile });
    services.addEventHandler({
      onAdd: ({ metadata }) => controller.enqueue(ownerKey(metadata)),
      onUpdate: (_old, { metadata }) => controller.enqueue(ownerKey(metadata)),
      onDelete: () => datacenters.indexer.listKeys().forEach((key) => controller.enqueue(key)),
    });
    await controller.run({ signal });
  };
}

function ownerKey({ name, namespace }: Cached<Service>["metadata"]): string {
  return `${namespace}/${name.replace(/-seed$/, "")}`;
}

function isSame(a: Labels, b: Labels): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/k8ssandra/cass-operator/issues/330",
  finding: {
    oracle: "end state",
    says: ['services default/dc1-seed: metadata.labels.team should be absent and is "blue"'],
  },
  simulate: (logic) =>
    simulation({
      name: "cass-operator#330",
      process: operator(logic === "broken" ? broken : repaired),
      workload: [
        create(Datacenters, "dc1", { spec: { size: 3 } }),
        settle(),
        patch(Datacenters, "dc1", {
          spec: { seedService: { additionalLabels: { team: "blue" } } },
        }),
        settle(),
        patch(Datacenters, "dc1", { spec: { size: 5 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
