import { assertEquals, assertThrows } from "@std/assert";
import { parseFaultSpec, setFault } from "../../../src/testing/serve/fault_spec.ts";
import { isLoopback, reachableUrl } from "../../../src/testing/serve/kubeconfig_text.ts";
import { parseServeCommand } from "../../../src/testing/serve/serve_options.ts";
import { ApiServer, SeededRandom } from "../../../src/testing/mod.ts";

Deno.test("parseServeCommand() reads every flag", () => {
  assertEquals(
    parseServeCommand([
      "--port=0",
      "--hostname",
      "::1",
      "--accept-hosts",
      "Host.Docker.Internal, 10.0.0.1",
      "--accept-hosts=fe80:0::1",
      "--kubernetes=1.36",
      "--feature-gates=MaxUnavailableStatefulSet=true,HPAScaleToZero=false",
      "--seed",
      "7",
      "--load",
      "a.yaml",
      "b.yaml",
      "--save",
      "state",
      "--fsync",
      "--load=c.json",
      "--token",
      "secret",
      "--tls",
      "--see",
      "--nodes=2",
      "--lives",
      "lives.yaml",
      "--latency",
      "20",
      "--fault",
      "GET /api/v1/pods:503:10%",
      "--fault",
      "/apis/*:429",
      "--kubeconfig-out",
      "kubeconfig",
    ]),
    {
      port: 0,
      hostname: "::1",
      acceptHosts: ["host.docker.internal", "10.0.0.1", "[fe80::1]"],
      kubernetes: "1.36",
      featureGates: { MaxUnavailableStatefulSet: true, HPAScaleToZero: false },
      seed: 7,
      load: ["a.yaml", "b.yaml", "c.json"],
      save: "state",
      fsync: true,
      token: "secret",
      tls: true,
      see: true,
      nodes: 2,
      lives: "lives.yaml",
      latencyMs: 20,
      faults: [
        { method: "GET", path: "/api/v1/pods", code: 503, share: 0.1 },
        { method: "", path: "/apis/*", code: 429, share: 1 },
      ],
      kubeconfigOut: "kubeconfig",
      help: false,
    },
  );
});

Deno.test("parseServeCommand() defaults to the loopback address without a token", () => {
  const { port, hostname, acceptHosts, kubernetes, tls, token, load, faults } = parseServeCommand(
    [],
  );
  assertEquals({ port, hostname, acceptHosts, kubernetes, tls, token, load, faults }, {
    port: 8001,
    hostname: "127.0.0.1",
    acceptHosts: [],
    kubernetes: "1.37",
    tls: false,
    token: undefined,
    load: [],
    faults: [],
  });
});

for (
  const [line, message] of [
    ["--nosuch", "Unknown flag --nosuch"],
    ["stray", "Unknown argument stray"],
    ["--port 99999", "--port must be a whole number from 0 to 65535"],
    ["--port 65536", "--port must be a whole number from 0 to 65535"],
    ["--nodes 251", "--nodes must be a whole number from 0 to 250"],
    ["--latency 600001", "--latency must be a whole number from 0 to 600000"],
    ["--seed 4294967296", "--seed must be a whole number from 0 to 4294967295"],
    ["--fsync", "--fsync needs --save"],
    ["--lives a", "--lives needs --nodes"],
    ["--fault=", "--fault needs a value"],
    ["--port x", "--port must be a whole number"],
    ["--port", "--port needs a value"],
    ["--load", "--load needs a value"],
    ["--kubernetes=1.2", "--kubernetes must be one of 1.35, 1.36, 1.37"],
    ["--feature-gates=HPAScaleToZero", "--feature-gates must be like Name=true,Other=false"],
    ["--feature-gates=Teleport=true", "unrecognized feature gate: Teleport"],
    ["--seed=-1", "--seed must be a whole number"],
    ["--latency 1e9", "--latency must be a whole number"],
    ["--accept-hosts a:80", "--accept-hosts must be host names"],
    ["--accept-hosts a,,b", "--accept-hosts must be host names"],
    ["--accept-hosts *", "--accept-hosts must be host names"],
    ["--fault nonsense", "Cannot parse the fault"],
    ["--port 1 stray", "Unknown argument stray"],
  ] as const
) {
  Deno.test(`parseServeCommand() rejects ${line} with a message of one line`, () => {
    const error = assertThrows(() => parseServeCommand(line.split(" ")), SyntaxError, message);
    assertEquals(error.message.split("\n").length, 1);
  });
}

Deno.test("parseServeCommand() takes the largest numbers", () => {
  const { latencyMs, nodes, port, seed } = parseServeCommand(
    "--port 65535 --nodes 250 --latency 600000 --seed 4294967295".split(" "),
  );
  assertEquals([port, nodes, latencyMs, seed], [65_535, 250, 600_000, 4_294_967_295]);
});

Deno.test("parseServeCommand() rejects a token that is invalid in a header, without printing it", () => {
  const error = assertThrows(() => parseServeCommand(["--token", "a b"]), SyntaxError);
  assertEquals(error.message.includes("a b"), false);
});

Deno.test("parseFaultSpec() parses paths with colons and fractional percentages", () => {
  assertEquals(parseFaultSpec("/apis/x/system:node:500:0.5%"), {
    method: "",
    path: "/apis/x/system:node",
    code: 500,
    share: 0.005,
  });
  for (const bad of ["", "GET", "/a:200", "/a:503:101%", "FOO /a:503", "a:503", "/a:503:10"]) {
    assertThrows(() => parseFaultSpec(bad), SyntaxError, "expected");
  }
});

Deno.test("setFault() fails a random share of the requests of its method and path", async () => {
  await using server = new ApiServer();
  const random = new SeededRandom(1);
  setFault(parseFaultSpec("GET /api/v1/namespaces/*/pods:503:50%"), server.faults, random);
  setFault(parseFaultSpec("/api/v1/nodes:429"), server.faults, random);
  const status = async (path: string, method = "GET") => {
    const response = await server.fetch(`http://c${path}`, { method });
    await response.body?.cancel();
    return response.status;
  };
  assertEquals(await status("/api/v1/pods"), 200);
  assertEquals(await status("/api/v1/namespaces/default/pods", "DELETE"), 200);
  assertEquals(await status("/api/v1/nodes"), 429);
  const statuses = [];
  for (let i = 0; i < 200; i++) statuses.push(await status("/api/v1/namespaces/default/pods"));
  const failed = statuses.filter((one) => one === 503).length;
  assertEquals(statuses.filter((one) => one === 200).length, 200 - failed);
  assertEquals(failed > 60 && failed < 140, true, `${failed}`);
});

Deno.test("setFault() matches each part of a path between stars, in order and once", async () => {
  for (
    const [path, url, fails] of [
      ["/api/*/pods*log", "/api/v1/namespaces/a/pods/b/log", true],
      ["/api/*/pods*log", "/api/v1/namespaces/a/pods/b", false],
      ["/api/*/pods*log", "/apis/v1/namespaces/a/pods/b/log", false],
      ["/api/*/log*pods", "/api/v1/namespaces/a/pods/b/log", false],
      ["/api/v1*v1/nodes", "/api/v1/nodes", false],
      ["/api/v1/node*s", "/api/v1/nodes", true],
      ["/api/v1/nodes*", "/api/v1/nodes", true],
      ["/api/v1/node", "/api/v1/nodes", false],
    ] as const
  ) {
    await using server = new ApiServer();
    setFault(parseFaultSpec(`${path}:503:100%`), server.faults, {
      next: () => {
        throw new Error("no chance is needed");
      },
    });
    const response = await server.fetch(`http://c${url}`);
    await response.body?.cancel();
    assertEquals(response.status === 503, fails, `${path} ${url}`);
  }
});

Deno.test("isLoopback() and reachableUrl() recognize the addresses of this machine", () => {
  for (const name of ["localhost", "127.0.0.1", "127.1.2.3", "::1"]) {
    assertEquals(isLoopback(name), true, name);
  }
  for (const name of ["0.0.0.0", "::", "example.com", "127.0.0.1.example.com", "10.0.0.1"]) {
    assertEquals(isLoopback(name), false, name);
  }
  assertEquals(reachableUrl("http", "0.0.0.0", 1), "http://127.0.0.1:1");
  assertEquals(reachableUrl("https", "::", 1), "https://[::1]:1");
  assertEquals(reachableUrl("http", "fe80::1", 1), "http://[fe80::1]:1");
});
