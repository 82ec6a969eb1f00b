import { controllerReference, defineResource, Deployments, Manager } from "@kubeloop/controller";
import { create, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";

const Widgets = defineResource({
  group: "demo.dev",
  version: "v1",
  kind: "Widget",
  spec: { type: "object", properties: { replicas: { type: "integer", default: 1 } } },
  status: { type: "object", properties: { deployment: { type: "string" } } },
});

/** Creates a Deployment for each Widget, and keeps its name. Can you see the bug? */
export async function operator({ client, signal }: ProcessEnv) {
  const manager = new Manager(client, { name: "widgets", definitions: [Widgets] });
  manager.controller(Widgets)
    .owns(Deployments)
    .reconcile(async ({ object, name, namespace, client, status }) => {
      if (object.status?.deployment !== undefined) return;
      const labels = { widget: name };
      const container = { name: "web", image: "nginx" };
      const deployment = await client.create(Deployments, {
        metadata: {
          generateName: `${name}-`,
          ownerReferences: [controllerReference(object, Widgets)],
        },
        spec: {
          replicas: object.spec.replicas,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container] } },
        },
      }, { namespace });
      status({ deployment: deployment.metadata.name });
    });
  await manager.run({ signal });
}

/** "Find a bug" runs it hundreds of times, each time with another fault. */
export default simulation({
  process: operator,
  workload: [create(Widgets, "shop", { spec: { replicas: 2 } }), settle()],
  always: [({ server }) => server.count(Deployments) <= 1 || "two Deployments for one Widget"],
});
