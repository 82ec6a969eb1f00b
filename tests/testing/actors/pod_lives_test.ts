import { assertEquals, assertThrows } from "@std/assert";
import { type Pod, Pods } from "../../../mod.ts";
import { Kubelet, type PodLife } from "../../../src/testing/mod.ts";
import { probeChanges } from "../../../src/testing/actors/pods/probes.ts";
import { pod } from "../../support/world.ts";
import { NAMESPACE, World } from "./world.ts";

interface Status {
  name: string;
  ready: boolean;
  started: boolean;
  restartCount: number;
  state: Record<string, { reason?: string; exitCode?: number }>;
  lastState: Record<string, { reason?: string; exitCode?: number }>;
}

async function node(lives: PodLife[] = []): Promise<[World, Kubelet]> {
  const world = new World();
  const kubelet = new Kubelet({ ...world.options, nodeName: "node-1", lives });
  return [world, await world.start(kubelet)];
}

async function runPod(world: World, name: string, spec: object = {}, labels = {}): Promise<void> {
  const options = { metadata: { labels }, spec: { nodeName: "node-1", ...spec } };
  await world.create(Pods, pod(name, options));
}

function found(world: World, name: string): Pod {
  return world.server.get(Pods, name, "default") as Pod;
}

function describe({ name, ready, restartCount, state, started }: Status): string {
  const [what = "", details = {}] = Object.entries(state)[0] ?? [];
  const marks = [started && "started", ready && "ready", restartCount > 0 && `x${restartCount}`];
  const how = [details.reason ?? what, details.exitCode, ...marks];
  return `${name} ${how.filter((one) => one || one === 0).join(" ")}`;
}

/** Returns the phase and each container, init containers first. */
function now(world: World, name: string): string[] {
  const { status } = found(world, name);
  const { containerStatuses = [], initContainerStatuses = [] } = status as unknown as {
    containerStatuses?: Status[];
    initContainerStatuses?: Status[];
  };
  return [
    status?.phase ?? "",
    ...[...initContainerStatuses, ...containerStatuses].map(describe),
  ];
}

function condition(world: World, name: string, type: string): string | undefined {
  const one = found(world, name).status?.conditions?.find((each) => each.type === type);
  return [one?.status, one?.reason, one?.message].filter(Boolean).join(" ");
}

Deno.test("Kubelet follows the script of the labels of a Pod: ready after 3 s, two crashes after a minute", async () => {
  const [world] = await node([{
    selector: "app=x",
    readyAfterMs: 3000,
    exits: [{ afterMs: 60_000, exitCode: 1, times: 2, reason: "OOMKilled" }],
  }]);
  await using _ = world;
  await runPod(world, "scripted", {}, { app: "x" });
  await runPod(world, "other");
  await world.clock.advance(3500);
  assertEquals(now(world, "scripted"), ["Running", "main running started"]);
  await world.clock.advance(1000);
  assertEquals(now(world, "scripted"), ["Running", "main running started ready"]);
  await world.clock.advance(57_000);
  assertEquals(now(world, "scripted"), ["Running", "main OOMKilled 1"]);
  await world.clock.advance(61_000);
  assertEquals(now(world, "scripted"), ["Running", "main CrashLoopBackOff x1"]);
  await world.clock.advance(1_000_000);
  assertEquals(now(world, "scripted"), ["Running", "main running started ready x2"]);
  assertEquals(now(world, "other"), ["Running", "main running started ready"]);
});

Deno.test("Kubelet counts the crashes of each container, and forgives them after ten minutes", async () => {
  const [world, kubelet] = await node();
  await using _ = world;
  const containers = [{ name: "a", image: "i" }, { name: "b", image: "i" }];
  await runPod(world, "web", { containers });
  await world.clock.advance(2000);
  const crash = async (container: string) => {
    kubelet.crash("default/web", { container });
    const crashedMs = world.clock.now();
    await world.clock.advance(0);
    const isReady = () => condition(world, "web", "Ready") === "True";
    for (let i = 0; i < 100 && !isReady(); i++) await world.clock.advance(500);
    return (world.clock.now() - crashedMs) / 1000;
  };
  assertEquals([await crash("a"), await crash("a"), await crash("a")], [1, 10, 20]);
  assertEquals(await crash("b"), 1);
  assertEquals(now(world, "web"), [
    "Running",
    "a running started ready x3",
    "b running started ready x1",
  ]);
  await world.clock.advance(600_000);
  // The count begins again, at one: the next crash after this one waits.
  assertEquals([await crash("a"), await crash("a"), await crash("a")], [1, 10, 20]);
  assertEquals(kubelet.crash("default/web", { container: "c" }), false);
});

Deno.test("Kubelet runs init containers in order, then sidecars, then the others", async () => {
  const [world] = await node([
    { selector: "app=web", container: "first", exits: [{ afterMs: 2000, exitCode: 1 }] },
  ]);
  await using _ = world;
  const initContainers = [
    { name: "first", image: "i" },
    { name: "proxy", image: "i", restartPolicy: "Always" },
    { name: "last", image: "i" },
  ];
  await runPod(world, "web", { initContainers }, { app: "web" });
  await world.clock.advance(500);
  assertEquals(now(world, "web"), [
    "Pending",
    "first PodInitializing",
    "proxy PodInitializing",
    "last PodInitializing",
    "main PodInitializing",
  ]);
  await world.clock.advance(3000);
  assertEquals(now(world, "web")[1], "first Error 1");
  assertEquals(
    condition(world, "web", "Initialized"),
    "False ContainersNotInitialized containers with incomplete status: [first proxy last]",
  );
  await world.clock.advance(1000);
  assertEquals(now(world, "web").slice(1, 3), [
    "first Completed 0 ready x1",
    "proxy PodInitializing",
  ]);
  await world.clock.advance(1000);
  assertEquals(now(world, "web").slice(2, 4), [
    "proxy running started ready",
    "last PodInitializing",
  ]);
  await world.clock.advance(3000);
  assertEquals(now(world, "web"), [
    "Running",
    "first Completed 0 ready x1",
    "proxy running started ready",
    "last Completed 0 ready",
    "main running started ready",
  ]);
  assertEquals([condition(world, "web", "Initialized"), condition(world, "web", "Ready")], [
    "True",
    "True",
  ]);
});

Deno.test("Kubelet ends sidecars after the other containers, and fails a Pod whose init container fails", async () => {
  const [world] = await node([
    { container: "main", exits: [{ afterMs: 1000, exitCode: 0 }] },
    { selector: "app=bad", container: "init", exits: [{ afterMs: 0, exitCode: 3 }] },
  ]);
  await using _ = world;
  const initContainers = [
    { name: "init", image: "i" },
    { name: "proxy", image: "i", restartPolicy: "Always" },
  ];
  await runPod(world, "good", { restartPolicy: "Never", initContainers });
  await runPod(world, "bad", { restartPolicy: "Never", initContainers }, { app: "bad" });
  await world.clock.advance(10_000);
  assertEquals(now(world, "good"), [
    "Succeeded",
    "init Completed 0 ready",
    "proxy Completed 0",
    "main Completed 0",
  ]);
  assertEquals(condition(world, "good", "Ready"), "False PodCompleted");
  assertEquals(now(world, "bad").slice(0, 2), ["Failed", "init Error 3"]);
});

Deno.test("Kubelet asks the probes of a container at their times, and restarts what fails its liveness", async () => {
  const [world] = await node([{
    container: "main",
    probes: {
      startup: [{ untilMs: 8000 }],
      readiness: [{ fromMs: 30_000, untilMs: 40_000 }],
      liveness: [{ fromMs: 60_000, untilMs: 90_000 }],
    },
  }]);
  await using _ = world;
  const probe = { periodSeconds: 5, failureThreshold: 2, tcpSocket: { port: 80 } };
  const containers = [{
    name: "main",
    image: "i",
    startupProbe: { ...probe, failureThreshold: 10 },
    readinessProbe: probe,
    livenessProbe: probe,
  }];
  await runPod(world, "web", { containers });
  const seen: string[] = [];
  for (let second = 0; second < 90; second++) {
    const state = now(world, "web")[1] ?? "";
    if (!seen.at(-1)?.endsWith(`: ${state}`)) seen.push(`${second}: ${state}`);
    await world.clock.advance(1000);
  }
  assertEquals(seen, [
    "0: main ContainerCreating",
    "1: main running",
    "11: main running started ready",
    "36: main running started",
    "41: main running started ready",
    "66: main Error 137",
    "67: main running x1",
    "77: main running started ready x1",
  ]);
});

Deno.test("Kubelet reports stuck containers, open readiness gates and exceeded deadlines", async () => {
  const stuck = { reason: "ImagePullBackOff", message: 'Back-off pulling image "i"' };
  const [world] = await node([{ selector: "app=stuck", stuck }]);
  await using _ = world;
  await runPod(world, "stuck", {}, { app: "stuck" });
  await runPod(world, "gated", { readinessGates: [{ conditionType: "example.com/lb" }] });
  await runPod(world, "late", { activeDeadlineSeconds: 5 });
  await world.clock.advance(3000);
  assertEquals(now(world, "stuck"), ["Pending", "main ImagePullBackOff"]);
  assertEquals(
    condition(world, "gated", "Ready"),
    "False ReadinessGatesNotReady corresponding condition of pod readiness gate " +
      '"example.com/lb" does not exist.',
  );
  const gate = [{ type: "example.com/lb", status: "True" as const }];
  await world.client.patchStatus(Pods, "gated", { status: { conditions: gate } }, {
    ...NAMESPACE,
    type: "strategic",
  });
  await world.clock.advance(5000);
  assertEquals(condition(world, "gated", "Ready"), "True");
  const { phase, reason } = found(world, "late").status ?? {};
  assertEquals([phase, reason], ["Failed", "DeadlineExceeded"]);
  await world.client.delete(Pods, "stuck", NAMESPACE);
  await world.clock.advance(0);
  assertEquals(world.server.get(Pods, "stuck", "default"), undefined);
});

Deno.test("probeChanges() needs as many answers in a row as the probe says", () => {
  const probe = { periodSeconds: 10, initialDelaySeconds: 5, failureThreshold: 3 };
  const call = { isGood: true, fromMs: 0 };
  const changes = (...failures: { fromMs?: number; untilMs?: number }[]) =>
    probeChanges(probe, failures, call).map(({ atMs, isGood }) =>
      `${isGood ? "good" : "bad"} ${atMs / 1000}`
    );
  assertEquals(changes(), []);
  assertEquals(changes({ untilMs: 25_000 }), []);
  assertEquals(changes({ untilMs: 25_001 }), ["bad 25", "good 35"]);
  assertEquals(changes({ fromMs: 16_000 }), ["bad 45"]);
  assertEquals(changes({ fromMs: 0, untilMs: 20_000 }, { fromMs: 10_000, untilMs: 40_000 }), [
    "bad 25",
    "good 45",
  ]);
  assertEquals(probeChanges({}, [], { isGood: false, fromMs: 12_000 })[0]?.atMs, 20_000);
});

Deno.test("Kubelet rejects scripts that make no sense", () => {
  const { options } = new World();
  const make = (life: PodLife) => () => new Kubelet({ ...options, nodeName: "a", lives: [life] });
  assertThrows(make({ selector: "a==" + "=" }), SyntaxError);
  assertThrows(
    make({ readyAfterMs: -1 }),
    RangeError,
    "lives[0].readyAfterMs must be a number of milliseconds: received -1",
  );
  assertThrows(make({ exits: [{ afterMs: NaN, exitCode: 1 }] }), RangeError, "exits[0].afterMs");
  assertThrows(make({ logs: [{ text: "a", afterMs: -1 }] }), RangeError, "logs[0].afterMs");
  assertThrows(make({ logs: [{ text: "a", everyMs: 0 }] }), RangeError, "logs[0].everyMs");
});

Deno.test("Kubelet writes the lines of a script into the log of each run", async () => {
  const lives: PodLife[] = [{
    selector: "app=x",
    startAfterMs: 500,
    logs: [{ text: "begin" }, { text: "tick", afterMs: 1000, everyMs: 1000 }],
    exits: [{ afterMs: 2500, exitCode: 1, times: 1 }],
  }, { selector: "app=x", container: "setup", logs: [{ text: "prepared" }] }];
  const world = new World();
  const { logs } = world.server;
  await world.start(new Kubelet({ ...world.options, nodeName: "node-1", lives, logs }));
  const read = async (query = "", container = "main") => {
    const url = `http://c/api/v1/namespaces/default/pods/a/log?container=${container}&${query}`;
    const response = await world.clock.run(world.server.fetch(url));
    return await world.clock.run(response.text());
  };
  const spec = { initContainers: [{ name: "setup", image: "i" }] };
  await runPod(world, "a", spec, { app: "x" });
  await world.clock.advance(10);
  assertEquals(
    JSON.parse(await read()).message,
    'container "main" in pod "a" is waiting to start: PodInitializing',
  );
  await world.clock.advance(3000);
  assertEquals(await read("", "setup"), "prepared\n");
  assertEquals(await read(), "begin\ntick\n");
  const stamps = (await read("timestamps=true")).match(/^\S+/gm)!.map((time) => Date.parse(time));
  assertEquals(stamps[1]! - stamps[0]!, 1000);
  await world.clock.advance(2600);
  assertEquals([await read(), await read("previous=true")], [
    "begin\ntick\n",
    "begin\ntick\ntick\n",
  ]);
});

Deno.test("the log of a container between two runs is that of the last one, also the previous log", async () => {
  const world = new World();
  const { logs } = world.server;
  const lives: PodLife[] = [{
    logs: [{ text: "tick", everyMs: 1000 }],
    exits: [{ afterMs: 2500, exitCode: 1 }, { afterMs: 1500, exitCode: 1 }],
  }];
  await world.start(new Kubelet({ ...world.options, nodeName: "node-1", lives, logs }));
  await runPod(world, "a");
  const read = async (query: string) => {
    const url = `http://c/api/v1/namespaces/default/pods/a/log?${query}`;
    const response = await world.clock.run(world.server.fetch(url));
    return await world.clock.run(response.text());
  };
  await world.clock.advance(8000);
  assertEquals(now(world, "a"), ["Running", "main CrashLoopBackOff x1"]);
  assertEquals([await read(""), await read("previous=true")], ["tick\ntick\n", "tick\ntick\n"]);
});
