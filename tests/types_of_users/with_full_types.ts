// Compiles: the minimal types and the types of the API groups stand for each other.

import { type Cached, Deployments, type Manager, Pods } from "@kubeloop/controller";
import { changed, type Predicate } from "@kubeloop/controller/operator";
import {
  type Deployment,
  Deployments as FullDeployments,
} from "@kubeloop/controller/types/apps/v1";
import { type Pod as FullPod, Pods as FullPods } from "@kubeloop/controller/types/core/v1";
import { same } from "./_same.ts";

declare const manager: Manager;
declare function use(pod: Cached<FullPod>): void;

const isHost: Predicate<FullPod> = ({ object }) => object.spec?.hostNetwork === true;

manager.controller(Pods, { when: isHost }).owns(FullDeployments).reconcile(
  async ({ object, apply, owned, remove }) => {
    use(object);
    const full: Deployment = { metadata: { name: "a" } };
    const applied = await apply(FullDeployments, { ...full, metadata: { name: "a" } });
    same<NonNullable<typeof applied.spec>["paused"], boolean | undefined>(true);
    for (const deployment of owned(FullDeployments)) await remove(Deployments, deployment);
  },
);
manager.controller(FullPods, { name: "full", when: changed("spec.hostNetwork", "status.hostIPs") })
  .reconcile(({ object }) => {
    same<NonNullable<typeof object.spec>["hostNetwork"], boolean | undefined>(true);
  });
