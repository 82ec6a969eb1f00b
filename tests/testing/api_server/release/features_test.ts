import { assert, assertEquals } from "@std/assert";
import {
  FEATURE_GATES,
  GATED_FIELDS,
  RULES,
} from "../../../../src/testing/api_server/schema/generated/mod.ts";
import { parseRule } from "../../../../src/testing/api_server/kinds/declared/rule_table.ts";
import { Cluster } from "../cluster.ts";

const SERVICES = Cluster.path("services");
const SETS = "/apis/apps/v1/namespaces/default/statefulsets";
const SCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";

const statefulSet = {
  metadata: { name: "s" },
  spec: {
    selector: { matchLabels: { a: "b" } },
    template: {
      metadata: { labels: { a: "b" } },
      spec: { containers: [{ name: "c", image: "i" }] },
    },
    updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } },
  },
};

const service = (externalIPs: string[]) => ({
  metadata: { name: "s" },
  spec: { ports: [{ port: 80 }], externalIPs },
});

const scaler = (spec: object) => ({
  metadata: { name: "h" },
  spec: {
    scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
    maxReplicas: 1,
    ...spec,
  },
});

Deno.test("the feature gates of fields and of declared rules are gates of the server", () => {
  const gates = Object.values(GATED_FIELDS).flatMap((text) =>
    text.split(";").flatMap((field) => field.trim().split(/\s+/).slice(1))
  );
  const rules = Object.values(RULES).flatMap((table) => Object.values(table)).join(" ");
  for (const [, gate] of rules.matchAll(/if(?:Enabled|Disabled)\((\w+)\)/g)) gates.push(gate!);
  assert(gates.length > 100);
  assertEquals(gates.filter((gate) => !Object.hasOwn(FEATURE_GATES, gate)), []);
});

Deno.test("parseRule() splits all declared rules into a name, a condition and a value", () => {
  const rules = Object.values(RULES).flatMap((table) => Object.values(table)).flatMap((text) =>
    text.split(";").flatMap((field) => field.trim().split(/\s+/).slice(1))
  );
  assert(rules.length > 300);
  for (const text of rules) {
    const { name, condition, value } = parseRule(text);
    assert(/^\w+$/.test(name), text);
    const brackets = condition === "" ? "" : `(${condition})`;
    assertEquals(`${name}${brackets}${value === "" ? "" : `=${value}`}`, text);
  }
});

Deno.test("ApiServer drops the fields whose feature gates are off", async () => {
  const kept = async (options: ConstructorParameters<typeof Cluster>[0]) => {
    await using cluster = new Cluster(options);
    const { status, json } = await cluster.call("POST", SETS, statefulSet);
    assertEquals(status, 201);
    return json.spec.updateStrategy.rollingUpdate.maxUnavailable;
  };
  const gate = (isOn: boolean) => ({ featureGates: { MaxUnavailableStatefulSet: isOn } });
  assertEquals(await kept({ kubernetes: "1.35" }), undefined);
  assertEquals(await kept({ kubernetes: "1.35", ...gate(true) }), 2);
  assertEquals(await kept({ kubernetes: "1.37" }), 2);
  assertEquals(await kept({ kubernetes: "1.37", ...gate(false) }), undefined);
});

Deno.test("ApiServer applies the declared rules since Kubernetes 1.37, each error once", async () => {
  const causes = async (kubernetes: "1.36" | "1.37", spec: object, gates = {}) => {
    await using cluster = new Cluster({ kubernetes, featureGates: gates });
    const { json } = await cluster.call("POST", SCALERS, scaler(spec));
    return (json.details?.causes ?? []).map((cause: { field: string; message: string }) =>
      `${cause.field}: ${cause.message}`
    );
  };
  const tooFew = "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1";
  const hasTooFew = async (...args: Parameters<typeof causes>) =>
    (await causes(...args)).filter((text: string) => text === tooFew).length;
  assertEquals(await hasTooFew("1.36", { minReplicas: 0 }), 1);
  assertEquals(await hasTooFew("1.37", { minReplicas: 0 }, { HPAScaleToZero: false }), 1);
  assertEquals(await hasTooFew("1.37", { minReplicas: 0 }, { HPAScaleToZero: true }), 0);
  assertEquals(await causes("1.36", { maxReplicas: 0 }), [
    "spec.maxReplicas: Required value: must be set and greater than 0",
    "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
  ]);
  assertEquals(await causes("1.37", { maxReplicas: 0 }), [
    "spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`",
    "spec.maxReplicas: Required value",
  ]);
});

Deno.test("ApiServer refuses new addresses with leading zeros since Kubernetes 1.36", async () => {
  await using old = new Cluster({ kubernetes: "1.35" });
  const made = await old.call("POST", SERVICES, service(["010.1.2.3"]));
  assertEquals(made.status, 201);
  assert(made.headers.get("warning")?.includes("in a future Kubernetes release"));
  await using cluster = new Cluster({ kubernetes: "1.36" });
  const refused = await cluster.call("POST", SERVICES, service(["010.1.2.3", "::ffff:1.2.3.4"]));
  assertEquals(
    refused.json.details.causes.map((cause: { message: string }) => cause.message),
    [
      'Invalid value: "010.1.2.3": must not have leading 0s',
      'Invalid value: "::ffff:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    ],
  );
  await using tolerant = new Cluster({
    kubernetes: "1.36",
    featureGates: { StrictIPCIDRValidation: false },
  });
  assertEquals((await tolerant.call("POST", SERVICES, service(["010.1.2.3"]))).status, 201);
});

Deno.test("ApiServer defaults the resources of a Pod after admission since Kubernetes 1.37", async () => {
  const resources = async (kubernetes: "1.36" | "1.37") => {
    await using cluster = new Cluster({ kubernetes });
    const limits = { cpu: "1" };
    const { status, json } = await cluster.call("POST", Cluster.path("pods"), {
      metadata: { name: "p" },
      spec: {
        containers: [{ name: "c", image: "i", resources: { limits } }],
        resources: { requests: { cpu: "2", memory: "1Gi" } },
      },
    });
    assertEquals(status, 201);
    return json.spec.resources;
  };
  const requests = { cpu: "2", memory: "1Gi" };
  assertEquals(await resources("1.36"), { requests });
  assertEquals(await resources("1.37"), { requests, limits: { cpu: "2" } });
});
