/**
 * Logs through a real API server, which passes them on from a kubelet stand-in; beside those of our server.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "@kubeloop/controller/base";
import { Client, type LogsOptions, type PodReference } from "@kubeloop/controller/client";
import { type FollowedLine, followLogs } from "@kubeloop/controller/logs";
import { type Pod, Pods, StatusError } from "@kubeloop/controller/types";
import { ApiServer } from "@kubeloop/testing";
import { KubeletStandIn } from "./kubelet_stand_in.ts";
import { eventually, World } from "./world.ts";

function podOf(name: string, namespace: string, containers: readonly string[] = ["main"]): Pod {
  return {
    metadata: { name, namespace, labels: { app: "web" } },
    spec: { containers: containers.map((name) => ({ name, image: "i" })) },
  };
}

/** Returns the lines, or the refusal. */
async function read(
  client: Client,
  pod: PodReference,
  options: LogsOptions = {},
): Promise<unknown> {
  const lines: string[] = [];
  try {
    for await (const line of client.logs(pod, options)) lines.push(line);
    return lines;
  } catch (error) {
    if (!StatusError.is(error)) throw error;
    const { code, message, reason } = error;
    return { code, reason, message };
  }
}

const ignore = Deno.env.get("KUBELOOP_E2E_KUBECONFIG") !== undefined;

Deno.test({ name: "logs of a real API server", ignore }, async (t) => {
  await using world = await World.create();
  const { client, namespace } = world;
  await using kubelet = await KubeletStandIn.start(client);
  await using ours = new ApiServer({ logger: silentLogger });
  await using ourClient = new Client(ours.clientOptions);

  await t.step("are what our server answers, refusals included", async () => {
    const inOurs = "default";
    const two = podOf("two", namespace, ["main", "side"]);
    await kubelet.create(two);
    await ourClient.create(Pods, podOf("two", inOurs, ["main", "side"]));
    await client.create(Pods, podOf("unbound", namespace));
    await ourClient.create(Pods, podOf("unbound", inOurs));
    ours.logs.admit(`${inOurs}/two`);
    const waiting = { waiting: { reason: "ContainerCreating" } };
    await kubelet.report(two, { container: "side", state: waiting });
    const report = { name: "side", image: "i", imageID: "", ready: false, restartCount: 0 };
    await ourClient.patchStatus(Pods, "two", {
      status: { phase: "Running", containerStatuses: [{ ...report, state: waiting }] },
    } as never, { namespace: inOurs });
    for (const text of ["one\n\ntwo\r\n", "three\n", "ünï\ud83d\ude00\n", "cut off"]) {
      kubelet.logs.write(`${namespace}/two`, { container: "main", text });
      ours.logs.write(`${inOurs}/two`, { container: "main", text });
    }
    const cases: readonly (readonly [string, LogsOptions])[] = [
      ["two", { container: "main" }],
      ["two", { container: "main", tailLines: 1 }],
      ["two", { container: "main", tailLines: 0 }],
      ["two", { container: "main", limitBytes: 7 }],
      ["two", { container: "main", sinceSeconds: 3600, tailLines: 2 }],
      ["two", { container: "main", sinceTime: "2036-01-01T00:00:00Z" }],
      ["two", { container: "main", previous: true }],
      ["two", { container: "side" }],
      ["two", { container: "none" }],
      ["two", {}],
      ["none", {}],
      ["unbound", {}],
      ["two", { container: "main", sinceTime: "2026-01-01T00:00:00" }],
    ];
    for (const [pod, options] of cases) {
      const real = await read(client, pod, { ...options, namespace });
      const own = await read(ourClient, pod, { ...options, namespace: inOurs });
      assertEquals(own, real, `${pod} ${JSON.stringify(options)}`);
    }
    const answer = async (server: Client, namespace: string) => {
      const path = `/api/v1/namespaces/${namespace}/pods/two/log`;
      return await server.getRaw(path, { query: { container: "main", timestamps: "true" } });
    };
    const shape = (text: string) => text.replace(/^\S+T\S+Z /gm, (time) => `${time.length} `);
    assertEquals(
      shape(await answer(ourClient, inOurs)),
      shape(await answer(client, namespace)),
    );
  });

  await t.step("are followed, and closed", async () => {
    await kubelet.create(podOf("follow", namespace));
    const key = `${namespace}/follow`;
    kubelet.logs.write(key, { text: "first\n" });
    const log = client.logs("follow", { namespace, follow: true });
    assertEquals((await log.next()).value, "first");
    const next = log.next();
    kubelet.logs.write(key, { text: "second\n" });
    assertEquals((await next).value, "second");
    await log.close();
    await eventually("the kubelet notices", () => Promise.resolve(kubelet.logs.openStreams === 0));

    const ended = read(client, "follow", { namespace, follow: true });
    await eventually("it is followed", () => Promise.resolve(kubelet.logs.openStreams === 1));
    kubelet.logs.end(key);
    assertEquals(await ended, ["first", "second"]);
  });

  await t.step("are followed through ten restarts and three kills, each line once", async () => {
    const pods = ["web-0", "web-1"].map((name) => podOf(name, namespace));
    for (const pod of pods) {
      await kubelet.create(pod);
      kubelet.logs.start(`${namespace}/${pod.metadata.name}`);
      await kubelet.report(pod, { state: { running: { startedAt: "2026-01-01T00:00:00Z" } } });
    }
    const lines: FollowedLine[] = [];
    const stop = new AbortController();
    const options = { namespace, labelSelector: "app=web", containers: ["main"] };
    const follow = followLogs(client, { ...options, signal: stop.signal, onError: () => {} });
    const running = (async () => {
      for await (const line of follow) lines.push(line);
    })().catch(() => {});
    await eventually("both are followed", () => Promise.resolve(kubelet.logs.openStreams === 2));
    const expected = new Map<string, string[]>(pods.map(({ metadata }) => [metadata.name!, []]));
    const got = (pod: string) => lines.filter((one) => one.pod === pod).map(({ line }) => line);
    let count = 0;
    const write = (pod: string, number: number) => {
      for (let i = 0; i < number; i++) {
        const line = i % 3 === 0 ? "same" : `line ${count++}`;
        kubelet.logs.write(`${namespace}/${pod}`, { text: `${line}\n` });
        expected.get(pod)!.push(line);
      }
    };
    const allRead = () =>
      eventually(
        "all lines are read",
        () => Promise.resolve([...expected].every(([pod, all]) => got(pod).length >= all.length)),
      );
    for (let restart = 1; restart <= 10; restart++) {
      for (const pod of pods) {
        const name = pod.metadata.name!;
        write(name, 20);
        const isKilled = restart % 3 === 0 && name === "web-0";
        const killed = isKilled ? world.restartApiServer() : undefined;
        write(name, 20);
        const terminated = { exitCode: 1, containerID: `containerd://${name}-${restart}` };
        kubelet.logs.end(`${namespace}/${name}`);
        // No container is restarted within a millisecond, which is as exact as the times of the stand-in.
        await new Promise((resolve) => setTimeout(resolve, 5));
        kubelet.logs.start(`${namespace}/${name}`);
        write(name, 5);
        await killed;
        await kubelet.report(pod, {
          restartCount: restart,
          state: {
            running: { startedAt: `2026-01-01T00:00:${String(restart).padStart(2, "0")}Z` },
          },
          lastState: { terminated },
        });
      }
      // A kubelet restarts a container later each time, so that only one instance is missing.
      await allRead();
    }
    await allRead();
    for (const [pod, all] of expected) assertEquals(got(pod), all, pod);
    stop.abort();
    await running;
    await eventually("all are closed", () => Promise.resolve(kubelet.logs.openStreams === 0));
    assert(lines.every(({ time }) => time.endsWith("Z")));
  });
});
