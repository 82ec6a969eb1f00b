import { assertEquals, assertMatch } from "@std/assert";
import { GROUP, HookedCluster, webhook } from "./hooks.ts";
import { validateClientConfig } from "../../../../src/testing/api_server/kinds/shared/webhook_client.ts";

Deno.test("a webhook configuration gets defaults, and counts generations", async () => {
  await using cluster = new HookedCluster();
  const { status, json } = await cluster.hook("mutating", "m", () => ({}));
  assertEquals([status, json.metadata.generation], [201, 1]);
  const [{ rules, clientConfig, ...rest }] = json.webhooks;
  assertEquals(rest, {
    name: "m.example.com",
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    namespaceSelector: {},
    objectSelector: {},
    sideEffects: "None",
    timeoutSeconds: 10,
    admissionReviewVersions: ["v1"],
    reinvocationPolicy: "Never",
  });
  assertEquals(rules[0].scope, "*");
  assertEquals(clientConfig.service.port, 443);
  const path = `${GROUP}/mutatingwebhookconfigurations/m`;
  const patch = { "content-type": "application/strategic-merge-patch+json" };
  const changes = { webhooks: [{ name: "m.example.com", timeoutSeconds: 5 }] };
  const changed = await cluster.call("PATCH", path, changes, patch);
  assertEquals([changed.json.metadata.generation, changed.json.webhooks.length], [2, 1]);
  const labeled = await cluster.merge(path, { metadata: { labels: { a: "b" } } });
  assertEquals(labeled.json.metadata.generation, 2);
  const table = await cluster.call("GET", `${GROUP}/mutatingwebhookconfigurations`, undefined, {
    accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
  });
  assertEquals(table.json.rows[0].cells.slice(0, 2), ["m", 1]);
});

Deno.test("an invalid webhook configuration is refused with every cause", async () => {
  await using cluster = new HookedCluster();
  const rule = { operations: ["*"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] };
  const cases: [Record<string, unknown>, string][] = [
    [
      { name: "short.name" },
      'name: Invalid value: "short.name": should be a domain with at least three segments separated by dots',
    ],
    [
      { sideEffects: undefined },
      "sideEffects: Required value: must specify one of None, NoneOnDryRun",
    ],
    [
      { sideEffects: "Some" },
      'sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      { admissionReviewVersions: [] },
      "admissionReviewVersions: Required value: must specify one of v1, v1beta1",
    ],
    [
      { admissionReviewVersions: ["v2"] },
      'admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1',
    ],
    [
      { failurePolicy: "Maybe" },
      'failurePolicy: Unsupported value: "Maybe": supported values: "Fail", "Ignore"',
    ],
    [
      { timeoutSeconds: 31 },
      "timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
    ],
    [
      { reinvocationPolicy: "Always" },
      'reinvocationPolicy: Unsupported value: "Always": supported values: "IfNeeded", "Never"',
    ],
    [
      { clientConfig: {} },
      "clientConfig: Required value: exactly one of url or service is required",
    ],
    [
      { clientConfig: { url: "http://a.example" } },
      "clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
    ],
    [
      { clientConfig: { url: "https://a.example/?x=1" } },
      'clientConfig.url: Invalid value: "x=1": query parameters are not permitted in the URL',
    ],
    [
      { clientConfig: { service: { namespace: "a", name: "b", path: "x" } } },
      "clientConfig.service.path: Invalid value: \"x\": must start with a '/'",
    ],
    [
      { clientConfig: { service: { namespace: "a", name: "" } } },
      "clientConfig.service.name: Required value",
    ],
    [{ rules: [{ ...rule, operations: [] }] }, "rules[0].operations: Required value"],
    [
      { rules: [{ ...rule, operations: ["READ"] }] },
      'rules[0].operations[0]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"',
    ],
    [
      { rules: [{ ...rule, apiGroups: ["*", "a"] }] },
      'rules[0].apiGroups: Invalid value: ["*","a"]: if \'*\' is present, must not specify other API groups',
    ],
    [
      { rules: [{ ...rule, resources: ["*/*", "pods"] }] },
      'rules[0].resources: Invalid value: ["*/*","pods"]: if \'*/*\' is present, must not specify other resources',
    ],
    [
      { rules: [{ ...rule, resources: ["pods/*", "pods/log"] }] },
      "rules[0].resources[1]: Invalid value: \"pods/log\": if 'pods/*' is present, must not specify pods/log",
    ],
    [
      { rules: [{ ...rule, scope: "Here" }] },
      'rules[0].scope: Unsupported value: "Here": supported values: "*", "Cluster", "Namespaced"',
    ],
  ];
  for (const [rest, text] of cases) {
    const { status, json } = await cluster.call("POST", `${GROUP}/mutatingwebhookconfigurations`, {
      metadata: { name: "m" },
      webhooks: [webhook("m", rest)],
    });
    const head = 'MutatingWebhookConfiguration.admissionregistration.k8s.io "m" is invalid: ';
    // The first part of a path segment is also wrong in another way.
    assertEquals(
      [
        status,
        json.message.replaceAll("[webhooks", "webhooks").startsWith(`${head}webhooks[0].${text}`),
      ],
      [422, true],
      json.message,
    );
  }
  const twice = await cluster.call("POST", `${GROUP}/validatingwebhookconfigurations`, {
    metadata: { name: "m" },
    webhooks: [webhook("m"), webhook("m")],
  });
  assertMatch(twice.json.message, /webhooks\[1\]\.name: Duplicate value: "m\.example\.com"/);
});

Deno.test("a rule that names a review of access or tokens has a warning since Kubernetes 1.37", async () => {
  const rule = (apiGroups: string[], resources: string[]) => ({
    operations: ["*"],
    apiGroups,
    apiVersions: ["v1"],
    resources,
  });
  const rules = [
    rule(["", "authentication.k8s.io"], ["tokenreviews", "pods"]),
    rule(["*"], ["tokenreviews"]),
    rule(["authentication.k8s.io"], ["*"]),
  ];
  const warning =
    '299 - "webhooks[0].rules[0]: tokenreviews.authentication.k8s.io is excluded from admission webhooks; this rule will have no effect"';
  for (const [kubernetes, expected] of [["1.36", null], ["1.37", warning]] as const) {
    await using cluster = new HookedCluster({ kubernetes });
    for (const type of ["mutating", "validating"] as const) {
      const { status, headers } = await cluster.hook(type, "m", () => ({}), { rules });
      assertEquals([status, headers.get("warning")], [201, expected]);
    }
  }
});

Deno.test("match conditions must be named expressions of a bool", async () => {
  await using cluster = new HookedCluster();
  const causes = async (...matchConditions: object[]) => {
    const { json } = await cluster.hook("validating", "v", () => ({}), { matchConditions });
    return json.details.causes.map((cause: { field: string; message: string }) =>
      `${cause.field}: ${cause.message}`
    );
  };
  const field = "webhooks[0].matchConditions";
  assertEquals(await causes({ name: "a", expression: "1" }), [
    `${field}[0].expression: Invalid value: "1": must evaluate to bool but got int`,
  ]);
  assertEquals(await causes({ name: "", expression: " " }), [
    `${field}[0].expression: Required value`,
    `${field}[0].name: Required value`,
  ]);
  assertEquals(
    await causes({ name: "a", expression: "true" }, { name: "a", expression: "params == null" }),
    [
      `${field}[1].expression: Invalid value: "params == null": compilation failed: ERROR: <input>:1:1: undeclared reference to 'params' (in container '')\n | params == null\n | ^`,
      `${field}[1].name: Duplicate value: "a"`,
    ],
  );
});

Deno.test("the webhooks option must be a function", () => {
  let message = "";
  try {
    new HookedCluster({ webhooks: {} as never });
  } catch (error) {
    message = (error as Error).message;
  }
  assertEquals(message, "webhooks must be a function: received a value of type object");
});

Deno.test("validateClientConfig() says what is wrong with the URL of a webhook", () => {
  const wrong = (url: string) =>
    validateClientConfig({ url }, "at").map(({ field, message }) => `${field}: ${message}`);
  const invalid = (value: string, why: string) => `at.url: Invalid value: "${value}": ${why}`;
  const form = "; desired format: https://host[/path]";
  const user = "user information is not permitted in the URL";
  assertEquals(wrong("https://a.b:8443/p"), []);
  assertEquals(wrong("http://a"), [
    invalid("http", `'https' is the only allowed URL scheme${form}`),
  ]);
  assertEquals(wrong("https://u@a"), [invalid("u", user)]);
  assertEquals(wrong("https://:p@a"), [invalid("p", user)]);
  assertEquals(wrong("https://u:p@a"), [invalid("u:p", user)]);
  assertEquals(wrong("https://a#f"), [invalid("f", "fragments are not permitted in the URL")]);
  assertEquals(wrong("https://a?q=1"), [
    invalid("q=1", "query parameters are not permitted in the URL"),
  ]);
  assertEquals(wrong("a b"), [
    invalid("", `'https' is the only allowed URL scheme${form}`),
    invalid("", `host must be specified${form}`),
  ]);
});
