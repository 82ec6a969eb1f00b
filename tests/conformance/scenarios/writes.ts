import { get, merge, post, put, type StepScenario } from "../step.ts";
import { configMap, core, namespaced, pod } from "./_objects.ts";

const NS = "suite-writes";
const MAPS = core(NS, "configmaps");
const PODS = core(NS, "pods");

/** Creates and updates: the stored fields, the rejections and their messages. */
export const writes: StepScenario = {
  name: "writes",
  steps: [
    namespaced(NS),
    post(MAPS, configMap("a"), { save: "a" }),
    post(MAPS, configMap("a")),
    post(`${MAPS}?dryRun=All`, configMap("a")),
    post(`${MAPS}?dryRun=All`, configMap("dry")),
    get(`${MAPS}/dry`),
    post(MAPS, { metadata: { generateName: "gen-" } }),
    post(`${MAPS}?dryRun=All`, { metadata: { generateName: "gen-" } }),
    post(MAPS, { metadata: { name: "both", generateName: "gen-" } }),
    post(MAPS, { metadata: {} }),
    post(MAPS, configMap("UPPER")),
    post(MAPS, configMap("x".repeat(254))),
    post(
      MAPS,
      configMap("l", {}, {
        labels: { "bad key": "v" },
      }),
    ),
    post(MAPS, configMap("l", {}, { annotations: { "bad key": "v" } })),
    post(MAPS, configMap("l", { "..": "x" })),
    post(MAPS, { ...configMap("bin"), binaryData: { k: "AAA=", b: "AQID" } }),
    post(MAPS, { ...configMap("bin"), binaryData: { b: "not base64!" } }),
    post(MAPS, { ...configMap("bin"), binaryData: { b: "AQID" } }),
    post(
      MAPS,
      configMap("o", {}, {
        ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "x", uid: "u" }, {
          apiVersion: "v1",
          kind: "",
          name: "",
          uid: "",
        }],
      }),
    ),
    post(
      MAPS,
      configMap("o", {}, {
        ownerReferences: [
          { apiVersion: "v1", kind: "Pod", name: "x", uid: "u", controller: true },
          { apiVersion: "v1", kind: "Pod", name: "y", uid: "w", controller: true },
        ],
      }),
    ),
    post(
      MAPS,
      configMap("o", {}, {
        ownerReferences: [{
          apiVersion: "v1",
          kind: "Pod",
          name: "x",
          uid: "u",
          controller: true,
          blockOwnerDeletion: true,
        }],
      }),
    ),
    post(MAPS, configMap("f", {}, { finalizers: ["nodomain", "example.com/ok", "UPPER.com/x y"] })),
    post(MAPS, configMap("f", {}, { finalizers: ["foregroundDeletion", "orphan"] })),
    post(MAPS, configMap("n", {}, { namespace: "other" })),
    post(
      MAPS,
      configMap("n", {}, {
        uid: "given",
        creationTimestamp: "2001-01-01T00:00:00Z",
        deletionTimestamp: "2001-01-01T00:00:00Z",
        deletionGracePeriodSeconds: 5,
        generation: 7,
        selfLink: "/x",
      }),
    ),
    post(MAPS, configMap("n2", {}, { resourceVersion: "5" })),
    post(MAPS, { ...configMap("w"), kind: "Secret" }),
    post(MAPS, { ...configMap("w"), apiVersion: "v2" }),
    post(MAPS, { ...configMap("w"), apiVersion: "apps/v1" }),
    post(MAPS, { ...configMap("w"), apiVersion: "a/b/c" }),
    post(MAPS, { metadata: { name: "bare" } }),
    post(MAPS, { kind: "ConfigMap", metadata: { name: "bare2" } }),
    post(MAPS, { ...configMap("t"), data: [] }),
    post(MAPS, { ...configMap("t"), data: { a: 1 } }),
    post(MAPS, { ...configMap("t"), metadata: "x" }),
    post(MAPS, { ...configMap("t"), immutable: "yes" }),
    post(MAPS, { ...configMap("t"), metadata: { name: "t", labels: { a: true } } }),
    post(MAPS, { ...configMap("nulls"), data: { a: null, b: "x" }, immutable: null }),
    post(MAPS, "[]"),
    post(MAPS, "null"),
    post(MAPS, '"x"'),
    post(MAPS, "{"),
    post(MAPS, ""),
    post(
      MAPS,
      '{"metadata":{"name":"proto","labels":{"__proto__":"x","constructor":"y"}},"data":{"constructor":"z"}}',
    ),
    post(MAPS, '{"metadata":{"name":"dup","name":"dup2"},"data":{"a":"1","a":"2"}}'),
    post(
      `${MAPS}?fieldValidation=Strict`,
      '{"metadata":{"name":"dup","name":"dup2"},"data":{"a":"1","a":"2"},"nope":1}',
    ),
    post(`${MAPS}?fieldValidation=Warn`, {
      ...configMap("warned"),
      bogus: 1,
      metadata: { name: "warned", alsoBogus: 2 },
    }),
    post(`${MAPS}?fieldValidation=Ignore`, { ...configMap("ignored"), bogus: 1 }),
    post(`${MAPS}?fieldValidation=Strict`, {
      ...configMap("strict"),
      bogus: 1,
      metadata: { name: "strict", alsoBogus: 2 },
    }),
    post(
      MAPS,
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  a: "1"\n  b: |\n    two\n    lines\n',
      { headers: { "content-type": "application/yaml" } },
    ),
    post(MAPS, "a: [", { headers: { "content-type": "application/yaml" } }),
    post(MAPS, configMap("ct"), { headers: { "content-type": "text/plain" } }),
    post(MAPS, configMap("ct"), { headers: { "content-type": "application/merge-patch+json" } }),
    post(`${MAPS}?fieldManager=${"x".repeat(129)}`, configMap("fm")),
    post(`${MAPS}?fieldManager=me`, configMap("fm")),
    post(`${MAPS}?dryRun=Some`, configMap("dr")),
    post(core("suite-nowhere", "configmaps"), configMap("a")),
    post("/api/v1/configmaps", configMap("a")),
    post(`${MAPS}/a`, configMap("a")),
    put(MAPS, configMap("a")),
    post(core(NS, "nosuch"), configMap("a")),
    put(`${MAPS}/a`, configMap("a", { k: "2" }), { save: "a2" }),
    put(`${MAPS}/a`, configMap("a", { k: "2" })),
    put(
      `${MAPS}/a`,
      configMap("a", { k: "3" }, { resourceVersion: "{{a.metadata.resourceVersion}}" }),
    ),
    put(
      `${MAPS}/a`,
      configMap("a", { k: "3" }, { resourceVersion: "{{a2.metadata.resourceVersion}}" }),
    ),
    put(`${MAPS}/a`, configMap("a", { k: "3" }, { uid: "wrong" })),
    put(`${MAPS}/a`, configMap("b", { k: "3" })),
    put(`${MAPS}/a`, configMap("", { k: "3" })),
    put(`${MAPS}/a`, configMap("a", { k: "3" }, { namespace: "other" })),
    put(
      `${MAPS}/a`,
      configMap("a", { k: "4" }, {
        creationTimestamp: "2001-01-01T00:00:00Z",
        finalizers: ["example.com/x"],
        managedFields: [{}],
      }),
    ),
    put(`${MAPS}/a`, configMap("a", { k: "4" }, { deletionTimestamp: "2001-01-01T00:00:00Z" })),
    put(`${MAPS}/a?dryRun=All`, configMap("a", { k: "dry" })),
    put(`${MAPS}/missing`, configMap("missing")),
    put(`${MAPS}/a`, { ...configMap("a", { k: "4" }), immutable: true }),
    put(`${MAPS}/a`, { ...configMap("a", { k: "5" }), immutable: true }),
    put(`${MAPS}/a`, { ...configMap("a", { k: "4" }), immutable: false }),
    merge(`${MAPS}/a`, { metadata: { finalizers: null } }),
    post(PODS, pod("p")),
    put(`${PODS}/p`, pod("p", { containers: [{ name: "c", image: "i:2" }] })),
    merge(`${PODS}/p`, { metadata: { labels: { a: "b" } }, status: { phase: "Running" } }),
    merge(`${PODS}/p/status`, {
      metadata: { labels: { a: "c" }, annotations: { x: "y" } },
      spec: { nodeName: "n" },
      status: { phase: "Running", podIP: "1.2.3.4" },
    }),
    get(`${PODS}/p/status`),
    merge(`${PODS}/p`, { spec: { activeDeadlineSeconds: 5 } }),
    merge(`${PODS}/p`, { spec: { nodeName: "n" } }),
    post(PODS, { metadata: { name: "bad" }, spec: {} }),
    post(PODS, { metadata: { name: "bad" } }),
    post(
      PODS,
      pod("bad", {
        containers: [{ name: "c" }, { name: "c", image: "i" }, { name: "UP", image: " i" }],
      }),
    ),
    post(PODS, pod("bad", { restartPolicy: "Sometimes", dnsPolicy: "No" })),
    post(
      PODS,
      pod("bad", {
        containers: [{
          name: "c",
          image: "i",
          ports: [{ containerPort: 70000 }, { containerPort: 80, protocol: "X" }],
          resources: { limits: { cpu: "x" } },
        }],
      }),
    ),
    post(
      PODS,
      pod("bad", {
        containers: [{
          name: "c",
          image: "i",
          resources: { limits: { cpu: "1" }, requests: { cpu: "2" } },
          env: [{ name: "" }, {
            name: "a",
            value: "b",
            valueFrom: { fieldRef: { fieldPath: "x" } },
          }],
        }],
      }),
    ),
    post(
      PODS,
      pod("bad", {
        volumes: [{ name: "v" }, { name: "v", emptyDir: {} }],
        containers: [{ name: "c", image: "i", volumeMounts: [{ name: "w", mountPath: "" }] }],
      }),
    ),
    post(
      PODS,
      pod("rich", {
        volumes: [{ name: "v", configMap: { name: "a" } }, { name: "e", emptyDir: {} }, {
          name: "s",
          secret: { secretName: "x" },
        }],
        initContainers: [{ name: "i", image: "i" }],
        containers: [{
          name: "c",
          image: "repo/i",
          ports: [{ containerPort: 80 }],
          resources: { limits: { cpu: "500m", memory: "1Gi" } },
          env: [{ name: "A", value: "b" }, {
            name: "P",
            valueFrom: { fieldRef: { fieldPath: "metadata.name" } },
          }],
          volumeMounts: [{ name: "v", mountPath: "/v" }],
          readinessProbe: { httpGet: { port: 80 } },
          livenessProbe: { exec: { command: ["x"] }, periodSeconds: 5 },
          lifecycle: { preStop: { exec: { command: ["y"] } } },
        }],
        tolerations: [{ key: "a", operator: "Exists" }],
        affinity: { nodeAffinity: {} },
      }),
    ),
  ],
};
