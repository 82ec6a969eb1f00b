/**
 * The scenarios of the scripts on the in-process server.
 *
 * @module
 */

import { ConfigMaps, Deployments, Events, type Pod, Pods } from "@kubeloop/controller";
import { startActors } from "@kubeloop/testing";
import { newPod, pause } from "../_pod_life.ts";
import type { Life, World } from "../_session.ts";

const STEP_MS = 150;
const namespace = "default";

/** Delays of the simulated kubelets that are short enough to wait for. */
const KUBELET = { startDelayMs: STEP_MS, stopDelayMs: STEP_MS };

/** Runs until the script has ended. */
export function untilEnd({ signal }: World): Promise<void> {
  return pause(60_000, signal);
}

/** Returns a Deployment with three Pods. */
function newDeployment(name: string) {
  const labels = { app: name };
  return {
    metadata: { name, namespace },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: newPod(name).spec! },
    },
  };
}

/** A Deployment that is rolled out step by step. */
export const rollout: Life = {
  args: ["web"],
  before: ({ client }) => client.create(Deployments, newDeployment("web")),
  async during(world) {
    await using _actors = startActors(world.server, { nodes: 3, kubelet: KUBELET });
    await untilEnd(world);
  },
};

/** Pods on two nodes. */
export const nodes: Life = {
  args: ["n1"],
  async before({ client }) {
    for (const [name, nodeName] of Object.entries({ "web-1": "n1", "web-2": "n2", db: "n1" })) {
      const { metadata, spec } = newPod(name);
      await client.create(Pods, { metadata, spec: { ...spec!, nodeName } }, { namespace });
    }
  },
  during: untilEnd,
};

/** 2,000 ConfigMaps. */
export const many: Life = {
  args: ["season=winter"],
  async before({ client }) {
    for (let index = 0; index < 2000; index += 100) {
      await Promise.all(
        Array.from(
          { length: 100 },
          (_, more) =>
            client.create(ConfigMaps, { metadata: { name: `map-${index + more}` } }, { namespace }),
        ),
      );
    }
  },
  during: untilEnd,
};

/** Events, one of them repeated. */
export const talking: Life = {
  async during({ client, server, signal }) {
    const call = { namespace, signal };
    do await pause(STEP_MS, signal); while (server.openWatches === 0);
    await client.create(Events, {
      metadata: { name: "web-1.1" },
      involvedObject: { kind: "Pod", name: "web-1", namespace },
      type: "Warning",
      reason: "BackOff",
      message: "Back-off restarting failed container main",
      count: 1,
    }, call);
    await pause(STEP_MS, signal);
    await client.patch(Events, "web-1.1", { count: 2 }, call);
    await pause(STEP_MS, signal);
  },
};

/** A ConfigMap that changes, also while watches are interrupted. */
export const changing: Life = {
  args: ["settings"],
  async during({ client, server, signal }) {
    const call = { namespace, signal };
    const step = () => pause(STEP_MS, signal);
    const set = (color: string) => client.patch(ConfigMaps, "settings", { data: { color } }, call);
    do await step(); while (server.openWatches === 0);
    await client.create(
      ConfigMaps,
      { metadata: { name: "settings" }, data: { color: "red" } },
      call,
    );
    await client.create(ConfigMaps, { metadata: { name: "other" } }, call);
    await step();
    await set("green");
    await step();
    server.restart();
    await set("blue");
    await client.delete(ConfigMaps, "settings", call);
    await client.create(
      ConfigMaps,
      { metadata: { name: "settings" }, data: { color: "white" } },
      call,
    );
    await pause(2000, signal);
  },
};

/** The manifests that `apply_folder.ts` applies on the in-process server. The Namespace comes after the ConfigMap in it. */
export const manifests = `
apiVersion: v1
kind: ConfigMap
metadata: { name: colors, namespace: art }
data: { sky: blue }
---
apiVersion: v1
kind: Namespace
metadata: { name: art }
`;

/** A cluster that has nothing of what is applied. */
export const empty: Life = { args: [], during: untilEnd };

/** Pods that write logs; one of them restarts. */
export const logging: Life = {
  args: ["app=web"],
  async during({ client, server, signal }) {
    const logs = [{ text: "starting" }, { text: "ready", afterMs: STEP_MS }];
    await using actors = startActors(server, {
      kubelet: { ...KUBELET, lives: [{ selector: "app=web", logs }] },
    });
    for (const name of ["web-1", "web-2"]) {
      await client.create(Pods, newPod(name, { app: "web" }), { namespace, signal });
    }
    const call = { namespace, signal, timeoutMs: 30_000 };
    const restarts = (pod?: Pod) => pod?.status?.containerStatuses?.[0]?.restartCount;
    const isReady = (pod?: Pod) => pod?.status?.phase === "Running";
    for (const name of ["web-1", "web-2"]) await client.waitFor(Pods, name, isReady, call);
    await pause(2000, signal);
    actors.crash("default/web-1");
    await client.waitFor(Pods, "web-1", (pod) => restarts(pod) === 1, call);
    await pause(3000, signal);
  },
};

/** A Pod that runs a command, takes what is copied to it, and serves a port. */
export const running: Life = {
  args: ["web", "8080"],
  programs: [{
    async exec({ command, stdin, stdout }) {
      if (command[0] === "tar") return (await Array.fromAsync(stdin)).length > 0 ? 0 : 1;
      await stdout.write(`you ran ${command.join(" ")}\n`);
      return 3;
    },
    ports: { 8080: ({ write }) => write("HTTP/1.0 200 OK\r\n\r\nhello from the Pod\n") },
  }],
  async before({ client, signal, server }) {
    await using _actors = startActors(server, { kubelet: KUBELET });
    await client.create(Pods, newPod("web"), { namespace, signal });
    const isRunning = (pod?: { status?: { phase?: string } }) => pod?.status?.phase === "Running";
    await client.waitFor(Pods, "web", isRunning, { namespace, signal, timeoutMs: 10_000 });
  },
  during: untilEnd,
};

/** The same Pod, to which a file is copied. */
export const copied: Life = { ...running, args: ["README.md", "web:/tmp/README.md"] };
