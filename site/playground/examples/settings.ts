import { ConfigMaps, defineResource, Manager } from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

const Teams = defineResource({
  group: "demo.dev",
  version: "v1",
  kind: "Team",
  spec: { type: "object", properties: { lead: { type: "string" } } },
});
const SOURCE = { name: "settings", namespace: "default" };

/** Copies the ConfigMap "settings" for each Team. */
export async function operator({ client, signal }: ProcessEnv) {
  const manager = new Manager(client, { name: "teams", definitions: [Teams] });
  manager.controller(Teams)
    .owns(ConfigMaps)
    .reconcile(async ({ client, name, apply }) => {
      const source = await client.get(ConfigMaps, SOURCE.name, { namespace: SOURCE.namespace });
      await apply(ConfigMaps, { metadata: { name: `${name}-settings` }, data: source.data });
    });
  await manager.run({ signal });
}

/** The user changes the settings, once there is a copy. */
export default simulation({
  process: operator,
  workload: [
    create(ConfigMaps, SOURCE.name, { data: { mode: "fast" } }),
    create(Teams, "shop", { spec: { lead: "Ada" } }),
    settle(),
    patch(ConfigMaps, SOURCE.name, { data: { mode: "safe" } }),
    settle(),
  ],
});
