import {
  apply,
  close,
  del,
  get,
  merge,
  post,
  type Step,
  type StepScenario,
  viewed,
  watch,
} from "../step.ts";
import { configMap, core, definition, DEFINITIONS, grouped, namespaced } from "./_objects.ts";

/** Two namespaces whose hashes are in the upper and in the lower half. */
const [HIGH, LOW] = ["suite-shards", "suite-shards-2"];
/** The hash of the name `suite-shards`, the one after it, and the middle of all hashes. */
const [HASH, NEXT, MIDDLE] = ["0xa41df55c359a0bdb", "0xa41df55c359a0bdc", "0x8000000000000000"];
const [FIRST, LAST] = ["0x0000000000000000", "0x10000000000000000"];

const range = (start: string, end: string, field = "namespace") =>
  `shardRange(object.metadata.${field}, '${start}', '${end}')`;
const query = (selector: string) => `shardSelector=${encodeURIComponent(selector)}`;
const UPPER = query(range(MIDDLE, LAST));
const LOWER = query(range(FIRST, MIDDLE));
const ALL = query(range(FIRST, LAST, "uid"));

const labelled = (name: string, labels: object = { suite: "shards" }) =>
  configMap(name, { k: "v" }, { labels });
const MAPS = "/api/v1/configmaps?labelSelector=suite%3Dshards";
const EVENTS = "/api/v1/events?fieldSelector=reason%3DSuite";
const ITEMS = "/apis/suite.example.com/v1/shardeditems";

/** Selectors, most of them with mistakes. */
const SELECTORS: readonly string[] = [
  " ",
  "x",
  "true",
  "'x'",
  "[]",
  "{}",
  "a.b",
  "A{}",
  "f()",
  "a.f()",
  "has(a.b)",
  "[1].all(x, x)",
  "!x",
  "a && b",
  "a ? b : c",
  "a.?b",
  "a[?b]",
  "a[0]",
  "shardRange",
  "shardRange()",
  "shardRange(",
  "shardRange() ||",
  "|| x",
  "in",
  "if",
  "$",
  "'",
  "shardRange(object.metadata.uid, 'a')",
  "shardRange('object.metadata.uid', 'a', 'b')",
  "shardRange(object.metadata['uid'], 'a', 'b')",
  "shardRange(metadata.uid, 'a', 'b')",
  "shardRange(object.metadata.labels.a, 'a', 'b')",
  "shardRange(object.metadata.uid, a, 'b')",
  "shardRange(object.metadata.uid, 1, 'b')",
  "shardRange(object.metadata.uid, 1u, 'b')",
  "shardRange(object.metadata.uid, 1.0, 'b')",
  "shardRange(object.metadata.uid, true, 'b')",
  "shardRange(object.metadata.uid, null, 'b')",
  "shardRange(object.metadata.uid, b'a', 'b')",
  range("", LAST),
  range("0x", LAST),
  range("0X0000000000000000", LAST),
  range("0x0", LAST),
  range("0x00000000000000g0", LAST),
  range("0xé", LAST),
  range("0xA000000000000000", LAST),
  range("0x00000000000000000", LAST),
  range("0x000000000000000000", LAST),
  range(FIRST, "8000000000000000"),
  range(FIRST, "0x20000000000000000"),
  range(FIRST, FIRST),
  range(LAST, FIRST),
  `${range(FIRST, MIDDLE)} || ${range(MIDDLE, LAST, "uid")}`,
  `${range(FIRST, MIDDLE)} || x`,
  `${range(FIRST, MIDDLE)} && ${range(MIDDLE, LAST)}`,
];

/** Selectors that are right. */
const RIGHT: readonly string[] = [
  range(HASH, NEXT),
  range(FIRST, HASH),
  range(NEXT, LAST),
  `${range(FIRST, HASH)}||(${range(HASH, NEXT)} || ${range(NEXT, LAST)})`,
  ` shardRange( object . metadata.namespace,\t"${FIRST}",r'${MIDDLE}')\n`,
  `x.shardRange(object.metadata.namespace, '${FIRST}', '${MIDDLE}')`,
  range(FIRST, LAST, "uid"),
];

/** Lists, watches and deletions of the objects whose hash is in a range (KEP-5866). */
export const shards: StepScenario = {
  name: "shards",
  setting: { featureGates: { ShardedListAndWatch: { since: "1.36" } } },
  steps: [
    namespaced(HIGH),
    namespaced(LOW),
    ...[HIGH, LOW].flatMap((namespace) =>
      ["a", "b"].map((name) =>
        post(core(namespace, "configmaps"), labelled(name), { unseen: true })
      )
    ),
    ...SELECTORS.map((selector) => get(`${MAPS}&${query(selector)}`)),
    ...RIGHT.map((selector) => get(`${MAPS}&${query(selector)}`)),
    get(`${MAPS}&${UPPER}&${LOWER}`),
    get(`${MAPS}&${UPPER}&resourceVersion=0`),
    get(`${MAPS}&${UPPER}&fieldSelector=metadata.name%3Db`),
    get(`/api/v1/configmaps?${LOWER}&fieldSelector=metadata.namespace%3D${LOW}`),
    get(`${core(LOW, "configmaps")}?${UPPER}`),
    get(`${core(LOW, "configmaps")}?${LOWER}&fieldSelector=metadata.name%3Db`),
    get(`${core(LOW, "configmaps")}/a?shardSelector=x`),
    get(`/api/v1/namespaces?${UPPER}&labelSelector=none`),
    get(`/api/v1/namespaces?${LOWER}&fieldSelector=metadata.name%3D${HIGH}`),
    get(`/api/v1/namespaces?${UPPER}&fieldSelector=metadata.name%3D${HIGH}`),
    get("/api/v1/componentstatuses?shardSelector=x&labelSelector=none"),
    // Which mistake is reported first.
    get("/api/v1/configmaps?shardSelector=x&labelSelector=%2C"),
    get("/api/v1/configmaps?shardSelector=x&fieldSelector=a%3Db"),
    get("/api/v1/configmaps?shardSelector=x&limit=a"),
    get("/api/v1/configmaps?shardSelector=x&continue=a"),
    get("/api/v1/configmaps?shardSelector=x&resourceVersion=a"),
    get("/api/v1/configmaps?shardSelector=x&resourceVersionMatch=Exact"),
    get("/api/v1/configmaps?shardSelector=x", { as: "nobody" }),
    get("/api/v1/configmaps?watch=1&shardSelector=x", { headers: { accept: "application/yaml" } }),
    // Pages.
    get(`${MAPS}&${UPPER}&limit=1`, { save: "page" }),
    get(`${MAPS}&${UPPER}&limit=1&continue={{page.metadata.continue}}`),
    get(`${MAPS}&${LOWER}&limit=1&continue={{page.metadata.continue}}`, { save: "last" }),
    get(`${MAPS}&limit=1&continue={{last.metadata.continue}}`),
    get(`${core(HIGH, "configmaps")}?${UPPER}&limit=1`),
    get(`${core(HIGH, "configmaps")}?${ALL}&limit=1`),
    get(`${core(LOW, "configmaps")}?${UPPER}&limit=1`),
    // Views.
    ...[
      "application/yaml",
      "application/json;as=Table;v=v1;g=meta.k8s.io",
      "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
      "application/vnd.kubernetes.protobuf",
    ].map((accept) => get(`${MAPS}&${UPPER}`, { headers: { accept } })),
    get(
      `${MAPS}&${UPPER}&watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1`,
      { headers: { accept: "application/vnd.kubernetes.protobuf" } },
    ),
    // Watches.
    watch("upper", `${MAPS}&watch=1&${UPPER}&resourceVersion={{page.metadata.resourceVersion}}`),
    watch("lower", `${MAPS}&watch=1&${LOWER}&resourceVersion={{page.metadata.resourceVersion}}`),
    watch("legacy", `/api/v1/watch/namespaces/${HIGH}/configmaps/a?${LOWER}`),
    watch("all", `${MAPS}&watch=1&${ALL}&resourceVersion={{page.metadata.resourceVersion}}`),
    watch(
      "initial",
      `${MAPS}&watch=1&${UPPER}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    ),
    watch("table", `${MAPS}&watch=1&${UPPER}`, viewed("Table")),
    ...[HIGH, LOW].flatMap((namespace): Step[] => {
      const maps = core(namespace, "configmaps");
      return [
        post(maps, labelled("c"), { unseen: true }),
        merge(`${maps}/c`, { data: { k: "w" } }, { unseen: true }),
        merge(`${maps}/c`, { metadata: { labels: { suite: "other" } } }, { unseen: true }),
        merge(`${maps}/c`, { metadata: { labels: { suite: "shards" } } }, { unseen: true }),
        del(`${maps}/c`, undefined, { unseen: true }),
      ];
    }),
    close("upper", 5),
    close("lower", 5),
    close("legacy", 0),
    close("all", 10),
    close("initial", 8),
    close("table", 7),
    ...["", "x", range(FIRST, FIRST)].map((selector) =>
      get(`/api/v1/configmaps?watch=1&${query(selector)}&resourceVersion=abc`)
    ),
    // Deletions.
    del(`${core(HIGH, "configmaps")}?shardSelector=x`, "{"),
    del(`${core(HIGH, "configmaps")}?shardSelector=x`),
    del(`${core(HIGH, "configmaps")}?${LOWER}`),
    del(`${core(HIGH, "configmaps")}?${UPPER}&dryRun=All`),
    del(`${core(HIGH, "configmaps")}?${UPPER}&limit=1`),
    get(`${core(HIGH, "configmaps")}`),
    // Custom resources.
    post(
      DEFINITIONS,
      definition("shardeditems", "ShardedItem", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: "object" } },
        }],
      }),
      { unseen: true },
    ),
    get(ITEMS, { whileStatus: [404], until: "ShardedItemList", unseen: true }),
    ...[HIGH, LOW].map((namespace) =>
      apply(
        `${grouped("suite.example.com/v1", namespace, "shardeditems")}/a`,
        "m",
        { apiVersion: "suite.example.com/v1", kind: "ShardedItem", metadata: { name: "a" } },
        { unseen: true },
      )
    ),
    get(`${ITEMS}?${UPPER}`),
    get(`${ITEMS}?${UPPER}&limit=1`),
    get(`${ITEMS}?${ALL}&limit=1`),
    get(`${ITEMS}?shardSelector=x`),
    get(`${ITEMS}?watch=1&shardSelector=x&timeoutSeconds=1`),
    get(`${ITEMS}?${LOWER}`, viewed("Table")),
    del(`${grouped("suite.example.com/v1", LOW, "shardeditems")}?${UPPER}`),
    get(
      `${DEFINITIONS}?${UPPER}&fieldSelector=metadata.name%3Dshardeditems.suite.example.com`,
      viewed("PartialObjectMetadataList"),
    ),
    get(`${DEFINITIONS}?${LOWER}&fieldSelector=metadata.name%3Dshardeditems.suite.example.com`),
    // Events, which have no watch cache.
    ...["e1", "e2"].map((name) =>
      post(core(HIGH, "events"), {
        metadata: { name },
        involvedObject: { kind: "ConfigMap", namespace: HIGH, name: "a" },
        reason: "Suite",
      }, { unseen: true })
    ),
    get(`${EVENTS}&${UPPER}`),
    get(`${EVENTS}&${LOWER}`),
    get(`${EVENTS}&${UPPER}&limit=1`),
    watch("events", `${EVENTS}&watch=1&${UPPER}`),
    watch("no-events", `/api/v1/events?watch=1&${LOWER}&timeoutSeconds=3`),
    watch("no-suite-events", `${EVENTS}&watch=1&${LOWER}&timeoutSeconds=3`),
    del(`${core(HIGH, "events")}?${LOWER}`),
    del(`${core(HIGH, "events")}?${UPPER}`),
    close("events", 4),
    close("no-events"),
    close("no-suite-events"),
  ],
};
