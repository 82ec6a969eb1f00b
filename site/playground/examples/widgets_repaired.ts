import { defineResource, Deployments, Manager } from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

const Widgets = defineResource({
  group: "demo.dev",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { replicas: { type: "integer", default: 1 } } },
});

/** Applies a Deployment with the name of its Widget: there is nothing to write down, and a second apply changes nothing. */
export async function operator({ client, signal }: ProcessEnv) {
  const manager = new Manager(client, { name: "widgets", definitions: [Widgets] });
  manager.controller(Widgets)
    .owns(Deployments)
    .reconcile(async ({ object, name, apply }) => {
      const labels = { widget: name };
      const container = { name: "web", image: "nginx" };
      await apply(Deployments, {
        metadata: { name },
        spec: {
          replicas: object.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      });
    });
  await manager.run({ signal });
}

/** "Find a bug" runs it hundreds of times, each time with another fault. */
export default simulation({
  process: operator,
  workload: [create(Widgets, "shop", { spec: { replicas: 2 } }), settle()],
  always: [({ server }) => server.count(Deployments) <= 1 || "two Deployments for one Widget"],
});
