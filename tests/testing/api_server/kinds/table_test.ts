import { assertEquals } from "@std/assert";
import fc from "fast-check";
import {
  toPartialObjectMetadata,
  toTable,
} from "../../../../src/testing/api_server/kinds/table.ts";
import type { KindInfo } from "../../../../src/testing/api_server/schema/kind.ts";
import { humanDuration } from "../../../../src/testing/values/human_duration.ts";
import { CONFIG_MAP, CRD, crdWithSpec, customKind, kindOf, type Loose, POD } from "../support.ts";
import { Cluster } from "../cluster.ts";
import { assertProperty } from "../../../support/seeded_runs.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NOW_MS = Date.parse("2026-01-01T00:00:00Z");

function cells(kind: KindInfo, object: Loose): Loose[] {
  const table = toTable(kind, [object], { nowMs: NOW_MS, includeObject: "None", listMeta: {} });
  return (table["rows"] as Loose)[0].cells;
}

/**
 * The columns of the real server. `/` precedes a format, `:` a type other than text; `*` marks columns of wide output.
 */
const COLUMNS = `
v1/configmaps: Name/name Data Age
v1/endpoints: Name/name Endpoints Age
v1/events events.k8s.io/v1/events: Last_Seen Type Reason Object Subobject* Source* Message First_Seen* Count* Name/name*
v1/limitranges rbac.authorization.k8s.io/v1/roles rbac.authorization.k8s.io/v1/clusterroles storage.k8s.io/v1/csistoragecapacities: Name/name Created_At:date
apiextensions.k8s.io/v1/customresourcedefinitions: Name/name Scope Versions Created_At:date Group* Kind* ShortNames* Established:boolean*
v1/namespaces: Name/name Status Age
v1/nodes: Name/name Status Roles Age Version Internal-IP* External-IP* OS-Image* Kernel-Version* Container-Runtime*
v1/persistentvolumeclaims: Name/name Status Volume Capacity Access_Modes StorageClass VolumeAttributesClass Age VolumeMode*
v1/persistentvolumes: Name/name Capacity Access_Modes Reclaim_Policy Status Claim StorageClass VolumeAttributesClass Reason Age VolumeMode*
v1/pods: Name/name Ready Status Restarts Age IP* Node* Nominated_Node* Readiness_Gates*
v1/podtemplates: Name/name Containers Images Pod_Labels
v1/replicationcontrollers apps/v1/replicasets: Name/name Desired:integer Current:integer Ready:integer Age Containers* Images* Selector*
v1/resourcequotas: Name/name Request Limit Age
v1/secrets: Name/name Type Data Age
v1/serviceaccounts resource.k8s.io/v1/resourceclaimtemplates resource.k8s.io/v1/deviceclasses: Name/name Age
v1/services: Name/name Type Cluster-IP External-IP Port(s) Age Selector*
v1/componentstatuses: Name/name Status Message Error
apps/v1/controllerrevisions: Name/name Controller Revision Age
apps/v1/daemonsets: Name/name Desired:integer Current:integer Ready:integer Up-to-date:integer Available:integer Node_Selector Age Containers* Images* Selector*
apps/v1/deployments: Name/name Ready Up-to-date Available Age Containers* Images* Selector*
apps/v1/statefulsets: Name/name Ready Age Containers* Images*
batch/v1/jobs: Name/name Status Completions Duration Age Containers* Images* Selector*
batch/v1/cronjobs: Name/name Schedule Timezone Suspend:boolean Active:integer Last_Schedule Age Containers* Images* Selector*
autoscaling/v2/horizontalpodautoscalers autoscaling/v1/horizontalpodautoscalers: Name/name Reference Targets MinPods MaxPods Replicas Age
networking.k8s.io/v1/ingresses: Name/name Class Hosts Address Ports Age
networking.k8s.io/v1/ingressclasses: Name/name Controller Parameters Age
networking.k8s.io/v1/networkpolicies: Name/name Pod-Selector Age
networking.k8s.io/v1/ipaddresses: Name/name ParentRef
networking.k8s.io/v1/servicecidrs: Name/name CIDRs Age
policy/v1/poddisruptionbudgets: Name/name Min_Available Max_Unavailable Allowed_Disruptions:integer Age
rbac.authorization.k8s.io/v1/rolebindings rbac.authorization.k8s.io/v1/clusterrolebindings: Name/name Role Age Users* Groups* ServiceAccounts*
storage.k8s.io/v1/storageclasses: Name/name Provisioner ReclaimPolicy VolumeBindingMode AllowVolumeExpansion Age
storage.k8s.io/v1/csidrivers: Name/name AttachRequired:boolean PodInfoOnMount:boolean StorageCapacity:boolean TokenRequests RequiresRepublish:boolean Modes Age
storage.k8s.io/v1/csinodes: Name/name Drivers:integer Age
storage.k8s.io/v1/volumeattachments: Name/name Attacher/name PV Node Attached:boolean Age
storage.k8s.io/v1/volumeattributesclasses: Name/name DriverName Age
admissionregistration.k8s.io/v1/mutatingwebhookconfigurations admissionregistration.k8s.io/v1/validatingwebhookconfigurations: Name/name Webhooks:integer Age
admissionregistration.k8s.io/v1/validatingadmissionpolicies: Name/name Validations:integer ParamKind Age
admissionregistration.k8s.io/v1/validatingadmissionpolicybindings: Name/name PolicyName ParamRef Age
apiregistration.k8s.io/v1/apiservices: Name/name Service Available Age
certificates.k8s.io/v1/certificatesigningrequests: Name/name Age SignerName Requestor RequestedDuration Condition
coordination.k8s.io/v1/leases: Name/name Holder Age
discovery.k8s.io/v1/endpointslices: Name/name AddressType Ports Endpoints Age
flowcontrol.apiserver.k8s.io/v1/flowschemas: Name/name PriorityLevel MatchingPrecedence DistinguisherMethod Age MissingPL
flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations: Name/name Type NominalConcurrencyShares Queues HandSize QueueLengthLimit Age
node.k8s.io/v1/runtimeclasses: Name/name Handler Age
scheduling.k8s.io/v1/priorityclasses: Name/name Value:integer Global-Default:boolean Age PreemptionPolicy
resource.k8s.io/v1/resourceclaims: Name/name State Age
resource.k8s.io/v1/resourceslices: Name/name Node Driver Pool Age
`;

Deno.test("the Tables of all kinds have the columns of the real server", async () => {
  await using cluster = new Cluster();
  const accept = "application/json;as=Table;g=meta.k8s.io;v=v1";
  const shown = ({ name, type, format, priority }: Loose) =>
    name.replaceAll(" ", "_") + (type === "string" ? "" : `:${type}`) +
    (format === "" ? "" : `/${format}`) + (priority === 0 ? "" : "*");
  for (const line of COLUMNS.trim().split("\n")) {
    const [paths = "", columns] = line.split(": ");
    for (const path of paths.split(" ")) {
      const root = path.startsWith("v1/") ? "/api" : "/apis";
      const { json } = await cluster.call("GET", `${root}/${path}?limit=1`, undefined, { accept });
      assertEquals(json.columnDefinitions.map(shown).join(" "), columns, path);
    }
  }
});

Deno.test("toTable() orders FlowSchemas by their precedence, then by name", () => {
  const schema = (name: string, matchingPrecedence: number) => ({
    metadata: { name },
    spec: { matchingPrecedence },
  });
  const kind = kindOf("flowcontrol.apiserver.k8s.io", "FlowSchema", "flowschemas", false);
  const objects = [schema("a", 9), schema("c", 10), schema("b", 9), schema("z", 1)];
  const { rows } = toTable(kind, objects as never, {
    nowMs: NOW_MS,
    includeObject: "None",
    listMeta: {},
  });
  assertEquals((rows as Loose).map(({ cells }: Loose) => cells[0]), ["z", "a", "b", "c"]);
});

Deno.test("toTable() omits the columns if asked to, and includes objects according to includeObject", () => {
  const object: Loose = { kind: "ConfigMap", apiVersion: "v1", metadata: { name: "a" }, data: {} };
  const table = (includeObject: "None" | "Metadata" | "Object") =>
    toTable(CONFIG_MAP, [object], {
      nowMs: NOW_MS,
      includeObject,
      listMeta: { resourceVersion: "5" },
      omitColumns: true,
    }) as Loose;
  assertEquals(table("None").columnDefinitions, null);
  assertEquals(table("None").metadata, { resourceVersion: "5" });
  assertEquals(table("None").rows[0].object, null);
  assertEquals(table("Object").rows[0].object, object);
  assertEquals(table("Metadata").rows[0].object, toPartialObjectMetadata(CONFIG_MAP, object));
  assertEquals(toPartialObjectMetadata(CONFIG_MAP, object), {
    kind: "PartialObjectMetadata",
    apiVersion: "meta.k8s.io/v1",
    metadata: { name: "a" },
  });
});

Deno.test("toTable() prints the blank object of a bookmark", () => {
  const none = "<none>";
  assertEquals(cells(POD, { metadata: {} }), [
    "",
    "0/0",
    "",
    "0",
    "<unknown>",
    none,
    none,
    none,
    none,
  ]);
  assertEquals(cells(CONFIG_MAP, { metadata: {} }), ["", 0, "<unknown>"]);
});

function podCells(spec: Loose, status: Loose, metadata: Loose = {}): string {
  return cells(POD, { metadata: { name: "p", ...metadata }, spec, status }).slice(1, 4).join(" ");
}

const two = { containers: [{ name: "a" }, { name: "b" }] };
const up = { ready: true, restartCount: 0, state: { running: {} } };

Deno.test("toTable() prints the status of a Pod", () => {
  assertEquals(podCells(two, { phase: "Pending" }), "0/2 Pending 0");
  const running = { phase: "Running", containerStatuses: [up, { ...up, ready: false }] };
  assertEquals(podCells(two, running), "1/2 Running 0");
  const waiting = {
    ...up,
    ready: false,
    restartCount: 3,
    state: { waiting: { reason: "CrashLoopBackOff" } },
  };
  const crashed = { terminated: { finishedAt: "2025-12-31T23:58:30Z" } };
  assertEquals(
    podCells(two, {
      phase: "Running",
      containerStatuses: [up, { ...waiting, lastState: crashed }],
    }),
    "1/2 CrashLoopBackOff 3 (90s ago)",
  );
  const done = { state: { terminated: { exitCode: 0, reason: "Completed" } } };
  assertEquals(
    podCells(two, { phase: "Succeeded", containerStatuses: [done, done] }),
    "0/2 Completed 0",
  );
  const failed = { state: { terminated: { exitCode: 2 } } };
  assertEquals(
    podCells(two, { phase: "Failed", containerStatuses: [done, failed] }),
    "0/2 ExitCode:2 0",
  );
  assertEquals(
    podCells(two, running, { deletionTimestamp: "2026-01-01T00:00:00Z" }),
    "1/2 Terminating 0",
  );
  assertEquals(
    podCells(two, { phase: "Running", reason: "NodeLost" }, { deletionTimestamp: "x" }),
    "0/2 Unknown 0",
  );
});

Deno.test("toTable() prints the progress of the init containers of a Pod", () => {
  const spec = { ...two, initContainers: [{ name: "i" }, { name: "s", restartPolicy: "Always" }] };
  const at = (...initContainerStatuses: Loose[]) =>
    podCells(spec, { phase: "Pending", initContainerStatuses });
  assertEquals(
    at({ name: "i", state: { waiting: { reason: "PodInitializing" } } }),
    "0/3 Init:0/2 0",
  );
  assertEquals(
    at({ name: "i", state: { waiting: { reason: "ImagePullBackOff" } } }),
    "0/3 Init:ImagePullBackOff 0",
  );
  assertEquals(
    at({ name: "i", state: { terminated: { signal: 9, exitCode: 137 } } }),
    "0/3 Init:Signal:9 0",
  );
  const first = { name: "i", state: { terminated: { exitCode: 0 } } };
  const sidecar = { name: "s", ready: true, started: true, state: { running: {} } };
  assertEquals(at(first, sidecar), "1/3 Pending 0");
});

Deno.test("toTable() marks finished pods", () => {
  const rows = (phase: string) => {
    const pod: Loose = { metadata: { name: "p" }, status: { phase } };
    const options = { nowMs: 0, includeObject: "None", listMeta: {} } as const;
    return (toTable(POD, [pod], options)["rows"] as Loose)[0].conditions?.[0];
  };
  assertEquals(rows("Running"), undefined);
  assertEquals(rows("Failed").message, "The pod failed.");
  assertEquals([rows("Succeeded").type, rows("Succeeded").reason], ["Completed", "Succeeded"]);
});

Deno.test("toTable() prints the other kinds", () => {
  const metadata = { name: "x", creationTimestamp: "2025-12-31T23:55:00Z" };
  const none = "<none>";
  assertEquals(
    cells(kindOf("", "Secret", "secrets"), { metadata, type: "Opaque", data: { a: "" } }),
    [
      "x",
      "Opaque",
      1,
      "5m",
    ],
  );
  const spec = {
    type: "ClusterIP",
    clusterIPs: ["10.0.0.1"],
    ports: [{ port: 80, protocol: "TCP" }],
  };
  assertEquals(cells(kindOf("", "Service", "services"), { metadata, spec }), [
    "x",
    "ClusterIP",
    "10.0.0.1",
    none,
    "80/TCP",
    "5m",
    none,
  ]);
  const template = { spec: { containers: [{ name: "c", image: "i" }, { name: "d", image: "j" }] } };
  const deployment = {
    metadata,
    spec: { replicas: 3, template, selector: { matchLabels: { b: "1", a: "2" } } },
    status: { readyReplicas: 2, updatedReplicas: 1 },
  };
  assertEquals(cells(kindOf("apps", "Deployment", "deployments"), deployment), [
    "x",
    "2/3",
    1,
    0,
    "5m",
    "c,d",
    "i,j",
    "a=2,b=1",
  ]);
  assertEquals(cells(CRD, { metadata }), ["x", "", "", "2025-12-31T23:55:00Z", "", "", "", false]);
  const event = {
    apiVersion: "events.k8s.io/v1",
    metadata: { name: "e" },
    eventTime: "2025-12-31T23:59:50.000000Z",
    regarding: { kind: "Pod", name: "p" },
    note: " hello ",
    reportingController: "ctl",
    reportingInstance: "me",
  };
  assertEquals(cells(kindOf("events.k8s.io", "Event", "events"), event), [
    "10s",
    "",
    "",
    "pod/p",
    "",
    "ctl, me",
    "hello",
    "10s",
    1,
    "e",
  ]);
});

Deno.test("toTable() prints the other kinds as kubectl shows them", () => {
  const none = "<none>";
  const True = (type: string) => ({ type, status: "True" });
  const template = { spec: { containers: [{ name: "c", image: "i" }] } };
  const selector = { matchLabels: { a: "1" } };
  const start = "2025-12-31T23:50:00Z";
  const job = (spec: Loose, status: Loose, metadata: Loose = {}): Loose => [
    "batch Job jobs",
    { metadata, spec: { template, selector, ...spec }, status },
  ];
  const service = (spec: Loose, status: Loose = {}): Loose => [
    "- Service services",
    { spec: { type: "ClusterIP", clusterIPs: ["10.0.0.1"], ...spec }, status },
  ];
  const balanced = { loadBalancer: { ingress: [{ ip: "2.2.2.2" }, { hostname: "a.b" }, {}] } };
  const slice = (fields: Loose): Loose => ["discovery.k8s.io EndpointSlice endpointslices", fields];
  const ingress = (spec: Loose, status: Loose = {}): Loose => [
    "networking.k8s.io Ingress ingresses",
    { spec, status },
  ];
  const hosts = (...names: string[]) => ({ rules: names.map((host) => ({ host })) });
  const claim = (spec: Loose, status: Loose): Loose => [
    "- PersistentVolumeClaim persistentvolumeclaims",
    { spec, status },
  ];
  const driver = (spec: Loose): Loose => ["storage.k8s.io CSIDriver csidrivers", { spec }];
  const api = (spec: Loose, ...conditions: Loose[]): Loose => [
    "apiregistration.k8s.io APIService apiservices",
    { spec, status: { conditions } },
  ];
  const request = (spec: Loose, status: Loose = {}): Loose => [
    "certificates.k8s.io CertificateSigningRequest certificatesigningrequests",
    { spec, status },
  ];
  const inner = { schedule: "* * * * *", jobTemplate: { spec: { template } } };
  const cases: readonly (readonly [Loose, string])[] = [
    [job({ completions: 3 }, { succeeded: 1, startTime: start }), "Running|1/3|10m|?|c|i|a=1"],
    [job({ parallelism: 2 }, {}), "Running|0/1 of 2||?|c|i|a=1"],
    [job({ parallelism: 1 }, { conditions: [True("Suspended")] }), "Suspended|0/1||?|c|i|a=1"],
    [
      job({}, { startTime: start, completionTime: "2025-12-31T23:50:07Z", succeeded: 1 }),
      "Running|1/1|7s|?|c|i|a=1",
    ],
    [job({}, { conditions: [True("Complete")] }), "Complete|0/1||?|c|i|a=1"],
    [job({}, { conditions: [True("FailureTarget"), True("Failed")] }), "Failed|0/1||?|c|i|a=1"],
    [job({}, {}, { deletionTimestamp: start }), "Terminating|0/1||?|c|i|a=1"],
    [
      ["batch CronJob cronjobs", { spec: inner }],
      `* * * * *|${none}|<unset>|0|${none}|?|c|i|${none}`,
    ],
    [
      ["batch CronJob cronjobs", {
        spec: { ...inner, timeZone: "Etc/UTC", suspend: true },
        status: { active: [{}, {}], lastScheduleTime: start },
      }],
      `* * * * *|Etc/UTC|True|2|10m|?|c|i|${none}`,
    ],
    [service({}), `ClusterIP|10.0.0.1|${none}|${none}|?|${none}`],
    [
      service({
        type: "NodePort",
        externalIPs: ["1.1.1.1"],
        selector: { b: "2" },
        ports: [{ port: 80, nodePort: 30_000, protocol: "TCP" }, { port: 53, protocol: "UDP" }],
      }),
      "NodePort|10.0.0.1|1.1.1.1|80:30000/TCP,53/UDP|?|b=2",
    ],
    [service({ type: "LoadBalancer" }), `LoadBalancer|10.0.0.1|<pending>|${none}|?|${none}`],
    [
      service({ type: "LoadBalancer", externalIPs: ["1.1.1.1"] }, balanced),
      `LoadBalancer|10.0.0.1|2.2.2.2,a.b,1.1.1.1|${none}|?|${none}`,
    ],
    [
      service({ type: "ExternalName", externalName: "a.b", clusterIPs: undefined }),
      `ExternalName|${none}|a.b|${none}|?|${none}`,
    ],
    [slice({ addressType: "IPv4" }), "IPv4|<unset>|<unset>|?"],
    [
      slice({
        addressType: "IPv4",
        ports: [{ port: 80 }, { name: "web" }, {}],
        endpoints: [{ addresses: ["1.1.1.1", "1.1.1.2"] }, { addresses: ["1.1.1.3", "1.1.1.4"] }],
      }),
      "IPv4|80,web,*|1.1.1.1,1.1.1.2,1.1.1.3 + 1 more...|?",
    ],
    [ingress({}), `${none}|*||80|?`],
    [
      ingress({ ingressClassName: "n", tls: [{}], ...hosts("a", "", "b", "c") }, balanced),
      "n|a,b,c|2.2.2.2,a.b|80, 443|?",
    ],
    [ingress(hosts("a", "b", "c", "d")), `${none}|a,b,c + 1 more...||80|?`],
    [
      claim({}, { phase: "Pending", capacity: { storage: "1Gi" } }),
      "Pending|||||<unset>|?|<unset>",
    ],
    [
      claim({ volumeName: "v", storageClassName: "s", volumeMode: "Block" }, {
        phase: "Bound",
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce", "ReadWriteMany"],
      }),
      "Bound|v|1Gi|RWO,RWX|s|<unset>|?|Block",
    ],
    [
      ["- PersistentVolume persistentvolumes", {
        spec: {
          capacity: { storage: "2Gi" },
          accessModes: ["ReadOnlyMany", "ReadWriteOncePod"],
          persistentVolumeReclaimPolicy: "Retain",
          claimRef: { namespace: "n", name: "c" },
          storageClassName: "s",
          volumeMode: "Filesystem",
        },
        status: { phase: "Bound" },
      }],
      "2Gi|ROX,RWOP|Retain|Bound|n/c|s|<unset>||?|Filesystem",
    ],
    [driver({}), `true|false|false|<unset>|false|${none}|?`],
    [
      driver({
        attachRequired: false,
        podInfoOnMount: true,
        storageCapacity: true,
        requiresRepublish: true,
        tokenRequests: [{ audience: "a" }, { audience: "b" }],
        volumeLifecycleModes: ["Persistent", "Ephemeral"],
      }),
      "false|true|true|a,b|true|Persistent,Ephemeral|?",
    ],
    [api({}), "Local|Unknown|?"],
    [api({ service: { namespace: "n", name: "s" } }, True("Available")), "n/s|True|?"],
    [
      api({}, { type: "Available", status: "False", reason: "Missing" }),
      "Local|False (Missing)|?",
    ],
    [request({}), `?|${none}||${none}|Pending`],
    [
      request({ signerName: "a/b", username: "u", expirationSeconds: 3600 }, {
        conditions: [True("Approved"), True("Failed")],
        certificate: "x",
      }),
      "?|a/b|u|60m|Approved,Failed,Issued",
    ],
    [request({}, { conditions: [True("Approved"), True("Denied")] }), `?|${none}||${none}|Denied`],
  ];
  for (const [[names, object], expected] of cases) {
    const [group, kind, plural] = names.split(" ");
    const full = { ...object, metadata: { name: "x", ...object.metadata } };
    const [, ...shown] = cells(kindOf(group === "-" ? "" : group, kind, plural), full);
    assertEquals(
      shown.map((cell: Loose) => cell === "<unknown>" ? "?" : String(cell)).join("|"),
      expected,
      kind,
    );
  }
});

Deno.test("toTable() reads the columns of a CRD by type", () => {
  const columns = [
    { name: "S", type: "string", jsonPath: ".spec.v" },
    { name: "I", type: "integer", jsonPath: ".spec.v" },
    { name: "B", type: "boolean", jsonPath: ".spec.v" },
    { name: "D", type: "date", jsonPath: ".spec.v" },
  ];
  const open = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  const kind = customKind(crdWithSpec(open, { additionalPrinterColumns: columns }));
  const row = (v: Loose) => cells(kind, { metadata: { name: "t" }, spec: { v } }).slice(1);
  assertEquals(row(5), ["5", 5, null, null]);
  assertEquals(row(1.5), ["1.5", 1, null, null]);
  assertEquals(row("x"), ["x", null, null, "<invalid>"]);
  assertEquals(row(true), ["true", null, true, null]);
  assertEquals(row({ b: "<", a: [1] }), ['{"a":[1],"b":"\\u003c"}', null, null, null]);
  assertEquals(row("2025-12-31T21:00:00Z"), ["2025-12-31T21:00:00Z", null, null, "3h"]);
  assertEquals(row(undefined), [null, null, null, null]);
});

Deno.test("humanDuration() prints at most two units", () => {
  for (
    const [milliseconds, text] of [
      [-5 * SECOND, "<invalid>"],
      [-1 * SECOND, "0s"],
      [0, "0s"],
      [119 * SECOND, "119s"],
      [2 * MINUTE, "2m"],
      [9 * MINUTE + 59 * SECOND, "9m59s"],
      [10 * MINUTE + 5 * SECOND, "10m"],
      [179 * MINUTE, "179m"],
      [3 * HOUR, "3h"],
      [7 * HOUR + 30 * MINUTE, "7h30m"],
      [47 * HOUR, "47h"],
      [2 * DAY, "2d"],
      [7 * DAY + 5 * HOUR, "7d5h"],
      [8 * DAY + 5 * HOUR, "8d"],
      [729 * DAY, "729d"],
      [731 * DAY, "2y1d"],
      [9 * 365 * DAY, "9y"],
    ] as const
  ) assertEquals(humanDuration(milliseconds), text);
  assertProperty(fc.property(fc.integer({ min: 0, max: 1e12 }), (milliseconds) => {
    const units = [...humanDuration(milliseconds).matchAll(/(\d+)([smhdy])/g)];
    const size = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, y: 365 * DAY };
    const shown = units.reduce((sum, [, n, u]) => sum + Number(n) * size[u as "s"], 0);
    assertEquals(shown <= milliseconds && shown >= milliseconds * 0.66 - SECOND, true);
  }));
});
