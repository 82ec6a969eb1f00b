import { assertEquals } from "@std/assert";
import type { Cached, Node, Pod } from "../../../../mod.ts";
import type {
  ControllerRevision,
  DaemonSet,
  StatefulSet,
} from "../../../../src/testing/actors/workloads/apps_kinds.ts";
import {
  daemonPod,
  nodeOf,
  placement,
  podsByNode,
} from "../../../../src/testing/actors/workloads/daemon_pods.ts";
import {
  claimOwners,
  claimsOf,
  ordinalOf,
  statefulPod,
} from "../../../../src/testing/actors/workloads/stateful_pods.ts";

function statefulSet(spec: object = {}): Cached<StatefulSet> {
  return {
    metadata: { name: "db", namespace: "default", uid: "s" },
    spec: { selector: { matchLabels: { app: "db" } }, ...spec },
  } as unknown as Cached<StatefulSet>;
}

const DB_0 = { metadata: { name: "db-0", uid: "p" } } as unknown as Cached<Pod>;

Deno.test("ordinalOf() reads the ordinal of a Pod of the set only", () => {
  const names = [
    "db-0",
    "db-12",
    "db-",
    "db-x",
    "db-1x",
    "db--1",
    "eb-1",
    "db-1.5",
    "d-1",
    "db0-1",
  ];
  assertEquals(
    names.map((name) => ordinalOf({ metadata: { name } } as Cached<Pod>, statefulSet())),
    [0, 12, -1, -1, -1, -1, -1, -1, -1, -1],
  );
});

Deno.test("statefulPod() has a name, labels and the claims of its ordinal, which replace its volumes", () => {
  const template = {
    $patch: "replace",
    metadata: { labels: { app: "db" } },
    spec: {
      containers: [{ name: "c", image: "i" }],
      volumes: [{ name: "data", emptyDir: {} }, { name: "tmp", emptyDir: {} }],
    },
  };
  const revision = {
    metadata: { name: "db-abc" },
    data: { spec: { template } },
  } as unknown as Cached<ControllerRevision>;
  const claim = {
    metadata: { name: "data", labels: { own: "1" } },
    spec: { accessModes: [] },
    status: {},
  };
  const set = statefulSet({ serviceName: "dbs", volumeClaimTemplates: [claim] });
  const pod = statefulPod(set, 3, revision);
  const { generateName, labels, name } = pod.metadata;
  assertEquals([name, generateName, labels], ["db-3", undefined, {
    app: "db",
    "statefulset.kubernetes.io/pod-name": "db-3",
    "apps.kubernetes.io/pod-index": "3",
    "controller-revision-hash": "db-abc",
  }]);
  assertEquals(pod.spec as object, {
    containers: [{ name: "c", image: "i" }],
    hostname: "db-3",
    subdomain: "dbs",
    volumes: [
      { name: "data", persistentVolumeClaim: { claimName: "data-db-3" } },
      { name: "tmp", emptyDir: {} },
    ],
  });
  assertEquals(claimsOf(set, 3) as object[], [{
    template: "data",
    claim: {
      metadata: { name: "data-db-3", namespace: "default", labels: { own: "1", app: "db" } },
      spec: { accessModes: [] },
    },
  }]);
  const bare = { ...template, spec: { containers: [] } };
  const without = { metadata: { name: "r" }, data: { spec: { template: bare } } };
  const plain = statefulPod(statefulSet(), 0, without as unknown as Cached<ControllerRevision>);
  assertEquals(plain.spec as object, { containers: [], hostname: "db-0" });
});

Deno.test("claimOwners() follows the retention policy", () => {
  const owner = (whenDeleted: string, whenScaled: string, isCondemned: boolean) => {
    const set = statefulSet({
      persistentVolumeClaimRetentionPolicy: { whenDeleted, whenScaled },
    });
    return claimOwners(set, DB_0, { isCondemned }).map(({ kind, name }) => `${kind} ${name}`)
      .join();
  };
  assertEquals(owner("Retain", "Retain", true), "");
  assertEquals(owner("Delete", "Retain", true), "StatefulSet db");
  assertEquals(owner("Retain", "Delete", true), "Pod db-0");
  assertEquals(owner("Retain", "Delete", false), "");
  assertEquals(owner("Delete", "Delete", true), "Pod db-0");
  assertEquals(owner("Delete", "Delete", false), "StatefulSet db");
  assertEquals(claimOwners(statefulSet(), DB_0, { isCondemned: true }), []);
});

function daemonSet(spec: object = {}, annotations?: object): Cached<DaemonSet> {
  return {
    metadata: { name: "d", namespace: "default", uid: "d", ...(annotations && { annotations }) },
    spec: { template: { metadata: { labels: { app: "d" } }, spec } },
  } as unknown as Cached<DaemonSet>;
}

function node(name: string, taints: object[] = [], labels: object = {}): Cached<Node> {
  return { metadata: { name, labels }, spec: { taints } } as unknown as Cached<Node>;
}

Deno.test("daemonPod() is for one node, and tolerates nodes in trouble", () => {
  const exists = (name: string, effect: string) => ({
    key: `node.kubernetes.io/${name}`,
    operator: "Exists",
    effect,
  });
  const trouble = [
    exists("not-ready", "NoExecute"),
    exists("unreachable", "NoExecute"),
    exists("disk-pressure", "NoSchedule"),
    exists("memory-pressure", "NoSchedule"),
    exists("pid-pressure", "NoSchedule"),
    exists("unschedulable", "NoSchedule"),
  ];
  const own = { key: "gpu", operator: "Exists", effect: "NoSchedule" };
  const other = { ...exists("not-ready", "NoSchedule"), tolerationSeconds: 3 };
  const twice = { ...exists("not-ready", "NoExecute"), tolerationSeconds: 3 };
  const of = (spec: object) =>
    (daemonPod(daemonSet(spec), "n1", "h").spec as { tolerations?: object[] }).tolerations;
  assertEquals(of({ tolerations: [own, twice, other] }), [own, other, ...trouble]);
  assertEquals(of({ hostNetwork: true }), [
    ...trouble,
    exists("network-unavailable", "NoSchedule"),
  ]);
  const podAffinity = { a: 1 };
  const preferredDuringSchedulingIgnoredDuringExecution = [1];
  const nodeAffinity = {
    preferredDuringSchedulingIgnoredDuringExecution,
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{}] },
  };
  const generation = { "deprecated.daemonset.template.generation": "4" };
  const set = daemonSet({ affinity: { podAffinity, nodeAffinity } }, generation);
  const pod = daemonPod(set, "n1", "h");
  assertEquals(pod.metadata.labels, {
    app: "d",
    "pod-template-generation": "4",
    "controller-revision-hash": "h",
  });
  const matchFields = [{ key: "metadata.name", operator: "In", values: ["n1"] }];
  assertEquals((pod.spec as { affinity?: object }).affinity, {
    podAffinity,
    nodeAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution,
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] },
    },
  });
  assertEquals(nodeOf(pod as Cached<Pod>), "n1");
  assertEquals(nodeOf({ spec: { ...pod.spec, nodeName: "n2" } } as unknown as Cached<Pod>), "n2");
  assertEquals(nodeOf({ spec: {} } as Cached<Pod>), undefined);
  assertEquals(daemonPod(daemonSet(), "n1", "h").metadata.labels, {
    app: "d",
    "controller-revision-hash": "h",
  });
});

Deno.test("placement() asks the name, the labels and the taints of a node", () => {
  const taint = (effect: string) => [{ key: "gpu", effect }];
  const of = (spec: object, one: Cached<Node>) => {
    const { starts, stays } = placement(daemonSet(spec), one);
    return `${starts ? "starts" : ""} ${stays ? "stays" : ""}`.trim();
  };
  assertEquals(of({}, node("n")), "starts stays");
  assertEquals([of({ nodeName: "n" }, node("n")), of({ nodeName: "m" }, node("n"))], [
    "starts stays",
    "",
  ]);
  const selector = { nodeSelector: { disk: "ssd" } };
  assertEquals([of(selector, node("n")), of(selector, node("n", [], { disk: "ssd" }))], [
    "",
    "starts stays",
  ]);
  assertEquals(of({}, node("n", taint("PreferNoSchedule"))), "starts stays");
  assertEquals(of({}, node("n", taint("NoSchedule"))), "stays");
  assertEquals(of({}, node("n", taint("NoExecute"))), "");
  assertEquals(of({}, node("n", [...taint("NoSchedule"), ...taint("NoExecute")])), "");
  const tolerations = [{ key: "gpu", operator: "Exists" }];
  assertEquals(of({ tolerations }, node("n", taint("NoExecute"))), "starts stays");
  const unschedulable = [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }];
  assertEquals(of({}, node("n", unschedulable)), "starts stays");
});

Deno.test("podsByNode() sorts the Pods of each node by age, and terminating Pods last", () => {
  const pod = (name: string, nodeName: string | undefined, second: number, deleted = false) => ({
    metadata: {
      name,
      creationTimestamp: `2026-01-01T00:00:0${second}Z`,
      ...(deleted && { deletionTimestamp: "2026-01-01T00:00:09Z" }),
    },
    spec: { nodeName },
  } as unknown as Cached<Pod>);
  const pods = [
    pod("c", "n", 2),
    pod("gone", "n", 1, true),
    pod("b", "n", 3),
    pod("a", "n", 3),
    pod("d", "m", 1),
    pod("e", undefined, 1),
  ];
  assertEquals(
    [...podsByNode(pods)].map(([name, list]) =>
      `${name}: ${list.map(({ metadata }) => metadata.name)}`
    ),
    ["n: c,a,b,gone", "m: d"],
  );
});
