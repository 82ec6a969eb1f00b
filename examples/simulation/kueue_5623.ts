/**
 * A controller that deletes a Workload some time after the user has deactivated it.
 *
 * The bug: the time starts with the event in which the Workload changes from active to inactive, and is kept in memory. A
 * controller that starts anew gets no such event, so that the Workload stays for ever.
 *
 * https://github.com/kubernetes-sigs/kueue/issues/5623
 *
 * What finds it: a Workload that is created inactive, and a restart while the time runs. The workload of the user does not
 * wait for that time; the simulation knows from the run without faults that the Workload goes by itself.
 *
 * The repaired controller stores the time in the status. Our first repair did not remove it when the user activated the
 * Workload again, which the simulation found.
 *
 * @module
 */

import {
  type Cached,
  Controller,
  defineResource,
  isNotFound,
  type KubeObject,
  type ReconcileResult,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate, type Logic } from "./_bug.ts";

interface Workload extends KubeObject {
  spec: { active: boolean };
  status?: { deactivatedAt?: string };
}
const Workloads = defineResource<Workload>({
  group: "example.com",
  version: "v1",
  plural: "workloads",
  kind: "Workload",
  namespaced: true,
});
const RETAIN_MS = 60_000;

const operator = (logic: Logic) => async ({ client, clock, signal }: ProcessEnv) => {
  const workloads = new SharedInformerFactory(client).informer(Workloads);
  const expire = async ({ metadata: { name, namespace, uid } }: Cached<Workload>) => {
    await client.delete(Workloads, name, { namespace, preconditions: { uid } }).catch((error) => {
      if (!isNotFound(error)) throw error;
    });
  };
  const controller = new Controller({
    informer: workloads,
    async reconcile(key): Promise<ReconcileResult> {
      const workload = workloads.indexer.getByKey(key);
      if (workload === undefined) return {};
      if (workload.spec.active) {
        if (logic === "repaired" && workload.status?.deactivatedAt !== undefined) {
          const { name, namespace } = workload.metadata;
          await client.patchStatus(Workloads, name, { status: { deactivatedAt: null } } as never, {
            namespace,
          });
        }
        return {};
      }
      const at = workload.status?.deactivatedAt;
      if (at === undefined) {
        const { name, namespace } = workload.metadata;
        const status = { deactivatedAt: new Date(clock.wallNow()).toISOString() };
        await client.patchStatus(Workloads, name, { status }, { namespace });
        return {};
      }
      if (logic === "broken") {
        if (due.has(workload.metadata.uid)) {
          if (clock.wallNow() >= due.get(workload.metadata.uid)!) await expire(workload);
          else return { requeueAfterMs: due.get(workload.metadata.uid)! - clock.wallNow() };
        }
        return {};
      }
      const left = Date.parse(at) + RETAIN_MS - clock.wallNow();
      if (left > 0) return { requeueAfterMs: left };
      await expire(workload);
      return {};
    },
  });
  const due = new Map<string, number>();
  workloads.addEventHandler({
    onUpdate(before, { metadata, spec }) {
      if (before.spec.active && !spec.active) due.set(metadata.uid, clock.wallNow() + RETAIN_MS);
    },
  });
  await controller.run({ signal });
};

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/kubernetes-sigs/kueue/issues/5623",
  finding: {
    oracle: "end state",
    says: ["workloads.example.com default/job does not exist after the steps of the workload"],
  },
  simulate: (logic) =>
    simulation({
      name: "kueue#5623",
      process: operator(logic),
      workload: [
        create(Workloads, "job", { spec: { active: true } }),
        settle(),
        patch(Workloads, "job", { spec: { active: false } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
