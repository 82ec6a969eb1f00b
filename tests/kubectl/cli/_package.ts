/**
 * An operator that `kubeloop package` makes files for.
 *
 * @module
 */

import {
  type Client,
  ConfigMaps,
  defineResource,
  Manager,
  type ManagerOptions,
} from "@kubeloop/controller";
import { cli } from "./_cli.ts";

/** A custom resource. */
const Widgets = defineResource({
  group: "acme.io",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { size: { type: "integer" } } },
});

/** Returns a module whose operator owns ConfigMaps. */
export function operator(more: (client: Client) => ManagerOptions = () => ({})) {
  return {
    manager: (client: Client) => {
      const manager = new Manager(client, {
        name: "widgets",
        definitions: [Widgets],
        http: { port: 8080 },
        ...more(client),
      });
      manager.controller(Widgets).owns(ConfigMaps).reconcile(() => {});
      return manager;
    },
  };
}

/** Options of an operator that may have several replicas, with webhooks. */
const full = ({ namespace = "" }: Client): ManagerOptions => ({
  leaderElection: { name: "widgets", namespace },
  webhooks: { service: { namespace, name: "widgets" } },
  gracefulStopTimeoutMs: 5000,
});

/** Runs `kubeloop package` on the module of an operator. */
export function runPackage(
  args: readonly string[],
  module: Record<string, unknown> = operator(full),
) {
  return cli(["package", "op.ts", ...args], { modules: { "op.ts": module } });
}
