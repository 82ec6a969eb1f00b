/** Requests for commands and ports of Pods that have programs: what is upgraded, and what is refused. */

import { assert, assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";

const V5 = "v5.channel.k8s.io";
const V4 = "v4.channel.k8s.io";
const PODS = Cluster.path("pods");

/** Starts a server with a Pod `web`, whose container `c` has a program. */
async function withPod(): Promise<Cluster> {
  const cluster = new Cluster({ programs: [{ exec: () => 0, ports: { 80: () => {} } }] });
  await cluster.call("POST", "/api/v1/nodes", {
    metadata: { name: "node" },
    status: { addresses: [{ type: "InternalIP", address: "10.1.1.1" }] },
  });
  const spec = { nodeName: "node", containers: [{ name: "c", image: "i" }] };
  await cluster.call("POST", PODS, { metadata: { name: "web" }, spec });
  return cluster;
}

/** Sets the phase of the Pod, and the state of its container. */
async function setStatus(cluster: Cluster, phase: string, state?: string): Promise<void> {
  const states: Record<string, object> = {
    running: { startedAt: "2026-01-01T00:00:00Z" },
    terminated: { exitCode: 0 },
  };
  const containerStatuses = state === undefined ? [] : [{
    name: "c",
    image: "i",
    imageID: "",
    ready: false,
    restartCount: 0,
    state: { [state]: states[state] ?? {} },
  }];
  const { status, text } = await cluster.merge(`${PODS}/web/status`, {
    status: { phase, containerStatuses },
  });
  assertEquals(status, 200, text);
}

/** Returns the subprotocol of an upgraded request, or the status and the text of the refusal. */
async function open(
  cluster: Cluster,
  path: string,
  protocol: string,
  upgrade: string | undefined = "websocket",
): Promise<string> {
  const request = new Request(`http://cluster${PODS}/web/${path}`, {
    headers: { "sec-websocket-protocol": protocol, ...(upgrade === "" ? {} : { upgrade }) },
  });
  const answer = await cluster.clock.run(cluster.server.upgrade(request));
  if (answer instanceof Response) return `${answer.status} ${await answer.text()}`;
  answer.socket.destroy(new Error("The test has ended"));
  return answer.protocol;
}

Deno.test("a stream of a Pod has the first protocol of the client that the server speaks", async () => {
  await using cluster = await withPod();
  await setStatus(cluster, "Running", "running");
  for (
    const [path, offered, chosen] of [
      ["exec?command=a&stdout=1", V5, V5],
      ["exec?command=a&stdout=1", ` ${V4} , ${V5}`, V4],
      ["exec?command=a&stdout=1", `other, ${V5}, ${V4}`, V5],
      ["portforward?ports=80", `${V5},${V4}`, V4],
      ["portforward?ports=80,81", V4, V4],
      ["portforward", "SPDY/3.1+portforward.k8s.io", "SPDY/3.1+portforward.k8s.io"],
    ] as const
  ) assertEquals(await open(cluster, path, offered), chosen);
  const refused = await open(cluster, "portforward?ports=80", V5);
  assert(refused.startsWith("400 ") && refused.includes(`protocols is supported: ${V5}`), refused);
  const none = await open(cluster, "portforward", V4);
  assert(none.includes('query parameter \\"port\\" is required'), none);
});

Deno.test("a stream of a Pod needs a WebSocket", async () => {
  await using cluster = await withPod();
  await setStatus(cluster, "Running", "running");
  const path = "exec?command=a&stdout=1";
  assert((await open(cluster, path, V5, "")).includes("Upgrade request required"));
  const other = await open(cluster, path, V5, "SPDY/3.1");
  assert(other.startsWith("501 ") && other.includes("does not speak spdy/3.1"), other);
  assertEquals(await open(cluster, path, V5, "WebSocket"), V5);
});

Deno.test("a stream of a Pod needs a running container", async () => {
  await using cluster = await withPod();
  const path = "exec?command=a&stdout=1";
  for (
    const [phase, state, runs] of [
      ["Running", "running", true],
      ["Running", undefined, true],
      ["Pending", "running", false],
      ["Running", "waiting", false],
      ["Failed", "terminated", false],
    ] as const
  ) {
    await setStatus(cluster, phase, state);
    const old = await open(cluster, path, V4);
    assertEquals(old, runs ? V4 : '500 container not found ("c")', `${phase} ${state}`);
    // With version 5, the answer comes over the WebSocket.
    assertEquals(await open(cluster, path, V5), V5);
  }
  await setStatus(cluster, "Pending");
  assertEquals(
    await open(cluster, "portforward?ports=80", V4),
    '500 pod not found ("web_default")',
  );
});
