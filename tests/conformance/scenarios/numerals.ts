import { apply, get, jsonPatch, merge, post, put, type StepScenario, strategic } from "../step.ts";
import { definition, DEFINITIONS, deployment, grouped, namespaced } from "./_objects.ts";

const NS = "suite-numerals";
const V1 = "suite.example.com/v1";
const NUM = grouped(V1, NS, "numerals");
const OBJ = `${NUM}/n`;
const DEPS = grouped("apps/v1", NS, "deployments");
const D = `${DEPS}/d`;
const head = `"apiVersion":"${V1}","kind":"Numeral"`;
const made = (name: string, spec: string) =>
  `{${head},"metadata":{"name":"${name}"},"spec":${spec}}`;
const FORMS = ["2.0", "1e0", "1.5", "1e400", "9007199254740993", "9223372036854775808", "1e19"];
/** Numbers in forms that Go does not read as integers, in patches and in validation. */
export const numerals: StepScenario = {
  name: "numerals",
  steps: [
    namespaced(NS),
    post(
      DEFINITIONS,
      definition("numerals", "Numeral", {
        versions: [{
          name: "v1",
          served: true,
          storage: true,
          subresources: {
            scale: { specReplicasPath: ".spec.size", statusReplicasPath: ".status.size" },
            status: {},
          },
          schema: {
            openAPIV3Schema: {
              type: "object",
              properties: {
                spec: {
                  type: "object",
                  properties: {
                    n: { type: "integer" },
                    n32: { type: "integer", format: "int32" },
                    n64: { type: "integer", format: "int64" },
                    size: { type: "integer" },
                    f: { type: "number" },
                    d: { type: "number", format: "double" },
                    fl: { type: "number", format: "float" },
                    half: { type: "number", multipleOf: 0.5 },
                    three: { type: "integer", multipleOf: 3 },
                    cent: { type: "number", multipleOf: 0.01 },
                    min: { type: "integer", minimum: 2, maximum: 5 },
                    ex: {
                      type: "number",
                      minimum: 0,
                      exclusiveMinimum: true,
                      maximum: 10,
                      exclusiveMaximum: true,
                    },
                    e: { type: "number", enum: [1, 2.5, 10] },
                    any: { "x-kubernetes-preserve-unknown-fields": true },
                    is: { "x-kubernetes-int-or-string": true },
                  },
                },
                status: { type: "object", properties: { size: { type: "integer" } } },
              },
            },
          },
        }],
      }),
      { unseen: true },
    ),
    get(NUM, { whileStatus: [404, 429], unseen: true }),
    post(`${NUM}?dryRun=All`, made("wait", "{}"), { whileStatus: [404, 429], unseen: true }),
    post(NUM, made("n", `{"n":7,"n32":7,"n64":7,"f":7,"size":7}`)),
    ...["n", "f", "is"].flatMap((field) =>
      FORMS.flatMap((form) => [
        merge(`${OBJ}?dryRun=All`, `{"spec":{"${field}":${form}}}`),
      ])
    ),
    ...FORMS.map((form) => post(`${NUM}?dryRun=All`, made("x", `{"n":${form},"f":${form}}`))),
    ...FORMS.map((form) =>
      jsonPatch(`${OBJ}?dryRun=All`, `[{"op":"replace","path":"/spec/n","value":${form}}]`)
    ),
    ...FORMS.map((form) =>
      apply(`${NUM}/a?dryRun=All`, "m", `{${head},"metadata":{"name":"a"},"spec":{"n":${form}}}`)
    ),
    ...FORMS.map((form) => merge(`${OBJ}/scale?dryRun=All`, `{"spec":{"replicas":${form}}}`)),
    ...["10.25", "0.5", "10", "7", "-0.5", "1e-1"].map((v) =>
      post(`${NUM}?dryRun=All`, made("x", `{"half":${v}}`))
    ),
    ...["9", "10", "9.0", "-3", "0"].map((v) =>
      post(`${NUM}?dryRun=All`, made("x", `{"three":${v}}`))
    ),
    ...["0.07", "0.075", "1.1", "19.99", "1e-2"].map((v) =>
      post(`${NUM}?dryRun=All`, made("x", `{"cent":${v}}`))
    ),
    ...["1", "6", "2.0", "5"].map((v) => post(`${NUM}?dryRun=All`, made("x", `{"min":${v}}`))),
    ...["0", "10", "0.0001", "10.0", "1e1"].map((v) =>
      post(`${NUM}?dryRun=All`, made("x", `{"ex":${v}}`))
    ),
    ...["1", "1.0", "2.5", "25e-1", "3", "10.0"].map((v) =>
      post(`${NUM}?dryRun=All`, made("x", `{"e":${v}}`))
    ),
    ...FORMS.map((form) =>
      jsonPatch(`${OBJ}?dryRun=All`, `[{"op":"test","path":"/spec/n","value":${form}}]`)
    ),
    // A built-in kind.
    post(DEPS, deployment("d")),
    ...FORMS.map((form) => merge(`${D}?dryRun=All`, `{"spec":{"replicas":${form}}}`)),
    ...FORMS.map((form) => strategic(`${D}?dryRun=All`, `{"spec":{"replicas":${form}}}`)),
    ...FORMS.map((form) =>
      jsonPatch(`${D}?dryRun=All`, `[{"op":"replace","path":"/spec/replicas","value":${form}}]`)
    ),
    ...FORMS.map((form) =>
      apply(
        `${D}?dryRun=All`,
        "m",
        `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":${form}}}`,
      )
    ),
    ...FORMS.map((form) => merge(`${D}/scale?dryRun=All`, `{"spec":{"replicas":${form}}}`)),
    ...FORMS.map((form) =>
      put(
        `${D}/scale?dryRun=All`,
        `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d","namespace":"${NS}"},"spec":{"replicas":${form}}}`,
      )
    ),
    ...FORMS.map((form) =>
      merge(`${D}?dryRun=All`, `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":${form}}}}}`)
    ),
    ...FORMS.map((form) =>
      merge(
        `${D}?dryRun=All`,
        `{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i","resources":{"limits":{"cpu":${form}}}}]}}}}`,
      )
    ),
  ],
};
