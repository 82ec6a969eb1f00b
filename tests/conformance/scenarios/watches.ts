import { close, del, get, merge, post, put, type StepScenario, watch } from "../step.ts";
import { configMap, core, namespaced, pod } from "./_objects.ts";

const NS = "suite-watch";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");
const TABLE = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
const PARTIAL = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };

/** Order, selectors, bookmarks and representations of watches. */
export const watches: StepScenario = {
  name: "watches",
  steps: [
    namespaced(NS),
    get(MAPS, { save: "empty", unseen: true }),
    watch("all", `${MAPS}?watch=1&resourceVersion={{empty.metadata.resourceVersion}}`),
    watch(
      "label",
      `${MAPS}?watch=1&labelSelector=on%3Dyes&resourceVersion={{empty.metadata.resourceVersion}}`,
    ),
    watch(
      "notin",
      `${MAPS}?watch=1&labelSelector=on+notin+(yes)&resourceVersion={{empty.metadata.resourceVersion}}`,
    ),
    watch(
      "name",
      `${MAPS}?watch=1&fieldSelector=metadata.name%3Db&resourceVersion={{empty.metadata.resourceVersion}}`,
    ),
    watch("everywhere", "/api/v1/configmaps?watch=1&labelSelector=on"),
    watch("deprecated", `/api/v1/watch/namespaces/${NS}/configmaps/b`),
    watch(
      "table",
      `${MAPS}?watch=1&resourceVersion={{empty.metadata.resourceVersion}}`,
      { headers: TABLE },
    ),
    watch(
      "partial",
      `${MAPS}?watch=1&resourceVersion={{empty.metadata.resourceVersion}}`,
      { headers: PARTIAL },
    ),
    post(MAPS, configMap("b", { k: "1" }, { labels: { on: "no" } })),
    post(MAPS, configMap("a", { k: "1" }, { labels: { on: "yes" } })),
    merge(`${MAPS}/b`, { metadata: { labels: { on: "yes" } } }),
    merge(`${MAPS}/b`, { metadata: { labels: { on: "yes" } } }),
    merge(`${MAPS}/b`, { data: { k: "2" } }),
    merge(`${MAPS}/b`, { metadata: { labels: { on: null } }, data: { k: "3" } }),
    put(`${MAPS}/a`, configMap("a", { k: "9" })),
    del(`${MAPS}/b`),
    post(MAPS, configMap("held", {}, { finalizers: ["example.com/f"], labels: { on: "yes" } })),
    del(`${MAPS}/held`),
    merge(`${MAPS}/held`, { metadata: { labels: { on: "no" } } }),
    merge(`${MAPS}/held`, { metadata: { finalizers: [] } }),
    close("all", 11),
    close("label", 8),
    close("notin", 7),
    close("name", 5),
    close("everywhere", 10),
    close("deprecated", 5),
    close("table", 11),
    close("partial", 11),
    post(MAPS, configMap("z")),
    watch(
      "initial",
      `${MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    ),
    close("initial", 3),
    watch(
      "initial-selected",
      `${MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&labelSelector=none`,
    ),
    close("initial-selected", 1),
    watch(
      "initial-table",
      `${MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      { headers: TABLE },
    ),
    close("initial-table", 3),
    watch(
      "initial-partial",
      `${MAPS}?watch=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
      { headers: PARTIAL },
    ),
    close("initial-partial", 3),
    watch("zero", `${MAPS}?watch=1&resourceVersion=0&timeoutSeconds=1`),
    close("zero"),
    watch(
      "false",
      `${MAPS}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
    ),
    close("false"),
    watch(
      "no-object",
      `${MAPS}?watch=1&fieldSelector=metadata.name%3Dnone&resourceVersion=0&timeoutSeconds=1&includeObject=None`,
      { headers: TABLE },
    ),
    close("no-object"),
    get(`${MAPS}?watch=1&resourceVersion=abc`),
    get(`${MAPS}?watch=1&resourceVersion=-1`),
    get(`${MAPS}?watch=1&resourceVersionMatch=Exact&resourceVersion=5`),
    get(`${MAPS}?watch=1&sendInitialEvents=true`),
    get(`${MAPS}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact`),
    get(`${MAPS}?watch=1&labelSelector=a+in`),
    get(`${MAPS}?watch=1&fieldSelector=spec.x%3D1`),
    get(`${MAPS}?watch=1&timeoutSeconds=abc`),
    get(`${MAPS}?watch=1`, { headers: { accept: "application/yaml" } }),
    get(`${MAPS}?watch=1`, { headers: { accept: "text/plain" } }),
    get(`${MAPS}?watch=1`, { as: "nobody" }),
    get(`${MAPS}?watch=1`, { as: "anonymous" }),
    get(`${MAPS}?watch=1`, { as: "stranger" }),
    get(`${MAPS}/z?watch=1`),
    watch("pods", `${PODS}?watch=1`),
    watch("running", `${PODS}?watch=1&fieldSelector=status.phase%3DRunning`),
    watch("on-node", `${PODS}?watch=1&fieldSelector=spec.nodeName%3Dn1`),
    post(PODS, pod("p")),
    post(`${PODS}/p/binding`, {
      apiVersion: "v1",
      kind: "Binding",
      metadata: { name: "p" },
      target: { kind: "Node", name: "n1" },
    }),
    merge(`${PODS}/p/status`, { status: { phase: "Running" } }),
    merge(`${PODS}/p/status`, { status: { phase: "Succeeded" } }),
    del(`${PODS}/p`),
    del(`${PODS}/p?gracePeriodSeconds=0`),
    close("pods", 6),
    close("running", 2),
    close("on-node", 5),
  ],
};
