/**
 * kubernetes/sample-controller, ported: a Foo names a Deployment, which the controller creates and keeps at the number of
 * replicas of the Foo.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type Cached,
  type ControllerHandle,
  defineResource,
  type Deployment,
  Deployments,
  type Manager,
  NotOwnedError,
  type ObjectOf,
} from "@kubeloop/controller";

export const Foos = defineResource({
  group: "samplecontroller.k8s.io",
  version: "v1alpha1",
  kind: "Foo",
  annotations: { "api-approved.kubernetes.io": "unapproved, experimental-only" },
  spec: {
    type: "object",
    properties: {
      deploymentName: { type: "string" },
      replicas: { type: "integer", minimum: 1, maximum: 10 },
    },
  },
  status: { type: "object", properties: { availableReplicas: { type: "integer" } } },
});

export type Foo = ObjectOf<typeof Foos>;

/** Declares the controller of Foos. */
export function sampleController(manager: Manager): ControllerHandle {
  return manager.controller(Foos, { workers: 2 })
    .owns(Deployments)
    .reconcile(async ({ object, apply, status, event, log }) => {
      const { deploymentName } = object.spec;
      // A retry would not help: the user has to change the Foo.
      if (!deploymentName) {
        log.error("spec.deploymentName is missing");
        return;
      }
      try {
        const deployment = await apply(Deployments, deploymentOf(object, deploymentName), {
          adopt: false,
        });
        status({ availableReplicas: deployment.status?.availableReplicas ?? 0 });
        event("Normal", "Synced", "Foo synced successfully");
      } catch (error) {
        if (!NotOwnedError.is(error)) throw error;
        const note = `Resource "${deploymentName}" already exists and is not managed by Foo`;
        event("Warning", "ErrResourceExists", note);
        throw new Error(note, { cause: error });
      }
    });
}

function deploymentOf(
  { metadata, spec }: Cached<Foo>,
  name: string,
): ApplyConfiguration<Deployment> {
  const labels = { app: "nginx", controller: metadata.name };
  const containers = [{ name: "nginx", image: "nginx:latest" }];
  return {
    metadata: { name },
    spec: {
      replicas: spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  };
}
