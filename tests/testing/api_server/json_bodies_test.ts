/**
 * Bodies with unusual JSON, and the answers of a real server to them.
 *
 * @module
 */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { Cluster } from "./cluster.ts";
import { crdWithSpec } from "./support.ts";

const MAPS = "/api/v1/namespaces/default/configmaps";
const PODS = "/api/v1/namespaces/default/pods";

Deno.test("a number for an integer must be written as one", async () => {
  await using cluster = new Cluster();
  for (const literal of ["1.0", "1e2", "1.5", "99999999999999999999", "9223372036854775808"]) {
    const body = `{"metadata":{"name":"a","generation":${literal}}}`;
    const { status, json } = await cluster.call("POST", MAPS, body);
    assertEquals([status, json.message], [
      400,
      'ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal ' +
      `number ${literal} into Go struct field ObjectMeta.metadata.generation of type int64`,
    ]);
  }
  const body = '{"metadata":{"name":"a","generation":-0}}';
  assertEquals((await cluster.call("POST", MAPS, body)).status, 201);
});

Deno.test("a quantity that is a number keeps the form of its text", async () => {
  await using cluster = new Cluster();
  const create = (cpu: string) =>
    cluster.call(
      "POST",
      `${PODS}?dryRun=All`,
      `{"metadata":{"name":"a"},"spec":{"containers":[{"name":"a","image":"a","resources":` +
        `{"limits":{"cpu":${cpu}}}}]}}`,
    );
  const cases: readonly (readonly [string, string])[] = [
    ["1e3", "1e3"],
    ["1.50", "1500m"],
    ["99999999999999999999", "99999999999999999999"],
    ['" 1"', "1"],
    ["null", "0"],
  ];
  for (const [cpu, shown] of cases) {
    const { json } = await create(cpu);
    assertEquals(json.spec?.containers[0].resources.limits.cpu, shown, cpu);
  }
  const { json } = await create('"1ki"');
  assertEquals(
    json.message,
    'Pod in version "v1" cannot be handled as a Pod: unable to parse quantity\'s suffix',
  );
});

Deno.test("JSON that ends within a literal or a number is refused as by Go", async () => {
  await using cluster = new Cluster();
  const cases: readonly (readonly [string, string])[] = [
    ["nul", "invalid character ' ' in literal null (expecting 'l')"],
    ['{"a":tru', "invalid character ' ' in literal true (expecting 'e')"],
    ["1.", "invalid character ' ' after decimal point in numeric literal"],
    ["1e", "invalid character ' ' in exponent of numeric literal"],
    ["-", "invalid character ' ' in numeric literal"],
    ['{"a"', "unexpected end of JSON input"],
  ];
  for (const [body, message] of cases) {
    const { json } = await cluster.call("POST", MAPS, body);
    assertStringIncludes(json.message, `json parse error: ${message} (`, body);
  }
});

Deno.test("half a surrogate pair becomes a replacement character", async () => {
  await using cluster = new Cluster();
  const body = '{"metadata":{"name":"a"},"data":{"k":"\\ud800x\\ud83d\\ude00"}}';
  assertEquals((await cluster.call("POST", MAPS, body)).json.data.k, "\ufffdx\u{1f600}");
});

Deno.test("an object of another registered kind cannot be converted", async () => {
  await using cluster = new Cluster();
  for (const kind of ["List", "Status", "Pod"]) {
    const { status, json } = await cluster.call("POST", MAPS, { kind, apiVersion: "v1" });
    assertEquals([status, json.message], [
      400,
      `${kind} in version "v1" cannot be handled as a ConfigMap: converting (v1.${kind}) to ` +
      "(core.ConfigMap): unknown conversion",
    ]);
  }
});

Deno.test("numbers and kinds of custom resources are read as by a real server", async () => {
  await using cluster = new Cluster();
  const crd = crdWithSpec({ type: "object", properties: { n: { type: "integer" } } });
  await cluster.call("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  const { group, names: { kind, plural } } = crd.spec;
  const path = `/apis/${group}/v1/namespaces/default/${plural}`;
  const create = async (n: string) => {
    const head = `"apiVersion":"${group}/v1","kind":"${kind}","metadata":{"name":"a"}`;
    const { status, json } = await cluster.call(
      "POST",
      `${path}?dryRun=All`,
      `{${head},"spec":{"n":${n}}}`,
    );
    return [status, json.message];
  };
  assertEquals(await create("1.0"), [201, undefined]);
  assertEquals(await create("1e400"), [
    400,
    `${kind} in version "v1" cannot be handled as a ${kind}: json: cannot unmarshal number 1e400 ` +
    "into Go value of type float64",
  ]);
  assertEquals(await create("99999999999999999999"), [
    422,
    `${kind}.${group} "a" is invalid: [spec.n: Invalid value: "number": spec.n in body must be of ` +
    'type integer: "number", <nil>: Invalid value: "": Checked value must be of type integer ' +
    "(default format) in spec.n]",
  ]);
  const ignored = await cluster.call("POST", `${path}?fieldValidation=Ignore`, "{}");
  assertEquals(
    ignored.json.message,
    `${kind} in version "v1" cannot be handled as a ${kind}: Object 'Kind' is missing in '{}'`,
  );
  const list = { apiVersion: `${group}/v1`, kind: "List", items: [] };
  const { headers } = await cluster.call("POST", path, list);
  assertEquals(headers.get("warning"), null);
});

Deno.test("a value of a wrong type is reported with the names that Go has for field and type", async () => {
  await using cluster = new Cluster();
  const pod = (spec: unknown) => ({ metadata: { name: "a" }, spec });
  const container = (fields: unknown) => pod({ containers: [fields] });
  const hpas = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  const claims = "/api/v1/namespaces/default/persistentvolumeclaims";
  const cases: readonly (readonly [string, unknown, string])[] = [
    [PODS, pod({ restartPolicy: 5 }), "number PodSpec.spec.restartPolicy v1.RestartPolicy"],
    [
      PODS,
      pod({ volumes: [{ emptyDir: "x" }] }),
      "string Volume.spec.volumes.VolumeSource.emptyDir v1.EmptyDirVolumeSource",
    ],
    [
      PODS,
      container({ livenessProbe: { exec: { command: "x" } } }),
      "string ExecAction.spec.containers.livenessProbe.ProbeHandler.exec.command []string",
    ],
    [
      PODS,
      container({ resources: { limits: [] } }),
      "array ResourceRequirements.spec.containers.resources.limits v1.ResourceList",
    ],
    [
      PODS,
      container({ securityContext: { capabilities: { add: [5] } } }),
      "number Capabilities.spec.containers.securityContext.capabilities.add v1.Capability",
    ],
    [
      claims,
      pod({ accessModes: "x" }),
      "string PersistentVolumeClaimSpec.spec.accessModes []v1.PersistentVolumeAccessMode",
    ],
    [
      hpas,
      pod({ metrics: "x" }),
      "string HorizontalPodAutoscalerSpec.spec.metrics []v2.MetricSpec",
    ],
    [MAPS, { metadata: { uid: 5 } }, "number ObjectMeta.metadata.uid types.UID"],
  ];
  for (const [path, body, found] of cases) {
    const { json } = await cluster.call("POST", path, body);
    const [value, field, type] = found.split(" ");
    assertEquals(
      json.message.replace(/^.*: json/, "json"),
      `json: cannot unmarshal ${value} into Go struct field ${field} of type ${type}`,
    );
  }
});
