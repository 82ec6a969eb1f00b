/**
 * A configuration of a Puppet server, which is written with the settings of its certificate authority if there is one.
 *
 * The bug: the controller takes any error of a read for "there is no authority". If the last read of a reconcile fails,
 * the configuration is written without the authority, is reported as running, and stays so: nothing changes any more that
 * would make the controller look again.
 *
 * https://github.com/slauger/openvox-operator/issues/509
 *
 * What finds it: a read that fails, and is the last one of its kind.
 *
 * @module
 */

import {
  type Client,
  ConfigMaps,
  Controller,
  controllerReference,
  defineResource,
  isNotFound,
  type KubeObject,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, type ProcessEnv, remove, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

interface Authority extends KubeObject {
  spec: { ttl: string };
}
interface Config extends KubeObject {
  spec: { authority: string; port: number };
  status?: { phase?: string };
}
const example = { group: "example.com", version: "v1", namespaced: true } as const;
const Authorities = defineResource<Authority>({
  ...example,
  plural: "certificateauthorities",
  kind: "CertificateAuthority",
});
const Configs = defineResource<Config>({ ...example, plural: "configs", kind: "Config" });

type Find = (client: Client, name: string, namespace: string) => Promise<Authority | undefined>;
/** Any error is taken for an absent authority. */
const broken: Find = async (client, name, namespace) => {
  try {
    return await client.get(Authorities, name, { namespace });
  } catch {
    return undefined;
  }
};
const repaired: Find = async (client, name, namespace) => {
  try {
    return await client.get(Authorities, name, { namespace });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

const operator = (find: Find) => async ({ client, signal }: ProcessEnv) => {
  const informers = new SharedInformerFactory(client);
  const configs = informers.informer(Configs);
  const authorities = informers.informer(Authorities);
  const controller = new Controller({
    informer: configs,
    waitFor: [authorities],
    async reconcile(key) {
      const config = configs.indexer.getByKey(key);
      if (config === undefined) return;
      const { name, namespace = "" } = config.metadata;
      const authority = await find(client, config.spec.authority, namespace);
      const lines = [`port = ${config.spec.port}`];
      if (authority !== undefined) {
        lines.push(`ca_ttl = ${authority.spec.ttl}`, "autosign = policy");
      }
      await client.apply(ConfigMaps, {
        metadata: { name, namespace, ownerReferences: [controllerReference(config, Configs)] },
        data: { "puppet.conf": lines.join("\n") },
      }, { fieldManager: "openvox" });
      if (config.status?.phase !== "Running") {
        await client.patchStatus(Configs, name, { status: { phase: "Running" } }, { namespace });
      }
    },
  });
  const all = () => configs.indexer.listKeys().forEach((key) => controller.enqueue(key));
  authorities.addEventHandler({ onAdd: all, onUpdate: all, onDelete: all });
  await controller.run({ signal });
};

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/slauger/openvox-operator/issues/509",
  finding: {
    oracle: "end state",
    says: ["configmaps default/main: data.puppet.conf should be", "autosign"],
    story: ["get certificateauthorities", "is answered with 500"],
  },
  simulate: (logic) =>
    simulation({
      name: "openvox-operator#509",
      process: operator(logic === "broken" ? broken : repaired),
      workload: [
        create(Authorities, "ca", { spec: { ttl: "5y" } }),
        create(Configs, "main", { spec: { authority: "ca", port: 8140 } }),
        settle(),
        remove(Configs, "main"),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
