// Compiles: the kinds of the root are the complete ones of their API groups, with the same descriptors.

import {
  type Cached,
  type Deployment,
  Deployments,
  type Manager,
  Pods,
} from "@kubeloop/controller";
import { changed, type Predicate } from "@kubeloop/controller/operator";
import { Deployments as DeploymentsOfGroup } from "@kubeloop/controller/types/apps/v1";
import type { Pod, PodSpec } from "@kubeloop/controller/types/core/v1";
import { same } from "./_same.ts";

declare const manager: Manager;
declare function use(pod: Cached<Pod>): void;

const isHost: Predicate<Pod> = ({ object }) => object.spec?.hostNetwork === true;

same<typeof Deployments, typeof DeploymentsOfGroup>(true);
manager.controller(Pods, { when: isHost })
  .owns(Deployments).reconcile(async ({ object, apply, owned, remove }) => {
    use(object);
    const spec: PodSpec = {
      containers: [{ name: "main", livenessProbe: { tcpSocket: { port: 80 } } }],
    };
    const web: Deployment = {
      metadata: { name: "a" },
      spec: { selector: {}, template: { spec }, strategy: { type: "Recreate" } },
    };
    const applied = await apply(Deployments, { ...web, metadata: { name: "a" } });
    const image = applied.spec?.template.spec?.containers[0]?.image;
    same<typeof image, string | undefined>(true);
    for (const deployment of owned(Deployments)) await remove(DeploymentsOfGroup, deployment);
  });
manager.controller(Pods, { name: "changed", when: changed("spec.hostNetwork", "status.hostIPs") })
  .reconcile(({ object }) => use(object));
