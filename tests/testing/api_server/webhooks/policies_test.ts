import { assertEquals } from "@std/assert";
import { Cluster } from "../cluster.ts";
import { GROUP } from "./hooks.ts";

const MAPS = Cluster.path("configmaps");

type Loose = Record<string, unknown>;

/** A server with a policy, and a binding of it. */
async function bound(spec: Loose, binding: Loose = {}): Promise<Cluster> {
  const cluster = new Cluster();
  const rule = {
    operations: ["CREATE", "UPDATE", "DELETE"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps", "namespaces"],
  };
  const policy = await cluster.call("POST", `${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
  });
  assertEquals(policy.status, 201, policy.text);
  const answer = await cluster.call("POST", `${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"], ...binding },
  });
  assertEquals(answer.status, 201, answer.text);
  return cluster;
}

/** Says what the answer to a create is: `ok`, or its code and message. */
async function created(cluster: Cluster, name: string, path = MAPS): Promise<string> {
  const { status, json } = await cluster.call("POST", path, { metadata: { name } });
  return status === 201 ? "ok" : `${status} ${json.reason}: ${json.message}`;
}

const never = { validations: [{ expression: "object.metadata.name == 'good'" }] };
const denied = (kind: string, name: string, why: string, binding = " with binding 'b'") =>
  `422 Invalid: ${kind} "${name}" is forbidden: ValidatingAdmissionPolicy 'p'${binding} denied request: ${why}`;
const FAILED = "failed expression: object.metadata.name == 'good'";

Deno.test("a policy denies, warns or does neither, as its binding says", async () => {
  await using deny = await bound(never);
  assertEquals(await created(deny, "good"), "ok");
  assertEquals(await created(deny, "bad"), denied("configmaps", "bad", FAILED));
  await using warn = await bound(never, { validationActions: ["Warn", "Audit"] });
  const { status, headers } = await warn.call("POST", MAPS, { metadata: { name: "bad" } });
  assertEquals([status, headers.get("warning")], [
    201,
    `299 - "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': ${FAILED}"`,
  ]);
  await using audit = await bound(never, { validationActions: ["Audit"] });
  assertEquals(
    (await audit.call("POST", MAPS, { metadata: { name: "bad" } })).headers.get("warning"),
    null,
  );
});

Deno.test("the reason of a validation is that of the answer", async () => {
  const codes = [["Forbidden", 403], ["Invalid", 422], ["RequestEntityTooLarge", 413]];
  for (const [reason, code] of codes) {
    await using cluster = await bound({
      validations: [{ expression: "false", message: "no", reason }],
    });
    const { status, json } = await cluster.call("POST", MAPS, { metadata: { name: "a" } });
    assertEquals([status, json.code, json.reason, json.details.causes], [code, code, reason, [{
      message: "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no",
    }]]);
  }
});

Deno.test("a policy matches without resource rules, and not where it excludes a rule", async () => {
  const rule = {
    operations: ["*"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["configmaps"],
  };
  const matchConstraints = {
    resourceRules: [rule],
    excludeResourceRules: [{ ...rule, resourceNames: ["spared"] }],
  };
  await using cluster = await bound({ ...never, matchConstraints });
  assertEquals(await created(cluster, "spared"), "ok");
  assertEquals(await created(cluster, "bad"), denied("configmaps", "bad", FAILED));
  await using narrow = await bound(never, {
    matchResources: { resourceRules: [{ ...rule, resourceNames: ["named"] }] },
  });
  assertEquals(await created(narrow, "other"), "ok");
  assertEquals(await created(narrow, "named"), denied("configmaps", "named", FAILED));
  await using open = await bound(never, { matchResources: { namespaceSelector: {} } });
  assertEquals(await created(open, "bad"), denied("configmaps", "bad", FAILED));
});

// A real server gives the same answers to a parameter that is missing or has no kind.
Deno.test("the parameters of a binding are found by name or label, or are missing", async () => {
  const spec = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{
      expression: "params.metadata.name != 'strict' || object.metadata.name == 'good'",
      message: "strict",
    }],
  };
  const secrets = {
    operations: ["CREATE"],
    apiGroups: [""],
    apiVersions: ["v1"],
    resources: ["secrets", "namespaces"],
  };
  const constrained = { ...spec, matchConstraints: { resourceRules: [secrets] } };
  const SECRETS = Cluster.path("secrets");
  const ask = async (paramRef: Loose, path = SECRETS, kind: Loose = constrained) => {
    await using cluster = await bound(kind, { paramRef });
    for (const name of ["strict", "lax"]) {
      await cluster.call("POST", MAPS, { metadata: { name, labels: { mode: name } } });
    }
    return await created(cluster, "bad", path);
  };
  const strict = denied("secrets", "bad", "strict");
  const parameterNotFoundAction = "Deny";
  assertEquals(await ask({ name: "strict", parameterNotFoundAction }), strict);
  assertEquals(await ask({ name: "lax", parameterNotFoundAction }), "ok");
  assertEquals(
    await ask({ name: "strict", namespace: "default", parameterNotFoundAction }),
    strict,
  );
  assertEquals(
    await ask({ name: "strict", namespace: "kube-system", parameterNotFoundAction: "Allow" }),
    "ok",
  );
  assertEquals(await ask({ selector: {}, parameterNotFoundAction }), strict);
  assertEquals(
    await ask({ selector: { matchLabels: { mode: "lax" } }, parameterNotFoundAction }),
    "ok",
  );
  assertEquals(
    await ask({ selector: { matchLabels: { mode: "strict" } }, parameterNotFoundAction }),
    strict,
  );
  const missing = "no params found for policy binding with `Deny` parameterNotFoundAction";
  for (const paramRef of [{ name: "none" }, { selector: { matchLabels: { mode: "none" } } }]) {
    assertEquals(
      (await ask({ ...paramRef, parameterNotFoundAction })).endsWith(missing),
      true,
    );
    assertEquals(await ask({ ...paramRef, parameterNotFoundAction: "Allow" }), "ok");
  }
  const binding = (why: string) => `failed to configure binding: ${why}`;
  const gone = { name: "strict", parameterNotFoundAction };
  assertEquals(
    await ask(gone, "/api/v1/namespaces"),
    denied("namespaces", "bad", binding(missing)),
  );
  assertEquals(
    await ask(gone, SECRETS, { ...constrained, paramKind: { apiVersion: "v1", kind: "Nosuch" } }),
    denied(
      "secrets",
      "bad",
      "failed to configure policy: failed to find resource referenced by paramKind: '/v1, Kind=Nosuch'",
      "",
    ),
  );
  const node = { ...constrained, paramKind: { apiVersion: "v1", kind: "Node" } };
  assertEquals(
    await ask({ ...gone, namespace: "x" }, SECRETS, node),
    denied(
      "secrets",
      "bad",
      binding("paramRef.namespace must not be provided for a cluster-scoped `paramKind`"),
    ),
  );
  const ignoring = { ...node, failurePolicy: "Ignore" };
  assertEquals(await ask({ ...gone, namespace: "x" }, SECRETS, ignoring), "ok");
  assertEquals(
    await ask(gone, SECRETS, { ...ignoring, paramKind: { apiVersion: "v1", kind: "Nosuch" } }),
    "ok",
  );
});

Deno.test("a policy asks for the rights of the user, and of service accounts", async () => {
  const token = (user: string, ...groups: string[]) => ({ user, groups });
  await using cluster = new Cluster({
    tokens: { admin: token("root", "system:masters"), ann: token("ann", "devs") },
  });
  const as = (name: string) => ({ authorization: `Bearer ${name}` });
  const admin = async (path: string, body: Loose) => {
    const { status, text } = await cluster.call("POST", path, body, as("admin"));
    assertEquals(status, 201, text);
  };
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const roleRef = (kind: string, name: string) => ({
    kind,
    name,
    apiGroup: "rbac.authorization.k8s.io",
  });
  const group = (name: string) => ({ ...roleRef("Group", name) });
  await admin(`${rbac}/clusterroles`, {
    metadata: { name: "metrics" },
    rules: [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }],
  });
  await admin(`${rbac}/clusterrolebindings`, {
    metadata: { name: "metrics" },
    subjects: [group("devs")],
    roleRef: roleRef("ClusterRole", "metrics"),
  });
  const own = `${rbac}/namespaces/default`;
  await admin(`${own}/roles`, {
    metadata: { name: "writer" },
    rules: [
      { apiGroups: [""], resources: ["configmaps"], verbs: ["create"] },
      {
        apiGroups: ["apps"],
        resources: ["deployments/scale"],
        resourceNames: ["d"],
        verbs: ["get"],
      },
    ],
  });
  await admin(`${own}/rolebindings`, {
    metadata: { name: "ann" },
    subjects: [group("devs")],
    roleRef: roleRef("Role", "writer"),
  });
  await admin(`${own}/rolebindings`, {
    metadata: { name: "accounts" },
    subjects: [group("system:serviceaccounts:elsewhere")],
    roleRef: roleRef("Role", "writer"),
  });
  const scale = "authorizer.group('apps').resource('deployments')";
  const maps = "group('').resource('configmaps').namespace('default').check('create')";
  const rights: [string, boolean][] = [
    ["authorizer.path('/metrics').check('get').allowed()", true],
    ["authorizer.path('/metrics').check('post').allowed()", false],
    ["authorizer.path('/other').check('get').allowed()", false],
    [`${scale}.subresource('scale').namespace('default').name('d').check('get').allowed()`, true],
    [`${scale}.subresource('scale').namespace('default').name('e').check('get').allowed()`, false],
    [`${scale}.subresource('scale').namespace('default').check('get').allowed()`, false],
    [`${scale}.namespace('default').name('d').check('get').allowed()`, false],
    [`${scale}.subresource('scale').namespace('x').name('d').check('get').allowed()`, false],
    [`authorizer.${maps}.allowed()`, true],
    ["authorizer.requestResource.check('create').allowed()", true],
    ["authorizer.requestResource.check('delete').allowed()", false],
    [`authorizer.serviceAccount('elsewhere', 'robot').${maps}.allowed()`, true],
    [`authorizer.serviceAccount('default', 'robot').${maps}.allowed()`, false],
  ];
  await admin(`${GROUP}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{
          operations: ["CREATE"],
          apiGroups: [""],
          apiVersions: ["v1"],
          resources: ["configmaps"],
        }],
      },
      validations: rights.map(([right, allowed]) => ({
        expression: `${right} == ${allowed}`,
        message: right,
      })),
    },
  });
  await admin(`${GROUP}/validatingadmissionpolicybindings`, {
    metadata: { name: "b" },
    spec: { policyName: "p", validationActions: ["Deny"] },
  });
  const { status, text } = await cluster.call("POST", MAPS, { metadata: { name: "a" } }, as("ann"));
  assertEquals(status, 201, text);
});

Deno.test("policies are not asked about reviews of access and tokens", async () => {
  const rule = { operations: ["*"], apiGroups: ["*"], apiVersions: ["*"], resources: ["*"] };
  await using cluster = await bound({
    validations: [{ expression: "false" }],
    matchConstraints: { resourceRules: [rule] },
  });
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  assertEquals((await cluster.call("POST", path, {})).status, 201);
  assertEquals((await created(cluster, "good")).slice(0, 3), "422");
});
