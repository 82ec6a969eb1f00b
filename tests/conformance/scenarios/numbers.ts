import {
  apply,
  close,
  get,
  jsonPatch,
  merge,
  post,
  put,
  type RequestStep,
  type StepScenario,
  strategic,
  watch,
} from "../step.ts";
import { core, definition, DEFINITIONS, deployment, grouped, namespaced, pod } from "./_objects.ts";

const NS = "suite-numbers";
const V1 = "suite.example.com/v1";
const AMOUNTS = grouped(V1, NS, "amounts");
const YAML = { headers: { accept: "application/yaml" } };

/** An integer that a 64-bit floating point number does not hold, and its neighbours that one does. */
const ODD = "9007199254740993";
const MAX = "9223372036854775807";

const integer = { type: "integer" };

const PROPERTIES = {
  whole: integer,
  long: { type: "integer", format: "int64" },
  short: { type: "integer", format: "int32" },
  number: { type: "number" },
  double: { type: "number", format: "double" },
  either: { "x-kubernetes-int-or-string": true },
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
  text: { type: "string" },
  atMost: { type: "integer", maximum: 9007199254740992 },
  below: { type: "integer", maximum: 9007199254740994, exclusiveMaximum: true },
  atLeast: { type: "integer", minimum: -9007199254740992 },
  step: { type: "integer", multipleOf: 2 },
  half: { type: "number", multipleOf: 0.5 },
  set: { type: "array", items: integer, "x-kubernetes-list-type": "set" },
  map: {
    type: "array",
    items: { type: "object", properties: { id: integer, v: { type: "string" } }, required: ["id"] },
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["id"],
  },
  ruled: {
    ...integer,
    "x-kubernetes-validations": [
      { rule: `self != ${MAX}`, message: "not the largest" },
      { rule: `self % 2 == 1 || self < 10`, message: "even" },
    ],
  },
  fixed: {
    ...integer,
    "x-kubernetes-validations": [{ rule: "self == oldSelf", message: "fixed" }],
  },
};

const DEFINITION = JSON.stringify(definition("amounts", "Amount", {
  versions: [{
    name: "v1",
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: {
            type: "object",
            properties: {
              ...PROPERTIES,
              choice: { type: "integer", enum: ["ODD", 1] },
              preset: { type: "integer", default: "ODD" },
            },
          },
        },
      },
    },
    selectableFields: [{ jsonPath: ".spec.whole" }],
    additionalPrinterColumns: [
      { name: "Whole", type: "integer", jsonPath: ".spec.whole" },
      { name: "Number", type: "number", jsonPath: ".spec.number" },
      { name: "Text", type: "string", jsonPath: ".spec.long" },
    ],
  }],
})).replaceAll('"ODD"', ODD);

/** The JSON of an object with this spec. */
function amount(spec: string, name = "x"): string {
  return `{"apiVersion":"${V1}","kind":"Amount","metadata":{"name":"${name}"},"spec":${spec}}`;
}

const tried = (key: string, ...literals: string[]): RequestStep[] =>
  literals.map((literal) => post(`${AMOUNTS}?dryRun=All`, amount(`{"${key}":${literal}}`)));

const LITERALS = [
  ODD,
  `-${ODD}`,
  MAX,
  "-9223372036854775808",
  "9223372036854775808",
  "-9223372036854775809",
  "18446744073709551616",
  "123456789012345678901234567890",
  "9007199254740993.0",
  "9007199254740993e0",
  "1e16",
  "12e2",
  "1e21",
  "1.0",
  "-0",
  "-0.0",
  "1e400",
  "0.1",
  "1e-7",
];

const MAIN =
  `{"whole":${ODD},"long":-${ODD},"number":${MAX},"either":${ODD},"open":{"a":[${ODD}],"b":1e16,` +
  `"c":18446744073709551616},"set":[1,2],"map":[{"id":1,"v":"a"},{"id":2}]}`;

const DEPLOYMENTS = grouped("apps/v1", NS, "deployments");
const deploymentText = (name: string, seconds: string) =>
  JSON.stringify(deployment(name)).replace(
    '"containers"',
    `"terminationGracePeriodSeconds":${seconds},"containers"`,
  );
const podText = (spec: string) =>
  JSON.stringify(pod("p")).replace('"containers"', `${spec},"containers"`);

const CLAIMS = grouped("resource.k8s.io/v1", NS, "resourceclaims");
const SLICES = "/apis/resource.k8s.io/v1/resourceslices";
const claimText = (request: string, parameters: string) =>
  `{"metadata":{"name":"c"},"spec":{"devices":{"requests":[{"name":"gpu","exactly":{"deviceClassName":"gpu",` +
  `${request}}}],"config":[{"opaque":{"driver":"gpu.example.com","parameters":${parameters}}}]}}}`;
const sliceText = (pool: string) =>
  `{"metadata":{"name":"suite-numbers"},"spec":{"driver":"gpu.example.com","nodeName":"n1",` +
  `"pool":{"name":"p",${pool}}}}`;

/** How a server reads, keeps and writes numbers that are large, or no integers to Go. */
export const numbers: StepScenario = {
  name: "numbers",
  steps: [
    namespaced(NS),
    post(DEFINITIONS, DEFINITION),
    get(AMOUNTS, { whileStatus: [404, 429], unseen: true }),
    post(`${AMOUNTS}?dryRun=All`, amount("{}", "wait"), { whileStatus: [404, 429], unseen: true }),
    get(`${DEFINITIONS}/amounts.suite.example.com`),
    ...["whole", "long", "short", "number", "double", "either"].flatMap((key) =>
      tried(key, ...LITERALS)
    ),
    ...tried("text", ODD, "9223372036854775808", "0.1"),
    ...tried("open", ...LITERALS.map((literal) => `{"a":${literal}}`)),
    ...tried("atMost", "9007199254740992", ODD, MAX),
    ...tried("below", ODD, "9007199254740994"),
    ...tried("atLeast", "-9007199254740992", `-${ODD}`),
    ...tried("step", ODD, "9007199254740994", MAX),
    ...tried("half", ODD, "10.5", "10.25", MAX),
    ...tried("choice", ODD, "9007199254740992", "1.0"),
    ...tried("set", `[${ODD},9007199254740992]`, `[${ODD},${ODD}]`),
    ...tried("map", `[{"id":${ODD}},{"id":9007199254740992}]`, `[{"id":${ODD}},{"id":${ODD}}]`),
    ...tried("ruled", ODD, "9007199254740994", MAX),
    watch("amounts", `${AMOUNTS}?watch=1&timeoutSeconds=60`),
    post(AMOUNTS, amount(MAIN)),
    get(`${AMOUNTS}/x`),
    get(AMOUNTS),
    get(`${AMOUNTS}/x`, YAML),
    get(`${AMOUNTS}?fieldSelector=spec.whole%3D${ODD}`),
    get(`${AMOUNTS}?fieldSelector=spec.whole%3D9007199254740992`),
    get(AMOUNTS, {
      headers: { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
    }),
    merge(`${AMOUNTS}/x`, { metadata: { labels: { a: "b" } } }),
    merge(`${AMOUNTS}/x`, `{"spec":{"whole":${MAX},"open":{"d":-${ODD},"b":2.0}}}`),
    merge(`${AMOUNTS}/x`, `{"spec":{"whole":9223372036854775808}}`),
    merge(`${AMOUNTS}/x?dryRun=All`, `{"spec":{"whole":2.0}}`),
    merge(`${AMOUNTS}/x?dryRun=All`, `{"spec":{"whole":1e2}}`),
    jsonPatch(
      `${AMOUNTS}/x`,
      `[{"op":"test","path":"/spec/whole","value":${MAX}},{"op":"replace","path":"/spec/whole","value":${ODD}}]`,
    ),
    jsonPatch(`${AMOUNTS}/x`, `[{"op":"test","path":"/spec/whole","value":9007199254740992}]`),
    jsonPatch(`${AMOUNTS}/x`, `[{"op":"test","path":"/spec/whole","value":${ODD}.0}]`),
    jsonPatch(
      `${AMOUNTS}/x`,
      `[{"op":"copy","from":"/spec/whole","path":"/spec/open/copied"},{"op":"add","path":"/spec/set/-","value":3}]`,
    ),
    jsonPatch(`${AMOUNTS}/x?dryRun=All`, `[{"op":"replace","path":"/spec/whole","value":2.0}]`),
    get(`${AMOUNTS}/x`),
    put(
      `${AMOUNTS}/x`,
      `{"apiVersion":"${V1}","kind":"Amount","metadata":{"name":"x","resourceVersion":"{{now.metadata.resourceVersion}}"},"spec":{"whole":-${ODD},"fixed":${ODD}}}`
        .replace("{{now.metadata.resourceVersion}}", "1"),
    ),
    get(`${AMOUNTS}/x`, { save: "now", unseen: true }),
    put(
      `${AMOUNTS}/x`,
      `{"apiVersion":"${V1}","kind":"Amount","metadata":{"name":"x","resourceVersion":"{{now.metadata.resourceVersion}}"},"spec":{"whole":-${ODD},"fixed":${ODD}}}`,
    ),
    merge(`${AMOUNTS}/x`, `{"spec":{"fixed":9007199254740992}}`),
    merge(`${AMOUNTS}/x`, `{"spec":{"fixed":${ODD}}}`),
    apply(`${AMOUNTS}/y`, "one", amount(MAIN, "y")),
    apply(`${AMOUNTS}/y`, "one", amount(MAIN, "y")),
    apply(
      `${AMOUNTS}/y`,
      "two",
      amount(`{"whole":${ODD},"set":[2],"map":[{"id":2}]}`, "y"),
    ),
    apply(`${AMOUNTS}/y`, "two", amount(`{"whole":9007199254740992}`, "y")),
    apply(`${AMOUNTS}/y`, "two", amount(`{"whole":9007199254740992}`, "y"), { force: true }),
    // New keys and values only: the real server rounds the numbers of stored managed fields.
    apply(
      `${AMOUNTS}/v?dryRun=All`,
      "one",
      amount(`{"map":[{"id":${ODD}},{"id":9007199254740992}],"set":[${ODD},${MAX}]}`, "v"),
    ),
    apply(
      `${AMOUNTS}/z`,
      "one",
      `apiVersion: ${V1}\nkind: Amount\nmetadata: { name: z }\nspec:\n  whole: ${ODD}\n  long: ${MAX}\n  number: 18446744073709551616\n  open: { a: 1.0, b: 1e3, c: 0x20000000000001, d: -${ODD}, e: 9223372036854775808 }\n`,
    ),
    ...["18446744073709551615", "9223372036854775808", "9007199254740993.0", "1.0", "1e3", "1e400"]
      .map((literal) =>
        apply(`${AMOUNTS}/w?dryRun=All`, "one", amount(`{"whole":${literal}}`, "w"))
      ),
    ...["18446744073709551615", "18446744073709551616", "1.0", "-0.0"].map((literal) =>
      apply(`${AMOUNTS}/w?dryRun=All`, "one", amount(`{"open":{"a":${literal}}}`, "w"))
    ),
    get(AMOUNTS),
    close("amounts", 11),
    // Built-in kinds have 64 bits, too.
    ...[
      ODD,
      MAX,
      "9223372036854775808",
      "-9223372036854775809",
      "1.0",
      "1e3",
      "9007199254740993.0",
      "1e400",
      "-0",
      '"5"',
    ].map((literal) => post(`${DEPLOYMENTS}?dryRun=All`, deploymentText("d", literal))),
    ...["2147483648", ODD, "9223372036854775808"].map((literal) =>
      post(
        `${DEPLOYMENTS}?dryRun=All`,
        JSON.stringify(deployment("d", { replicas: 1 })).replace(
          '"replicas":1',
          `"replicas":${literal}`,
        ),
      )
    ),
    post(`${core(NS, "pods")}?dryRun=All`, podText(`"activeDeadlineSeconds":${ODD}`)),
    post(`${core(NS, "pods")}?dryRun=All`, podText(`"securityContext":{"runAsUser":${ODD}}`)),
    post(`${core(NS, "configmaps")}?dryRun=All`, `{"metadata":{"name":"c"},"data":{"a":${ODD}}}`),
    post(`${core(NS, "configmaps")}?dryRun=All`, `{"metadata":{"name":"c","generation":${ODD}}}`),
    post(
      `${core(NS, "services")}?dryRun=All`,
      `{"metadata":{"name":"s"},"spec":{"ports":[{"port":80,"targetPort":${ODD}}]}}`,
    ),
    post(
      `${core(NS, "pods")}?dryRun=All`,
      JSON.stringify(pod("q")).replace(
        '"image"',
        `"resources":{"requests":{"memory":${ODD},"cpu":1e3}},"image"`,
      ),
    ),
    post(DEPLOYMENTS, deploymentText("d", ODD)),
    strategic(
      `${DEPLOYMENTS}/d`,
      `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":${MAX}}}}}`,
    ),
    merge(
      `${DEPLOYMENTS}/d`,
      `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":-${ODD}}}}}`,
    ),
    merge(
      `${DEPLOYMENTS}/d`,
      `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":${ODD}}}}}`,
    ),
    strategic(
      `${DEPLOYMENTS}/d?dryRun=All`,
      `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":2.0}}}}`,
    ),
    strategic(
      `${DEPLOYMENTS}/d?dryRun=All`,
      `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":1e2}}}}`,
    ),
    strategic(
      `${DEPLOYMENTS}/d?dryRun=All`,
      `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":9223372036854775808}}}}`,
    ),
    jsonPatch(
      `${DEPLOYMENTS}/d`,
      `[{"op":"test","path":"/spec/template/spec/terminationGracePeriodSeconds","value":${ODD}},{"op":"replace","path":"/spec/template/spec/terminationGracePeriodSeconds","value":${MAX}}]`,
    ),
    apply(`${DEPLOYMENTS}/e`, "one", deploymentText("e", ODD)),
    apply(`${DEPLOYMENTS}/e`, "two", deploymentText("e", "9007199254740992")),
    apply(`${DEPLOYMENTS}/f?dryRun=All`, "one", deploymentText("f", "1.0")),
    apply(`${DEPLOYMENTS}/f?dryRun=All`, "one", deploymentText("f", "9223372036854775808")),
    apply(`${DEPLOYMENTS}/f?dryRun=All`, "one", deploymentText("f", "18446744073709551616")),
    get(`${DEPLOYMENTS}/e`),
    get(`${DEPLOYMENTS}/e`, YAML),
    // So do the messages about their fields.
    ...[ODD, `-${ODD}`].flatMap((literal) => [
      post(
        `${core(NS, "pods")}?dryRun=All`,
        JSON.stringify(pod("p")).replace(
          '"image"',
          `"lifecycle":{"preStop":{"sleep":{"seconds":${literal}}}},"image"`,
        ),
      ),
      post(
        `${core(NS, "pods")}?dryRun=All`,
        podText(
          `"volumes":[{"name":"v","projected":{"sources":[{"serviceAccountToken":` +
            `{"path":"a","expirationSeconds":${literal}}}]}}]`,
        ),
      ),
      post(`${CLAIMS}?dryRun=All`, claimText(`"count":${literal}`, "{}")),
      post(`${CLAIMS}?dryRun=All`, claimText(`"allocationMode":"All","count":${literal}`, "{}")),
      post(`${SLICES}?dryRun=All`, sliceText(`"resourceSliceCount":1,"generation":${literal}`)),
      post(`${SLICES}?dryRun=All`, sliceText(`"resourceSliceCount":${literal},"generation":1`)),
    ]),
    post(`${CLAIMS}?dryRun=All`, claimText('"count":1', `{"a":${ODD}}`)),
    post(core(NS, "pods"), JSON.stringify(pod("p"))),
    merge(`${core(NS, "pods")}/p/status`, `{"status":{"observedGeneration":-${ODD}}}`),
    merge(`${core(NS, "pods")}/p/status`, `{"status":{"observedGeneration":${ODD}}}`),
  ],
};
