import { assert, assertEquals } from "@std/assert";
import { Client, defineResource, installDefinitions } from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";
import { parse } from "@std/yaml/parse";
import { Cluster } from "./cluster.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const MAPS = Cluster.path("configmaps");

const accept = (text: string) => ({ accept: text });

const as = (view: string, version = "v1") =>
  accept(`application/json;as=${view};v=${version};g=meta.k8s.io`);

Deno.test("Table shows columns and rows, in both versions", async () => {
  await using cluster = new Cluster();
  await cluster.configMap("a");
  for (const version of ["v1", "v1beta1"]) {
    const { json } = await cluster.call("GET", MAPS, undefined, as("Table", version));
    assertEquals([json.kind, json.apiVersion], ["Table", `meta.k8s.io/${version}`]);
    assertEquals(json.columnDefinitions.map((column: { name: string }) => column.name), [
      "Name",
      "Data",
      "Age",
    ]);
    assertEquals(json.rows[0].cells.slice(0, 2), ["a", 0]);
    assertEquals(json.rows[0].object.apiVersion, `meta.k8s.io/${version}`);
  }
});

Deno.test("Table in a watch sends its columns once", async () => {
  await using cluster = new Cluster();
  const response = await cluster.fetch(`${MAPS}?watch=1`, { headers: as("Table") });
  const reader = response.body!.getReader();
  const columns: unknown[] = [];
  for (const name of ["a", "b"]) {
    await cluster.configMap(name);
    const { value } = await reader.read();
    columns.push(JSON.parse(new TextDecoder().decode(value)).object.columnDefinitions);
  }
  assertEquals([Array.isArray(columns[0]), columns[1]], [true, null]);
  await reader.cancel();
});

Deno.test("PartialObjectMetadata contains only metadata, and a list is not served as a single object", async () => {
  await using cluster = new Cluster();
  await cluster.call("POST", MAPS, { metadata: { name: "a" }, data: { k: "v" } });
  const one = await cluster.call("GET", `${MAPS}/a`, undefined, as("PartialObjectMetadata"));
  assertEquals(Object.keys(one.json), ["kind", "apiVersion", "metadata"]);
  const list = await cluster.call("GET", MAPS, undefined, as("PartialObjectMetadataList"));
  assertEquals(list.json.items[0].kind, "PartialObjectMetadata");
  for (const [path, view] of [[MAPS, ""], [`${MAPS}/a`, "List"]] as const) {
    const refused = await cluster.call("GET", path, undefined, as(`PartialObjectMetadata${view}`));
    assertEquals(refused.status, 406);
  }
});

Deno.test("YAML contains the same as JSON, also for errors", async () => {
  await using cluster = new Cluster();
  const data = {
    a: "true",
    b: "1.5",
    c: "line\nbreak\n",
    d: "- x: y",
    e: "",
    f: "2026-01-01",
    g: "#",
  };
  await cluster.call("POST", MAPS, { metadata: { name: "a", labels: { x: "y" } }, data });
  for (const path of [MAPS, `${MAPS}/a`, `${MAPS}/none`]) {
    const json = await cluster.get(path);
    const yaml = await cluster.call("GET", path, undefined, accept("application/yaml"));
    assertEquals(yaml.headers.get("content-type"), "application/yaml");
    assertEquals(parse(yaml.text, { schema: "json" }), json.json);
  }
});

Deno.test("the Accept header picks the first form that is served", async () => {
  await using cluster = new Cluster();
  for (
    const [header, status, type] of [
      ["*/*", 200, "application/json"],
      ["text/html,*/*", 200, "application/json"],
      [`${PROTOBUF},application/json`, 200, PROTOBUF],
      [`${PROTOBUF};q=0.9,application/json`, 200, "application/json"],
      [`application/json,${PROTOBUF}`, 200, "application/json"],
      ["application/json;q=0.5,application/yaml", 200, "application/yaml"],
      ["application/json;as=Nope;v=v1;g=meta.k8s.io,application/json", 200, "application/json"],
      ["application/json;as=Nope;v=v1;g=meta.k8s.io", 406, "application/json"],
      [PROTOBUF, 200, PROTOBUF],
      ["text/html", 406, "application/json"],
    ] as const
  ) {
    const reply = await cluster.call("GET", MAPS, undefined, accept(header));
    assertEquals([reply.status, reply.headers.get("content-type")], [status, type], header);
  }
});

Deno.test("JSON is indented for curl and with pretty=true", async () => {
  await using cluster = new Cluster();
  const curl = { "user-agent": "curl/8.0" };
  const compact = await cluster.get(MAPS);
  assert(compact.text.endsWith("}\n") && !compact.text.includes("\n "));
  for (const [path, headers] of [[MAPS, curl], [`${MAPS}?pretty=true`, {}]] as const) {
    const { text } = await cluster.call("GET", path, undefined, headers);
    assert(text.startsWith('{\n  "kind"') && text.endsWith("\n}"), text);
  }
  const plain = await cluster.call("GET", `${MAPS}?pretty=false`, undefined, curl);
  assertEquals(plain.text, compact.text);
});

Deno.test("a definition does not take the place of a built-in resource", async () => {
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  const NetworkPolicies = defineResource({
    group: "networking.k8s.io",
    version: "v1",
    kind: "NetworkPolicy",
    annotations: { "api-approved.kubernetes.io": "unapproved, for a test" },
    spec: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  });
  await installDefinitions(client, [NetworkPolicies]);
  const metadata = { name: "closed", namespace: "default" };
  const made = await client.create(NetworkPolicies, { metadata, spec: { podSelector: {} } });
  assertEquals(made.spec, { podSelector: {}, policyTypes: ["Ingress"] });
});

Deno.test("APIs that this server does not implement answer 501", async () => {
  await using cluster = new Cluster();
  const missing = await cluster.get("/api/v1/namespaces/default/pods/missing/exec");
  assertEquals([missing.status, missing.json.message], [404, 'pods "missing" not found']);
  const { status, json } = await cluster.get(
    "/api/v1/namespaces/default/services/kubernetes/proxy",
  );
  assertEquals([status, json.reason], [501, "NotImplemented"]);
  assert(json.message.startsWith("This server does not serve "), json.message);
});

Deno.test("discovery lists the served resources, in plain and aggregated form", async () => {
  await using cluster = new Cluster();
  const groups = await cluster.get("/apis");
  const names = groups.json.groups.map((group: { name: string }) => group.name);
  const aggregated = await cluster.call(
    "GET",
    "/apis",
    undefined,
    accept("application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json"),
  );
  assertEquals(
    aggregated.json.items.map((item: { metadata: { name: string } }) => item.metadata.name),
    names,
  );
  for (const { name, preferredVersion } of groups.json.groups) {
    const { json } = await cluster.get(`/apis/${name}/${preferredVersion.version}`);
    for (const { name: resource, namespaced, verbs } of json.resources) {
      if (resource.includes("/") || !verbs.includes("list")) continue;
      const where = namespaced ? "/namespaces/default" : "";
      const list = await cluster.get(
        `/apis/${name}/${preferredVersion.version}${where}/${resource}`,
      );
      assertEquals(list.status, 200, resource);
    }
  }
  const core = await cluster.get("/api/v1");
  const pods = core.json.resources.find((one: { name: string }) => one.name === "pods");
  // The storage version hash of a real server for this kind.
  assertEquals(pods.storageVersionHash, "xPOwRZ+Yhw8=");
});

Deno.test("health checks answer together and one by one", async () => {
  await using cluster = new Cluster();
  for (const path of ["/healthz", "/livez", "/readyz", "/healthz/etcd", "/readyz/shutdown"]) {
    assertEquals((await cluster.get(path)).text, "ok", path);
  }
  assert((await cluster.get("/readyz?verbose")).text.endsWith("readyz check passed\n"));
  assertEquals((await cluster.get("/healthz/none")).status, 404);
});

Deno.test("Services get unique addresses and keep them", async () => {
  await using cluster = new Cluster();
  const path = Cluster.path("services");
  const create = (name: string, spec: object) =>
    cluster.call("POST", path, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } });
  const addresses: string[] = [];
  for (const name of ["a", "b"]) {
    addresses.push((await create(name, { type: "NodePort" })).json.spec.clusterIP);
  }
  assertEquals(new Set(addresses).size, 2);
  const { json } = await cluster.get(`${path}/a`);
  const { clusterIP: _, clusterIPs: __, ...spec } = json.spec;
  const put = await cluster.call("PUT", `${path}/a`, {
    ...json,
    spec: { ...spec, sessionAffinity: "ClientIP" },
  });
  assertEquals(put.json.spec.clusterIP, addresses[0]);
  assertEquals(put.json.spec.ports[0].nodePort, json.spec.ports[0].nodePort);
  assertEquals((await create("none", { clusterIP: "None" })).json.spec.clusterIPs, ["None"]);
});
