/**
 * Requests that a real server passes on to a kubelet, a Pod or a Service, and its answers where it cannot.
 *
 * @module
 */

import { assertEquals } from "@std/assert";
import { HookedCluster } from "./webhooks/hooks.ts";
import { Cluster } from "./cluster.ts";

const PODS = "/api/v1/namespaces/default/pods";
const KUBELET = "no kubelet runs on its nodes";

async function withPods(): Promise<Cluster> {
  const cluster = new Cluster();
  await cluster.call("POST", "/api/v1/nodes", { metadata: { name: "bare" } });
  await cluster.call("POST", "/api/v1/nodes", {
    metadata: { name: "node" },
    status: { addresses: [{ type: "InternalIP", address: "10.1.1.1" }] },
  });
  const create = (name: string, containers: readonly string[], nodeName?: string) =>
    cluster.call("POST", PODS, {
      metadata: { name },
      spec: { nodeName, containers: containers.map((one) => ({ name: one, image: "i" })) },
    });
  await create("one", ["a"]);
  await create("two", ["a", "b"]);
  await create("lost", ["a"], "missing");
  await create("bare", ["a"], "bare");
  await create("placed", ["a"], "node");
  return cluster;
}

Deno.test("answers outside of priority and fairness name no FlowSchema", async () => {
  await using cluster = await withPods();
  const named = async (path: string) => {
    const response = await cluster.server.fetch(`http://cluster${path}`);
    await response.body?.cancel();
    return ["flowschema", "prioritylevel"].map((what) =>
      response.headers.has(`x-kubernetes-pf-${what}-uid`)
    );
  };
  for (const path of ["one", "one/status", "nope"]) {
    assertEquals(await named(`${PODS}/${path}`), [true, true], path);
  }
  const paths = [
    "one/exec",
    "one/attach",
    "one/portforward",
    "one/proxy",
    "one/proxy/a/b",
    "one/log",
  ];
  for (const path of [...paths, "nope/log", "one?timeout=x"]) {
    assertEquals(await named(`${PODS}/${path}`), [false, false], path);
  }
});

Deno.test("commands and ports of Pods are refused as by the real server, or with a 501", async () => {
  await using cluster = await withPods();
  const cases: readonly (readonly [string, number, string])[] = [
    ["nope/exec", 404, 'pods "nope" not found'],
    ["one/exec?command=ls", 400, "pod one does not have a host assigned"],
    ["one/exec?container=x", 400, "container x is not valid for pod one"],
    ["two/attach", 400, "a container name must be specified for pod two, choose one of: [a b]"],
    ["two/attach?container=b", 400, "pod two does not have a host assigned"],
    ["two/portforward", 400, "pod two does not have a host assigned"],
    [
      "two/portforward?ports=80,x",
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax',
    ],
    ["lost/exec", 404, 'pods "missing" not found'],
    ["bare/exec", 500, "no preferred addresses found; known addresses: []"],
    ["placed/exec", 501, `This server does not serve pods/exec: ${KUBELET}`],
    ["one/proxy/x/y", 400, "address not allowed"],
    ["http:one:80/proxy", 400, "address not allowed"],
    ["ftp:one:80/proxy/", 400, 'invalid pod request "ftp:one:80"'],
  ];
  for (const [path, status, message] of cases) {
    const { json } = await cluster.call("POST", `${PODS}/${path}`);
    assertEquals([json.code, json.message], [status, message], path);
  }
  assertEquals((await cluster.call("DELETE", `${PODS}/nope/exec`)).status, 405);
  assertEquals((await cluster.call("PATCH", `${PODS}/nope/attach`)).status, 405);
});

Deno.test("the options of a request for logs are checked before the Pod is looked up", async () => {
  await using cluster = await withPods();
  const invalid = 'PodLogOptions "nope" is invalid: ';
  const cases: readonly (readonly [string, number, string?])[] = [
    ["nope/log?tailLines=x", 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      "nope/log?tailLines=-1",
      422,
      `${invalid}tailLines: Invalid value: -1: must be greater than or equal to 0`,
    ],
    [
      "nope/log?limitBytes=0",
      422,
      `${invalid}limitBytes: Invalid value: 0: must be greater than 0`,
    ],
    [
      "nope/log?sinceSeconds=1&sinceTime=2020-01-01T00:00:00Z",
      422,
      `${invalid}[]: Forbidden: at most one of \`sinceTime\` or \`sinceSeconds\` may be specified`,
    ],
    [
      "nope/log?sinceTime=x",
      400,
      'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
    ],
    ["nope/log?stream=All", 422, `${invalid}stream: Forbidden: may not be specified`],
    ["two/log", 400, "a container name must be specified for pod two, choose one of: [a b]"],
    ["two/log?container=x", 400, "container x is not valid for pod two"],
    ["two/log?container=b", 204],
    ["bare/log", 500, "no preferred addresses found; known addresses: []"],
    ["placed/log?tailLines=1", 501, `This server does not serve logs: ${KUBELET}`],
  ];
  for (const [path, status, message] of cases) {
    const answer = await cluster.get(`${PODS}/${path}`);
    assertEquals([answer.status, answer.json?.message], [status, message], path);
  }
});

Deno.test("webhooks are asked about a proxied path that is not UTF-8", async () => {
  await using cluster = new HookedCluster();
  await cluster.call("POST", Cluster.path("services"), {
    metadata: { name: "s" },
    spec: { ports: [{ port: 80 }] },
  });
  await cluster.hook("validating", "w", () => ({}), {
    rules: [{
      operations: ["CONNECT"],
      apiGroups: [""],
      apiVersions: ["v1"],
      resources: ["services/proxy"],
    }],
  });
  const { json } = await cluster.get(`${Cluster.path("services")}/s:80/proxy/%ff/x`);
  const paths = cluster.calls.map(({ request }) => request.object.path);
  assertEquals([json.code, paths], [501, ["/\ufffd/x"]]);
});

Deno.test("the proxy subresources of nodes and Services are not served", async () => {
  await using cluster = await withPods();
  await cluster.call("POST", Cluster.path("services"), {
    metadata: { name: "s" },
    spec: { ports: [{ port: 80 }] },
  });
  const services = Cluster.path("services");
  const cases: readonly (readonly [string, number, string])[] = [
    ["/api/v1/nodes/nope/proxy/x", 404, 'nodes "nope" not found'],
    ["/api/v1/nodes/bare:10250/proxy/", 500, "no preferred addresses found; known addresses: []"],
    ["/api/v1/nodes/node/proxy/metrics", 501, `This server does not serve nodes/proxy: ${KUBELET}`],
    ["/api/v1/nodes/a:b:c:d/proxy", 400, 'invalid node request "a:b:c:d"'],
    [`${services}/s:81/proxy/`, 503, 'no service port 81 found for service "s"'],
    [`${services}/nope:80/proxy/`, 404, 'services "nope" not found'],
    [`${services}/nope/proxy/`, 503, 'no endpoints available for service "nope"'],
    [
      `${services}/s:80/proxy/`,
      501,
      "This server does not serve services/proxy: no containers run in its Pods",
    ],
  ];
  for (const [path, status, message] of cases) {
    const { json } = await cluster.get(path);
    assertEquals([json.code, json.message], [status, message], path);
  }
  const slices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
  const none = {
    metadata: { name: "s", labels: { "kubernetes.io/service-name": "s" } },
    addressType: "IPv4",
    endpoints: [],
  };
  await cluster.call("POST", slices, none);
  assertEquals(await proxyOfService(cluster), NO_ENDPOINTS);
  const some = { ...none, endpoints: [{ addresses: ["10.1.1.2"] }] };
  await cluster.call("PUT", `${slices}/s`, some);
  assertEquals((await proxyOfService(cluster))[0], 501);
});

Deno.test("the proxy of a Service reads its Endpoints before Kubernetes 1.37", async () => {
  await using cluster = new Cluster({ kubernetes: "1.36" });
  assertEquals(await proxyOfService(cluster), [404, "NotFound", 'services "s" not found']);
  const service = { metadata: { name: "s" }, spec: { ports: [{ port: 80 }] } };
  await cluster.call("POST", Cluster.path("services"), service);
  assertEquals((await proxyOfService(cluster))[0], 501);
  await cluster.call("POST", Cluster.path("endpoints"), { metadata: { name: "s" } });
  assertEquals(await proxyOfService(cluster), NO_ENDPOINTS);
});

const NO_ENDPOINTS = [503, "ServiceUnavailable", 'no endpoints available for service "s"'];

async function proxyOfService(cluster: Cluster): Promise<unknown[]> {
  const { json } = await cluster.get(`${Cluster.path("services")}/s/proxy/`);
  return [json.code, json.reason, json.message];
}
