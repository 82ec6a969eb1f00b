/**
 * What kube-controller-manager does with Deployments and Jobs, as far as the operators see it. Written with the toolkit
 * as well.
 *
 * @module
 */

import { Deployments, formatTime, Jobs, type Manager, Pods } from "@kubeloop/controller";

/** Keeps the Pods of each Deployment, and counts those that are ready. */
export function deploymentController(manager: Manager): void {
  manager.controller(Deployments).owns(Pods).reconcile(async ({ name, object, apply, status }) => {
    const { replicas = 1, template } = object.spec!;
    const { labels } = template.metadata ?? {};
    let availableReplicas = 0;
    for (let i = 0; i < replicas; i++) {
      const pod = await apply(Pods, {
        metadata: { name: `${name}-${i}`, labels },
        spec: template.spec!,
      });
      const ready = pod.status?.conditions?.find(({ type }) => type === "Ready");
      if (ready?.status === "True") availableReplicas++;
    }
    status({ replicas, readyReplicas: availableReplicas, availableReplicas });
    return { prune: true };
  });
}

/** Runs one Pod for each Job, and reports how it ended. */
export function jobController(manager: Manager): void {
  manager.controller(Jobs).owns(Pods).reconcile(async ({ name, object, apply, status, clock }) => {
    const { metadata: { labels, annotations } = {}, spec } = object.spec!.template;
    const pod = await apply(Pods, {
      metadata: { name, labels, annotations },
      spec: { ...spec!, restartPolicy: "Never" },
    });
    const now = formatTime(clock.wallNow());
    const draft = status({ startTime: object.status?.startTime ?? now });
    const phase = pod.status?.phase;
    if (phase === "Succeeded") draft.condition("Complete", "True", "Completed");
    if (phase === "Failed") draft.condition("Failed", "True", "BackoffLimitExceeded");
  });
}
