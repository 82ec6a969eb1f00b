import { assert, assertEquals } from "@std/assert";
import { silentLogger } from "../../../src/base/mod.ts";
import { Client } from "../../../src/client/mod.ts";
import {
  ApiServer,
  FakeControllerSource,
  SeededRandom,
  startActors,
  VirtualClock,
} from "../../../src/testing/mod.ts";
import { type ConfigMap, ConfigMaps, Nodes, Pods } from "../../../src/types/mod.ts";
import { namespace } from "../day.ts";
import { GARBAGE_COLLECTOR, type Row } from "../row.ts";
import { echo, prepare } from "./_pods.ts";
import { NO_CLOCK, NO_FUNCTION, NO_OBJECT, NO_SERVER, NO_SIGNAL } from "./_reasons.ts";

const not = { ...NO_SERVER, ...NO_OBJECT, ...NO_CLOCK };

/** The package for tests: its clock, its server, its actors and its sources. */
export const testing: readonly Row[] = [
  {
    name: "VirtualClock",
    covers: [
      "VirtualClock.advance",
      "VirtualClock.run",
      "VirtualClock.settle",
      "VirtualClock.setTimer(callback)",
      "VirtualClock.queueTurn",
      "VirtualClock.queueTurn(callback)",
    ],
    start: async (day) => {
      const clock = new VirtualClock();
      const called: string[] = [];
      clock.setTimer(day.user("callback", () => void called.push("timer")), 1_000);
      clock.queueTurn(day.user("turn", () => void called.push("turn")));
      await clock.settle();
      await clock.advance(1_000);
      await clock.run(new Promise<void>((resolve) => clock.setTimer(resolve, 1_000)));
      return [...called, clock.now()];
    },
    normal: (_day, called) => assertEquals(called, ["turn", "timer", 2_000]),
    not: {
      ...not,
      ...NO_SIGNAL,
      function: "calls its functions as setTimeout() does, which waits for no promise",
    },
  },
  {
    name: "ApiServer",
    covers: [
      "ApiServer.fetch",
      "ApiServer.upgrade",
      "ApiServer.restart",
      "ApiServer.compact",
      "ApiServer.progress",
      "ApiServer.closeWatches",
      "ApiServer.close",
      "ApiServer[Symbol.asyncDispose]",
      "ApiServer.onWrite(listener)",
      "ApiServer.beforeWrite(journal)",
      "ApiServer.onRequest(listener)",
      "ApiServerClientOptions.fetch",
      "ApiServerClientOptions.upgrade",
      "FaultTarget.when",
      "FaultInjector.clear",
      "FaultInjector.run",
      "FaultInjector.run(next)",
      "FaultInjector.close",
      "HoldOptions.when",
      "CoalesceOptions.when",
      "FreezeOptions.when",
      "ShuffleOptions.when",
      "PodProgram.exec",
      "OutputWriter.write",
    ],
    start: async (day) => {
      const { clock, signal } = day;
      await using server = new ApiServer({
        clock,
        random: new SeededRandom(1),
        logger: silentLogger,
        programs: [{ exec: day.user("exec", (process) => echo.exec?.(process)) }],
      });
      server.onWrite(day.user("listener", () => {}));
      server.beforeWrite(day.user("journal", () => {}));
      server.onRequest(day.user("listener of onRequest()", () => {}));
      server.faults.fail(503, {
        when: day.user("when", ({ url }: { readonly url: URL }) => url.pathname === "/nothing"),
      });
      const lag = (name: string) => day.user(name, () => false);
      server.lag.hold({ when: lag("when of hold()") });
      server.lag.coalesce({ when: lag("when of coalesce()") });
      server.lag.shuffle({ when: lag("when of shuffle()") });
      server.lag.freeze({
        at: server.resourceVersion,
        resource: "pods",
        when: lag("when of freeze()"),
      });
      await using client = new Client({ ...server.clientOptions, logger: silentLogger });
      await using watch = await client.watch(Pods, { namespace, signal });
      await prepare(client);
      // A lag whose function fails ends its watch, and no other: the server logs it.
      await watch[Symbol.asyncIterator]().next().catch(() => {});
      await client.list(Pods, { namespace, signal });
      server.faults.clear();
      server.progress();
      server.compact();
      server.closeWatches();
      await client.get(Pods, "a", { namespace, signal });
      const { exitCode } = await client.exec("a", ["cat"], { namespace, signal, stdin: "x" });
      server.restart();
      return [exitCode, server.count(Pods)];
    },
    normal: (_day, found) => assertEquals(found, [3, 1]),
    not: { ...not, abort: "its requests are those of a client, which has rows of its own" },
  },
  {
    name: "startActors()",
    covers: [
      "startActors",
      "Actors.stop",
      "Actors[Symbol.asyncDispose]",
      "Actor.run",
      "Kubelet.run",
      "Kubelet.crashNode",
      "Kubelet.restartNode",
    ],
    start: async (day) => {
      const { clock, time } = day;
      await using server = new ApiServer({
        clock,
        random: new SeededRandom(1),
        logger: silentLogger,
      });
      await using actors = startActors(server, {
        ...GARBAGE_COLLECTOR,
        nodes: 1,
        logger: silentLogger,
      });
      await new Promise<void>((resolve) => void time.setTimer(resolve, 2_000));
      const [kubelet] = actors.kubelets;
      kubelet?.crashNode();
      kubelet?.restartNode();
      await actors.stop();
      return server.count(Nodes);
    },
    normal: (_day, nodes) => assertEquals(nodes, 1),
    not: { ...not, ...NO_FUNCTION, ...NO_SIGNAL },
  },
  {
    name: "FakeControllerSource",
    covers: [
      "FakeControllerSource.list",
      "FakeControllerSource.watch",
      "FakeControllerSource.add",
      "FakeControllerSource.modify",
      "FakeControllerSource.delete",
      "FakeControllerSource.change",
      "FakeControllerSource.addDropWatch",
      "FakeControllerSource.modifyDropWatch",
      "FakeControllerSource.deleteDropWatch",
      "FakeControllerSource.dropWatches",
      "FakeControllerSource.resetWatch",
      "FakeControllerSource.shutdown",
    ],
    start: async ({ random, signal, time }) => {
      const source = new FakeControllerSource<ConfigMap>({ random });
      const one = (name: string): ConfigMap => ({ metadata: { name, namespace } });
      source.add(one("a"));
      source.modify(one("a"));
      const { metadata } = await source.list({}, { signal });
      const watch = await source.watch({ resourceVersion: metadata.resourceVersion }, { signal });
      time.setTimer(() => {
        source.change({ type: "ADDED", object: one("b") });
        source.delete(one("b"));
        source.addDropWatch(one("c"));
        source.modifyDropWatch(one("c"));
        source.deleteDropWatch(one("c"));
      }, 1_000);
      const seen: string[] = [];
      try {
        for await (const { type } of watch) {
          seen.push(type);
          if (seen.length === 2) break;
        }
      } finally {
        source.resetWatch();
        source.dropWatches();
        source.shutdown();
      }
      return seen;
    },
    normal: (_day, seen) =>
      assert((seen as string[]).includes("ADDED"), `${seen} ${ConfigMaps.kind}`),
    not: { ...not, ...NO_FUNCTION },
  },
];
