import { assert, assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

// tests/conformance/scenarios/services.ts compares changes of Services with the real server.

const SERVICES = Cluster.path("services");

function service(name: string, spec: object = {}): object {
  return { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } };
}

Deno.test("a new server has the Service kubernetes; a restored one has the Services of its state", async () => {
  await using cluster = new Cluster();
  const { items } = (await cluster.get("/api/v1/services")).json;
  assertEquals(
    // deno-lint-ignore no-explicit-any
    items.map(({ metadata, spec }: any) => [metadata.namespace, metadata.name, spec.clusterIP]),
    [["default", "kubernetes", "10.0.0.1"]],
  );
  await cluster.call("DELETE", `${SERVICES}/kubernetes`);
  await using again = new Cluster({ state: cluster.server.state() });
  assertEquals((await again.get("/api/v1/services")).json.items, []);
});

Deno.test("addresses and node ports are unique, and free again when their Service is deleted", async () => {
  await using cluster = new Cluster();
  const create = async (name: string, spec: object) =>
    (await cluster.call("POST", SERVICES, service(name, spec))).json;
  const a = await create("a", { type: "NodePort" });
  const b = await create("b", { type: "LoadBalancer", externalTrafficPolicy: "Local" });
  const { clusterIP } = a.spec;
  const { nodePort } = a.spec.ports[0];
  const all = [nodePort, b.spec.ports[0].nodePort, b.spec.healthCheckNodePort];
  assertEquals(new Set(all).size, 3);
  assert(clusterIP !== b.spec.clusterIP);
  const same = { type: "NodePort", clusterIP, ports: [{ port: 80, nodePort }] };
  assertEquals((await create("c", same)).code, 422);
  await cluster.call("DELETE", `${SERVICES}/a`);
  assertEquals((await create("c", same)).spec.clusterIP, clusterIP);
});

Deno.test("a node port that one protocol uses is not allocated for another protocol", async () => {
  await using cluster = new Cluster();
  const udp = { port: 80, protocol: "UDP", nodePort: 30_086 };
  await cluster.call("POST", SERVICES, service("udp", { type: "NodePort", ports: [udp] }));
  const tcp = (await cluster.call("POST", SERVICES, service("tcp", { type: "NodePort" }))).json;
  assertEquals(tcp.spec.ports[0].nodePort, 30_087);
});

Deno.test("the lowest addresses are reserved for explicit requests until all others are in use", async () => {
  await using cluster = new Cluster();
  const hosts: number[] = [];
  for (let i = 0; i < 240; i++) {
    const { spec } = (await cluster.call("POST", SERVICES, service(`s${i}`))).json;
    hosts.push(Number(spec.clusterIP.split(".")[3]));
  }
  assertEquals(hosts.slice(0, 2), [17, 18]);
  assertEquals(hosts.slice(236), [253, 254, 2, 3]);
});

Deno.test("ports of one number share a node port, and no other Service gets it in any protocol", async () => {
  await using cluster = new Cluster();
  const ports = [{ name: "tcp", port: 53 }, { name: "udp", port: 53, protocol: "UDP" }];
  const created = await cluster.call("POST", SERVICES, service("a", { type: "NodePort", ports }));
  const [tcp, udp] = created.json.spec.ports;
  assertEquals(udp.nodePort, tcp.nodePort);
  const taken = { port: 80, protocol: "SCTP", nodePort: tcp.nodePort };
  const refused = await cluster.call(
    "POST",
    SERVICES,
    service("b", { type: "NodePort", ports: [taken] }),
  );
  assertEquals(refused.status, 422, refused.text);
});

Deno.test("a dry run answers with an address and a port that it does not allocate", async () => {
  await using cluster = new Cluster();
  const path = `${SERVICES}?dryRun=All`;
  const tried = await cluster.call("POST", path, service("a", { type: "NodePort" }));
  assertEquals(tried.json.spec.clusterIP, "10.0.0.0");
  assertEquals(tried.json.spec.ports[0].nodePort, 32_769);
  const created = await cluster.call("POST", SERVICES, service("b"));
  assertEquals(created.json.spec.clusterIP, "10.0.0.17");
});

Deno.test("a proxy is refused with the reason that a real server has, or with what this server is not", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", SERVICES, service("s"));
  await cluster.pod("p");
  const refusal = async (path: string) => {
    const { json, status } = await cluster.get(`${path}/proxy/`);
    return [status, json.reason, json.message];
  };
  const no = "This server does not serve services/proxy: no containers run in its Pods";
  const unavailable = (message: string) => [503, "ServiceUnavailable", message];
  for (const name of ["s", "s:80", "s:web"]) {
    assertEquals(await refusal(`${SERVICES}/${name}`), [501, "NotImplemented", no]);
  }
  assertEquals(
    await refusal(`${SERVICES}/s:81`),
    unavailable('no service port 81 found for service "s"'),
  );
  await cluster.call("POST", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices", {
    metadata: { name: "s", labels: { "kubernetes.io/service-name": "s" } },
    addressType: "IPv4",
    endpoints: [],
  });
  assertEquals(
    await refusal(`${SERVICES}/s:80`),
    unavailable('no endpoints available for service "s"'),
  );
  assertEquals(await refusal(Cluster.path("pods", "p")), [
    400,
    "BadRequest",
    "address not allowed",
  ]);
});
