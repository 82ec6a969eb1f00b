import type { Replay, Scenario } from "./replay.ts";

const WIRE = "/api/v1/namespaces/wire";
const W = "/api/v1/namespaces/w";
const WIDGETS = "/apis/demo.example.com/v1/namespaces/wire/widgets";
const DEFINITION =
  "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.demo.example.com";
const MERGE = "application/merge-patch+json";

function pod(name: string, spec: object = {}): object {
  const containers = [{ name: "nginx", image: "nginx:1.27" }];
  return { apiVersion: "v1", kind: "Pod", metadata: { name }, spec: { containers, ...spec } };
}

function configMap(name: string, metadata: object = {}, data: object = { k: "v" }): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

function widget(name: string, metadata: object = {}, spec: object = { replicas: 1 }): object {
  return {
    apiVersion: "demo.example.com/v1",
    kind: "Widget",
    metadata: { name, ...metadata },
    spec,
  };
}

/** The recording of most transcripts, including the requests between them that were not recorded. */
export const mainScenario: Scenario = {
  setting: { start: "2026-11-20T12:54:11Z" },
  async play(replay) {
    await replay.pad(199);
    await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "wire" } });
    await lists(replay);
    await writes(replay);
    await deletions(replay);
    await views(replay);
    await customResources(replay);
    await otherKinds(replay);
    await watches(replay);
    await headers(replay);
  },
};

async function lists(replay: Replay): Promise<void> {
  await replay.run("0101", "0205");
  for (const name of ["p2", "p3", "p4", "p5"]) {
    await replay.at("2026-11-20T12:54:12Z");
    await replay.send("POST", `${WIRE}/pods`, pod(name));
  }
  await replay.run("0206", "0308");
  await replay.pad(207);
  await replay.run("0309", "0312");
  const labels = { app: "a", tier: "x" };
  await replay.at("2026-11-20T12:54:21Z");
  await replay.send("POST", `${WIRE}/configmaps`, configMap("sel-a", { labels }));
  await replay.send("POST", `${WIRE}/configmaps`, configMap("sel-b", { labels: { app: "b" } }));
  await replay.run("0401", "0412");
}

async function writes(replay: Replay): Promise<void> {
  await replay.run("0501", "0558");
  await replay.at("2026-11-20T12:54:23Z");
  await replay.send("POST", `${WIRE}/configmaps`, configMap("pt", {}, { a: "1", b: "2" }));
  await replay.run("0601", "0719");
}

async function deletions(replay: Replay): Promise<void> {
  const create = (name: string, metadata: object = {}) =>
    replay.send("POST", `${WIRE}/configmaps`, configMap(name, metadata));
  await create("d1");
  await replay.run("0801", "0802");
  const containers = [{ name: "c", image: "i" }];
  await replay.send("POST", `${WIRE}/pods`, pod("bound", { containers, nodeName: "n1" }));
  await replay.run("0803", "0806");
  await create("d2");
  await replay.run("0807", "0809");
  await create("d3");
  await replay.run("0810", "0812");
  await replay.at("2026-11-20T12:54:24Z");
  await create("d4");
  await replay.run("0813");
  await replay.send("PATCH", `${WIRE}/configmaps/d4`, { metadata: { finalizers: null } }, MERGE);
  await create("d5");
  await replay.run("0814", "0816");
  await create("f1", { finalizers: ["example.com/fin"] });
  await replay.run("0817", "0824");
  for (const name of ["dc0", "dc1", "dc2"]) await create(name, { labels: { dc: "1" } });
  await replay.run("0825", "0826");
  await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "term" } });
  await replay.run("0827", "0830");
}

async function views(replay: Replay): Promise<void> {
  await replay.run("0901", "0912");
  for (let i = 0; i < 200; i++) {
    const name = `g${String(i).padStart(3, "0")}`;
    const object = configMap(name, { labels: { g: "1" } }, { k: "y".repeat(1000) });
    await replay.send("POST", `${WIRE}/configmaps`, object);
  }
  await replay.run("1001", "1004");
  await replay.send("DELETE", `${WIRE}/configmaps?labelSelector=g%3D1`);
}

async function customResources(replay: Replay): Promise<void> {
  await replay.run("1201", "1203");
  await replay.exchange("1204", () => replay.exchange("1205"));
  await replay.pad(665);
  await replay.run("1206", "1240");
  await replay.run("1241", "1242");
  const finalizers = ["demo.example.com/f"];
  await replay.send("POST", WIDGETS, widget("fin", { finalizers }));
  await replay.run("1243");
  await replay.exchange("1250", async () => {
    await replay.send("POST", WIDGETS, widget("wa"));
    await replay.send("PATCH", `${WIDGETS}/wa/status`, { status: { phase: "R" } }, MERGE);
    await replay.send("DELETE", `${WIDGETS}/wa`);
    await replay.send("PATCH", `${WIDGETS}/fin`, { metadata: { finalizers: null } }, MERGE);
  });
  await replay.run("1251", "1252");
  await replay.exchange("1253", () => changeVersions(replay, ["v1"]));
  await replay.pad(682);
  await replay.exchange("1254", () => changeVersions(replay, ["v1", "v2"]));
  await replay.pad(684);
  await replay.at("2026-11-20T12:54:36Z");
  await replay.send("POST", WIDGETS, widget("after-crd", {}, { replicas: 1, extra: "e" }));
  await replay.run("1255", "1256");
  await replay.exchange("1257", () => replay.exchange("1258"));
  await replay.run("1259", "1260");
}

/** Replaces the versions of the definition by `names`, with one more field in the schema. */
async function changeVersions(replay: Replay, names: readonly string[]): Promise<void> {
  // deno-lint-ignore no-explicit-any
  const { spec } = await replay.send("GET", DEFINITION) as any;
  const [first] = spec.versions;
  first.schema.openAPIV3Schema.properties.spec.properties.extra = { type: "string" };
  const versions = names.map((name) => ({ ...first, name, storage: name === "v1" }));
  await replay.send("PATCH", DEFINITION, { spec: { versions } }, MERGE);
}

async function otherKinds(replay: Replay): Promise<void> {
  await replay.pad(692);
  await replay.run("1301", "1414");
  await replay.run("1501", "1503");
  const labels = { ev: "1" };
  await replay.send("POST", `${WIRE}/pods`, { ...pod("ev1"), metadata: { name: "ev1", labels } });
  await replay.send("PATCH", `${WIRE}/pods/ev1/status`, { status: { phase: "Running" } }, MERGE);
  await replay.send("POST", "/apis/policy/v1/namespaces/wire/poddisruptionbudgets", {
    metadata: { name: "pdb" },
    spec: { minAvailable: 1, selector: { matchLabels: labels } },
  });
  await replay.run("1504", "1514");
}

async function watches(replay: Replay): Promise<void> {
  const create = (name: string, metadata: object = {}) =>
    replay.send("POST", `${W}/configmaps`, configMap(name, metadata));
  const patch = (name: string, body: object) =>
    replay.send("PATCH", `${W}/configmaps/${name}`, body, MERGE);
  const remove = (name: string) => replay.send("DELETE", `${W}/configmaps/${name}`);
  const during = (id: string, action: () => Promise<unknown>) => replay.exchange(id, action);

  await replay.at("2026-11-20T12:54:40Z");
  await replay.send("POST", "/api/v1/namespaces", { metadata: { name: "w" } });
  await during("1101", async () => {
    await replay.send("POST", `${W}/pods`, pod("a"));
    await replay.send("PATCH", `${W}/pods/a`, { metadata: { labels: { x: "1" } } }, MERGE);
    await replay.send("PATCH", `${W}/pods/a/status`, { status: { phase: "Running" } }, MERGE);
    await replay.send("DELETE", `${W}/pods/a`);
  });
  await replay.run("1102");
  await during("1103", async () => {
    for (const name of ["raw0", "raw1", "raw2"]) await create(name);
  });
  await replay.run("1104");
  await replay.at("2026-11-20T12:54:42Z");
  await create("aaa-last");
  await create("zzz");
  await patch("raw0", { data: { k: "touched" } });
  await during("1105", () => create("raw-after"));
  await during("1106", () => patch("raw1", { data: { k: "2" } }));
  await replay.run("1107", "1108");
  await replay.pad(723);
  await during("1108b", () => create("other-bm"));
  await during("1108c", () => create("other-bm2"));
  await replay.pad(726);
  await during("1109", () => create("si-after"));
  await replay.run("1110", "1116");
  await replay.pad(728);
  await replay.run("1117");
  await during("1120", async () => {
    await create("tr");
    await patch("tr", { metadata: { labels: { on: "yes" } } });
    await patch("tr", { data: { k: "2" } });
    await patch("tr", { metadata: { labels: { on: "no" } }, data: { k: "3" } });
    await remove("tr");
  });
  await during("1121", async () => {
    await create("two");
    await create("one");
  });
  await replay.run("1122", "1130");
  await during("1131", async () => {
    for (let i = 0; i < 8; i++) await create(`fu${i}`);
  });
  await replay.run("1132", "1133");
  await replay.pad(744);
  await replay.run("1134", "1139");
  await replay.pad(745);
  await replay.send("POST", `${W}/pods`, pod("t0"));
  await during("1140", async () => {
    await replay.send("POST", `${W}/pods`, pod("t1"));
    await replay.send("DELETE", `${W}/pods/t1`);
  });
  await during("1141", async () => {
    await create("pm1");
    await remove("pm1");
  });
  await replay.run("1142", "1147");
  await replay.pad(752);
  await during("1148", async () => {
    for (const i of [2, 1, 4, 5, 6, 7, 8, 0, 3, 9]) await create(`par${i}`);
  });
  await during("1150", async () => {
    await create("fin", { finalizers: ["example.com/f"] });
    await remove("fin");
    await patch("fin", { metadata: { finalizers: null } });
  });
  await during("1151", async () => {
    const containers = [{ name: "c", image: "i" }];
    await replay.send("POST", `${W}/pods`, pod("bp", { containers, nodeName: "n1" }));
    await replay.send("DELETE", `${W}/pods/bp`);
    await replay.send("DELETE", `${W}/pods/bp`, { gracePeriodSeconds: 0 });
  });
  await create("del1", { labels: { dc: "1" } });
  await create("del2", { labels: { dc: "1" } });
  await during("1152", () => replay.send("DELETE", `${W}/configmaps?labelSelector=dc`));
}

async function headers(replay: Replay): Promise<void> {
  await replay.at("2026-11-20T12:55:44Z");
  await replay.send("POST", `${WIRE}/configmaps`, configMap("x10"));
  await replay.run("1901", "1938");
}
