// Compiles: what is applied, and what comes back, is of the kind.

import {
  type Cached,
  type Deployment,
  Deployments,
  type Manager,
  Services,
} from "@kubeloop/controller";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.controller(Widgets).owns(Deployments).owns(Services).reconcile(
  async ({ object: { spec }, name, apply }) => {
    const labels = { widget: name };
    const deployment = await apply(Deployments, {
      metadata: { name, labels },
      spec: {
        replicas: spec.size,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: { containers: [{ name: "main", image: spec.image }] },
        },
      },
    });
    same<typeof deployment, Cached<Deployment>>(true);
    same<NonNullable<typeof deployment.status>["readyReplicas"], number | undefined>(true);
    await apply(Services, { metadata: { name }, spec: { selector: labels, type: "ClusterIP" } }, {
      owner: false,
    });
  },
);
