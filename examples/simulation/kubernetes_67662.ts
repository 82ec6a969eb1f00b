/**
 * A ReplicaSet controller that believes that a create which timed out has succeeded.
 *
 * After each create the controller expects to see the Pod in its cache, and does nothing for the set until then, or
 * until five minutes have passed. When the answer to a create is a timeout, the Pod may have been created all the same.
 * So the controller ignores the error and keeps waiting. If the Pod was not created, no event ever comes and nothing
 * puts the set on the queue again: a Pod is missing until a user changes the set.
 *
 * https://github.com/kubernetes/kubernetes/issues/67662, and https://github.com/kubernetes/kubernetes/issues/72155
 *
 * What finds it: a create that is answered with 504, and not carried out.
 *
 * @module
 */

import {
  type Cached,
  type Client,
  Controller,
  controllerOf,
  controllerReference,
  DeletedFinalStateUnknown,
  isNotFound,
  isTimeout,
  joinMetaNamespaceKey,
  type Pod,
  Pods,
  type ReplicaSet,
  ReplicaSets,
  SharedInformerFactory,
} from "@kubeloop/controller";
import { create, patch, type ProcessEnv, settle, simulation } from "@kubeloop/testing/simulation";
import { type Bug, demonstrate } from "./_bug.ts";

const EXPECTATION_MS = 300_000;

/** The Pods that a process has created for a set, and not seen yet. */
interface Expectation {
  creates: number;
  readonly sinceMs: number;
}

/** Reports whether a Pod may yet come, although its create has failed. */
type MayCome = (error: unknown) => boolean;

/** Broken: the Pod has been created, and it only takes long. So says the error, but it need not be so. */
const broken: MayCome = (error) => isTimeout(error);

/** Repaired: whatever has failed is tried again. If the Pod comes all the same, it is one too many and deleted. */
const repaired: MayCome = () => false;

function operator(mayCome: MayCome) {
  return async ({ client, clock, signal }: ProcessEnv) => {
    const informers = new SharedInformerFactory(client);
    const sets = informers.informer(ReplicaSets);
    const pods = informers.informer(Pods);
    const expectations = new Map<string, Expectation>();

    const isSatisfied = (key: string) => {
      const expectation = expectations.get(key);
      return expectation === undefined || expectation.creates <= 0 ||
        clock.now() - expectation.sinceMs > EXPECTATION_MS;
    };

    const reconcile = async (key: string) => {
      const set = sets.indexer.getByKey(key);
      if (set === undefined) return void expectations.delete(key);
      if (!isSatisfied(key) || set.metadata.deletionTimestamp !== undefined) return;
      const mine = pods.indexer.list().filter((pod) =>
        controllerOf(pod, ReplicaSets)?.uid === set.metadata.uid &&
        pod.metadata.deletionTimestamp === undefined
      );
      const missing = (set.spec?.replicas ?? 1) - mine.length;
      if (missing > 0) {
        const expectation = { creates: missing, sinceMs: clock.now() };
        expectations.set(key, expectation);
        for (let i = 0; i < missing; i++) {
          try {
            await createPod(client, set);
          } catch (error) {
            if (mayCome(error)) continue;
            expectation.creates -= missing - i; // This Pod, and the remaining Pods, which are not tried now.
            throw error;
          }
        }
      }
      for (const { metadata: { name, namespace, uid } } of mine.slice(missing)) {
        if (missing >= 0) break;
        await client.delete(Pods, name, { namespace, preconditions: { uid } }).catch((error) => {
          if (!isNotFound(error)) throw error;
        });
      }
    };

    const controller = new Controller({ informer: sets, waitFor: [pods], reconcile });
    const wake = (pod: Cached<Pod> | undefined, isNew = false) => {
      const set = pod && controllerOf(pod, ReplicaSets);
      if (set === undefined) return;
      const key = joinMetaNamespaceKey(pod?.metadata.namespace, set.name);
      const expectation = expectations.get(key);
      if (isNew && expectation !== undefined) expectation.creates--;
      controller.enqueue(key);
    };
    pods.addEventHandler({
      onAdd: (pod) => wake(pod, true),
      onUpdate: (_old, pod) => wake(pod),
      onDelete: (last) => wake(DeletedFinalStateUnknown.lastKnownState(last)),
    });
    await controller.run({ signal });
  };
}

async function createPod(client: Client, set: Cached<ReplicaSet>): Promise<void> {
  const { name, namespace } = set.metadata;
  await client.create(Pods, {
    metadata: {
      generateName: `${name}-`,
      ownerReferences: [controllerReference(set, ReplicaSets)],
    },
    spec: { containers: [{ name: "main", image: "web" }] },
  }, { namespace });
}

const labels = { app: "web" };
const template = { metadata: { labels }, spec: { containers: [{ name: "main", image: "web" }] } };

/** The bug. */
export const bug: Bug = {
  upstream: "https://github.com/kubernetes/kubernetes/issues/67662",
  finding: {
    oracle: "end state",
    says: ["pods default/web-", " is missing"],
    story: ["create pods default/web-* #", "] is answered with 504"],
  },
  simulate: (logic) =>
    simulation({
      name: "kubernetes#67662",
      process: operator(logic === "broken" ? broken : repaired),
      workload: [
        create(ReplicaSets, "web", {
          spec: { replicas: 1, selector: { matchLabels: labels }, template },
        }),
        settle(),
        patch(ReplicaSets, "web", { spec: { replicas: 3 } }),
        settle(),
        patch(ReplicaSets, "web", { spec: { replicas: 2 } }),
        settle(),
      ],
    }),
};

if (import.meta.main) await demonstrate(bug);
