/**
 * A simplified ReplicaSet: the controller keeps the number of Pods that a PodSet specifies.
 *
 * The controller replaces deleted Pods and scales the set up and down with `spec.replicas`. It prints the Pods that it
 * creates and deletes. The Pods of a set have fixed names (`web-0`, `web-1`, …). A stale cache can therefore make the
 * controller create the same Pod twice, which the server rejects, but never make it create too many Pods.
 *
 * With the in-process server, the example also starts a simulated cluster. A scheduler and the kubelets of three nodes
 * start the Pods, and stop them after a delay. The garbage collector deletes the Pods when their PodSet is deleted.
 *
 * On an in-process server, without any permission; or on the cluster of a kubeconfig, whose server is at HOST:PORT:
 *
 * ```sh
 * deno run examples/replicas_controller.ts
 * deno run --allow-net=HOST:PORT --allow-read=FILE examples/replicas_controller.ts --kubeconfig FILE
 * ```
 *
 * On a cluster, create PodSets with kubectl. The example runs until Ctrl-C and leaves its objects there. To delete
 * them: `kubectl delete crd podsets.demo.kubeloop.dev`.
 *
 * @module
 */

import {
  type ApplyConfiguration,
  type ControllerHandle,
  defineResource,
  installDefinitions,
  Manager,
  type Pod,
  Pods,
} from "@kubeloop/controller";
import { startActors } from "@kubeloop/testing";
import { pause } from "./_pod_life.ts";
import { type Life, runExample, runManager, type Session } from "./_session.ts";

/** The custom resource `podsets.demo.kubeloop.dev`: a number of identical Pods. */
export const PodSets = defineResource({
  group: "demo.kubeloop.dev",
  version: "v1",
  kind: "PodSet",
  spec: {
    type: "object",
    required: ["replicas", "image"],
    properties: { replicas: { type: "integer", minimum: 0 }, image: { type: "string" } },
  },
  status: { type: "object", properties: { replicas: { type: "integer" } } },
  scale: { specReplicasPath: ".spec.replicas", statusReplicasPath: ".status.replicas" },
});

/** Declares the controller: it applies the Pods of a PodSet, deletes other Pods of it, and reports their number. */
export function podSetController(manager: Manager): ControllerHandle {
  return manager.controller(PodSets, { workers: 2 })
    .owns(Pods)
    .reconcile(async ({ object, apply, owned, status, log }) => {
      const { metadata: { name }, spec: { image, replicas } } = object;
      const before = new Set(owned(Pods).map(({ metadata }) => metadata.uid));
      const wanted = new Set<string>();
      for (let i = 0; i < replicas; i++) {
        const { metadata } = await apply(Pods, podOf(`${name}-${i}`, name, image));
        wanted.add(metadata.name);
        if (!before.has(metadata.uid)) log.info(`created ${metadata.name}`);
      }
      for (const { metadata } of owned(Pods)) {
        const isSurplus = !wanted.has(metadata.name) && metadata.deletionTimestamp === undefined;
        if (isSurplus) log.info(`deleting ${metadata.name}`);
      }
      status({ replicas: owned(Pods).length });
      return { prune: true };
    });
}

function podOf(name: string, podset: string, image: string): ApplyConfiguration<Pod> {
  return {
    metadata: { name, labels: { podset } },
    spec: { containers: [{ name: "main", image }] },
  };
}

/**
 * The delays of the simulated kubelets and of the scenario, in milliseconds. They are short to keep the scenario short.
 */
const STEP_MS = 150;

/** Runs eight Pods, kills some of them and crashes one, scales to ten and to three, and deletes the PodSet. */
const life: Life = {
  before: ({ client, signal }) => installDefinitions(client, [PodSets], { signal }),
  async during({ client, server, signal }) {
    await using actors = startActors(server, {
      nodes: 3,
      kubelet: { startDelayMs: STEP_MS, stopDelayMs: STEP_MS },
    });
    const call = { namespace: "default", signal };
    const say = (pods: Pod[]) => {
      const phases = new Set(pods.map(({ status }) => status?.phase));
      const nodes = new Set(pods.map(({ spec }) => spec?.nodeName));
      const where = pods.length === 0 ? "" : `, ${[...phases]} on ${nodes.size} nodes`;
      console.log(`# there are ${pods.length} Pods${where}`);
    };
    /** Waits until there are `replicas` Pods and all of them are ready. Returns their names. */
    const settled = async (replicas: number) => {
      for (;;) {
        await pause(STEP_MS, signal);
        const { items } = await client.list(Pods, { ...call, labelSelector: "podset=web" });
        if (items.length !== replicas || !items.every(isReady)) continue;
        say(items);
        return items.map(({ metadata }) => metadata.name ?? "");
      }
    };
    await client.create(PodSets, {
      metadata: { name: "web", namespace: "default" },
      spec: { replicas: 8, image: "nginx:1.29" },
    }, call);
    for (let round = 1; round <= 3; round++) {
      const victims = (await settled(8)).filter(() => Math.random() < 0.4);
      console.log(`# killing ${victims.join(", ") || "none this time"}`);
      await Promise.all(victims.map((name) => client.delete(Pods, name, call)));
    }
    const [crashing = ""] = await settled(8);
    console.log(`# ${crashing} crashes: its kubelet restarts it`);
    actors.crash(`default/${crashing}`);
    for (const replicas of [10, 3]) {
      console.log(`# scaling to ${replicas}`);
      await client.patch(PodSets, "web", { spec: { replicas } }, call);
      await settled(replicas);
    }
    console.log("# deleting the PodSet");
    await client.delete(PodSets, "web", call);
    await settled(0);
  },
};

function isReady({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined &&
    (status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}

async function main(session: Session): Promise<void> {
  const { client, namespaces, logger, http, see } = session;
  const manager = new Manager(client, {
    name: "podsets",
    definitions: [PodSets],
    namespaces,
    logger,
    http,
    see,
  });
  podSetController(manager);
  await runManager(manager, session, [PodSets]);
}

if (import.meta.main) {
  await runExample("Keeps as many Pods as PodSets say.", life, main);
}
