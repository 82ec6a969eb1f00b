import { assertEquals, assertThrows } from "@std/assert";
import {
  openPodStream,
  type StreamExchange,
  upgradeOf,
} from "../../../../src/testing/api_server/handlers/pod_streams.ts";
import { ApiError, type JsonObject } from "../../../../src/testing/values/mod.ts";
import type { PodProgram } from "../../../../src/testing/mod.ts";

const PROGRAM: PodProgram = { exec: () => 0, ports: { 80: () => {} } };
const V5 = "v5.channel.k8s.io";
const V4 = "v4.channel.k8s.io";

function pod(phase: string, states: Record<string, string> = {}): JsonObject {
  const statuses = Object.entries(states)
    .map(([name, state]) => ({ name, state: { [state]: {} } }));
  return {
    metadata: { name: "web", namespace: "default", uid: "u" },
    status: { phase, containerStatuses: statuses },
  };
}

/** Opens the streams of a Pod. */
function open(
  of: JsonObject,
  { forPorts = false, upgrade = "websocket", protocol = V5, query = "" } = {},
  programs: readonly PodProgram[] = [PROGRAM],
): Response | undefined {
  const container = forPorts ? undefined : "c";
  const headers = new Headers({ "sec-websocket-protocol": protocol });
  if (upgrade !== "") headers.set("upgrade", upgrade);
  const exchange = {
    info: { name: "web", namespace: "default", subresource: container ? "exec" : "portforward" },
    query: new URLSearchParams(query),
    request: { headers } as Request,
    server: { programs },
  } as unknown as StreamExchange;
  return openPodStream(exchange, of, container);
}

const RUNNING = pod("Running", { c: "running" });

Deno.test("openPodStream() takes a WebSocket with a protocol that it speaks, the first one of the client", () => {
  const protocolOf = (protocol: string) => upgradeOf(open(RUNNING, { protocol })!)?.protocol;
  assertEquals(protocolOf(V5), V5);
  assertEquals(protocolOf(` ${V4} , ${V5}`), V4);
  assertEquals(protocolOf(`other, ${V5}, ${V4}`), V5);
  assertEquals(upgradeOf(new Response()), undefined);
  const ports = { forPorts: true, query: "ports=80" };
  const response = open(RUNNING, { ...ports, protocol: `${V5},${V4}` });
  assertEquals(upgradeOf(response!)?.protocol, V4);
  assertThrows(
    () => open(RUNNING, { ...ports, protocol: V5 }),
    ApiError,
    `unable to upgrade: none of the requested protocols is supported: ${V5}`,
  );
});

Deno.test("openPodStream() refuses requests without a WebSocket upgrade, and answers 501 without a program", () => {
  for (
    const [upgrade, code, message] of [
      ["", 400, "Upgrade request required"],
      ["SPDY/3.1", 501, "This server does not speak spdy/3.1: use a WebSocket"],
    ] as const
  ) {
    const error = assertThrows(() => open(RUNNING, { upgrade }), ApiError, message);
    assertEquals(error.status.code, code);
  }
  assertEquals(upgradeOf(open(RUNNING, { upgrade: "WebSocket" })!)?.protocol, V5);
  assertEquals(open(RUNNING, { upgrade: "" }, []), undefined);
  assertEquals(open(RUNNING, { forPorts: true }, [{ exec: () => 0 }]), undefined);
});

Deno.test("openPodStream() needs a container that runs", async () => {
  const text = async (response: Response | undefined) =>
    response && `${response.status} ${await response.text()}`;
  for (
    const [of, runs] of [
      [RUNNING, true],
      [pod("Pending", { c: "running" }), false],
      [pod("Running", { c: "waiting" }), false],
      [pod("Running", { other: "waiting" }), true],
      [pod("Running"), true],
      [pod("Succeeded", { c: "terminated" }), false],
    ] as const
  ) {
    const old = await text(open(of, { protocol: V4 }));
    assertEquals(old, runs ? "204 " : '500 container not found ("c")');
    // With version 5, the answer comes over the WebSocket.
    assertEquals(upgradeOf(open(of)!)?.protocol, V5);
  }
  const init = {
    ...RUNNING,
    status: { phase: "Running", initContainerStatuses: [{ name: "c", state: {} }] },
  };
  assertEquals(await text(open(init, { protocol: V4 })), '500 container not found ("c")');
});

Deno.test("openPodStream() needs a Pod that runs, and ports", async () => {
  const ports = (of: JsonObject, query: string) =>
    open(of, { forPorts: true, protocol: V4, query });
  const pending = ports(pod("Pending"), "ports=80")!;
  assertEquals([pending.status, await pending.text(), pending.headers.get("content-type")], [
    500,
    'pod not found ("web_default")',
    "text/plain; charset=utf-8",
  ]);
  assertThrows(() => ports(RUNNING, ""), ApiError, 'query parameter "port" is required');
  assertEquals(upgradeOf(ports(pod("Running", { c: "waiting" }), "ports=80,81")!)?.protocol, V4);
});
