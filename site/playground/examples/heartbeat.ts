import { defineResource, Manager } from "@kubeloop/controller";
import { anyChange } from "@kubeloop/controller/operator";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

const Probes = defineResource({
  group: "demo.dev",
  version: "v1",
  kind: "Probe",
  spec: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  status: { type: "object", properties: { checkedAt: { type: "string" } } },
});

/** Writes down when it has looked at a Probe. */
export async function operator({ client, signal }: ProcessEnv) {
  const manager = new Manager(client, { name: "probes", definitions: [Probes] });
  manager.controller(Probes, { when: anyChange })
    .reconcile(({ clock, status }) => {
      status({ checkedAt: new Date(clock.wallNow()).toISOString() });
    });
  await manager.run({ signal });
}

export default simulation({
  process: operator,
  workload: [create(Probes, "home", { spec: { url: "https://example.com" } }), settle()],
});
