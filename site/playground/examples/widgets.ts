import { defineResource, Deployments, Manager } from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

const Widgets = defineResource({
  group: "demo.dev",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { replicas: { type: "integer", default: 1 } } },
  status: { type: "object", properties: { deployment: { type: "string" } } },
});

/** A Widget becomes a Deployment, whose name the status keeps. Can you see the bug? */
export async function operator({ client, signal }: ProcessEnv) {
  const manager = new Manager(client, { name: "widgets", definitions: [Widgets] });
  manager.controller(Widgets)
    .owns(Deployments)
    .reconcile(async ({ object, name, namespace, status, ownerReference }) => {
      if (object.status?.deployment !== undefined) return;
      const labels = { widget: name };
      const deployment = await client.create(Deployments, {
        metadata: { generateName: `${name}-`, labels },
        spec: {
          replicas: object.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
        },
      }, { namespace });
      status({ deployment: deployment.metadata.name });
    });
  await manager.run({ signal });
}

/** The Simulate button runs it hundreds of times, each time with another fault. */
export default simulation({
  name: "widgets",
  process: operator,
  workload: [create(Widgets, "shop", { spec: { replicas: 2 } }), settle()],
});
