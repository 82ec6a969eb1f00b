import { assertEquals } from "@std/assert";
import { Client, type Event, Events, Pods } from "../../../mod.ts";
import { ApiServer, type PodLife, startActors, VirtualClock } from "../../../src/testing/mod.ts";
import { pod } from "../../support/world.ts";

/** Runs a Pod for a while. Returns its Events, with their counts and without its uid. */
async function eventsOf(
  spec: Record<string, unknown>,
  { lives = [], seconds, then, events = true }: {
    readonly lives?: PodLife[];
    readonly seconds: number;
    readonly then?: (client: Client) => Promise<unknown>;
    readonly events?: boolean;
  },
): Promise<string[]> {
  const clock = new VirtualClock();
  await using server = new ApiServer({ clock });
  await using client = new Client(server.clientOptions);
  await using _actors = startActors(server, { events, kubelet: { lives } });
  // The taint of a new node is gone then.
  await clock.advance(1000);
  const { metadata: { uid = "" } } = await client.create(Pods, pod("web", { spec }));
  await clock.advance(1000 * seconds);
  await then?.(client);
  await clock.advance(100);
  return (server.objects(Events) as Event[])
    .filter(({ involvedObject }) => involvedObject.kind === "Pod")
    .map(({ count, involvedObject, message, reason, source, type }) => {
      const where = involvedObject.fieldPath?.replace("spec.", " ") ?? "";
      const text = message?.replaceAll(uid, "UID");
      return `${source?.component}${where}: ${type} ${reason} x${count}: ${text}`;
    });
}

const START = [
  "default-scheduler: Normal Scheduled x1: Successfully assigned default/web to node-1",
  'kubelet containers{main}: Normal Pulled x1: Container image "nginx" already present on machine and can be accessed by the pod',
  "kubelet containers{main}: Normal Created x1: Container created",
  "kubelet containers{main}: Normal Started x1: Container started",
];

Deno.test("startActors() writes no Events about Pods unless told to", async () => {
  assertEquals(await eventsOf({}, { seconds: 5, events: false }), []);
});

Deno.test("a kubelet and a scheduler write Events about the start and the end of a Pod", async () => {
  const end = (client: Client) => client.delete(Pods, "web", { namespace: "default" });
  assertEquals(await eventsOf({}, { seconds: 5, then: end }), [
    ...START,
    "kubelet containers{main}: Normal Killing x1: Stopping container main",
  ]);
});

Deno.test("a kubelet writes Events about a container that crashes, with a count", async () => {
  const lives = [{ exits: [{ afterMs: 1000, exitCode: 1, times: "always" as const }] }];
  const names = (lines: string[]) => lines.map((line) => line.split(": ")[1]);
  const lines = await eventsOf({}, { lives, seconds: 25 });
  assertEquals(names(lines), [
    "Normal Scheduled x1",
    "Normal Pulled x3",
    "Normal Created x3",
    "Normal Started x3",
    "Warning BackOff x2",
  ]);
  const why = "Back-off restarting failed container main in pod web_default(UID)";
  assertEquals(lines[4], `kubelet containers{main}: Warning BackOff x2: ${why}`);
});

Deno.test("a kubelet writes Events about an image that cannot be pulled", async () => {
  const lives = [{
    image: "*:broken",
    stuck: { reason: "ImagePullBackOff", message: "not found" },
  }];
  const spec = { containers: [{ name: "main", image: "web:broken" }] };
  assertEquals((await eventsOf(spec, { lives, seconds: 60 })).slice(1), [
    'kubelet containers{main}: Normal Pulling x1: Pulling image "web:broken"',
    'kubelet containers{main}: Warning Failed x1: Failed to pull image "web:broken": not found',
    "kubelet containers{main}: Warning Failed x1: Error: ErrImagePull",
    'kubelet containers{main}: Normal BackOff x1: Back-off pulling image "web:broken"',
    "kubelet containers{main}: Warning Failed x1: Error: ImagePullBackOff",
  ]);
});

Deno.test("a kubelet writes Events about probes that fail", async () => {
  const probe = { httpGet: { port: 80 }, periodSeconds: 1, failureThreshold: 1 };
  const containers = [
    { name: "main", image: "nginx", readinessProbe: probe, livenessProbe: probe },
  ];
  const lives = [{
    probes: { readiness: [{ fromMs: 2000 }], liveness: [{ fromMs: 4000, untilMs: 5000 }] },
  }];
  assertEquals((await eventsOf({ containers }, { lives, seconds: 6 })).slice(4), [
    "kubelet containers{main}: Warning Unhealthy x1: Readiness probe failed: HTTP probe failed with statuscode: 503",
    "kubelet containers{main}: Warning Unhealthy x1: Liveness probe failed: HTTP probe failed with statuscode: 503",
    "kubelet containers{main}: Normal Killing x1: Container main failed liveness probe, will be restarted",
  ]);
});

Deno.test("a kubelet writes Events about an init container that ends at once, and a scheduler why no node fits", async () => {
  const initContainers = [{ name: "setup", image: "busybox" }];
  assertEquals((await eventsOf({ initContainers }, { seconds: 5 })).slice(3, 4), [
    "kubelet initContainers{setup}: Normal Started x1: Container started",
  ]);
  assertEquals(await eventsOf({ nodeSelector: { disk: "ssd" } }, { seconds: 5 }), [
    "default-scheduler: Warning FailedScheduling x1: 0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.",
  ]);
});
