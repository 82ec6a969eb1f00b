import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";
import { crdOfAnything } from "./support.ts";

const TOKENS = {
  admin: { user: "root", groups: ["system:masters"] },
  ann: { user: "ann", groups: ["devs"] },
  robot: { user: "system:serviceaccount:default:robot" },
};

const PODS = Cluster.path("pods");
const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const RBAC = "/apis/rbac.authorization.k8s.io/v1";

const as = (token: string) => ({ authorization: `Bearer ${token}` });

Deno.test("without tokens every client is an administrator", async () => {
  await using cluster = new Cluster();
  assertEquals((await cluster.get(PODS)).status, 200);
  assertEquals((await cluster.call("GET", PODS, undefined, as("whatever"))).status, 200);
});

Deno.test("an unknown token gets 401, no token 403, and both may read the version", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  const unknown = await cluster.call("GET", PODS, undefined, as("wrong"));
  assertEquals([unknown.status, unknown.json.reason], [401, "Unauthorized"]);
  assertEquals(unknown.headers.get("x-kubernetes-pf-flowschema-uid"), null);
  const anonymous = await cluster.get(PODS);
  assertEquals(
    anonymous.json.message,
    'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" in the namespace "default"',
  );
  for (const path of ["/version", "/healthz", "/readyz", "/livez"]) {
    assertEquals((await cluster.get(path)).status, 200, path);
  }
  assertEquals((await cluster.get("/apis")).status, 403);
});

Deno.test("a role grants its rules in the namespace of its binding, at once after the write", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  const admin = as("admin");
  await cluster.call("POST", `${RBAC}/namespaces/default/roles`, {
    metadata: { name: "reader" },
    rules: [
      { apiGroups: [""], resources: ["pods"], verbs: ["get", "list"] },
      { apiGroups: [""], resources: ["pods/status"], verbs: ["patch"], resourceNames: ["p"] },
    ],
  }, admin);
  const list = () => cluster.call("GET", PODS, undefined, as("ann"));
  assertEquals((await list()).status, 403);
  await cluster.call("POST", `${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: "ann" },
    subjects: [{ kind: "Group", name: "devs", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { kind: "Role", name: "reader", apiGroup: "rbac.authorization.k8s.io" },
  }, admin);
  assertEquals((await list()).status, 200);
  for (
    const [method, path, allowed] of [
      ["GET", `${PODS}?watch=1`, false],
      ["GET", "/api/v1/pods", false],
      ["GET", "/api/v1/namespaces/kube-system/pods", false],
      ["DELETE", `${PODS}/p`, false],
      ["PATCH", `${PODS}/p/status`, true],
      ["PATCH", `${PODS}/q/status`, false],
    ] as const
  ) {
    const { status } = await cluster.call(method, path, method === "PATCH" ? "{}" : undefined, {
      ...as("ann"),
      "content-type": "application/merge-patch+json",
    });
    assertEquals(status !== 403, allowed, `${method} ${path}`);
  }
  await cluster.call("DELETE", `${RBAC}/namespaces/default/rolebindings/ann`, undefined, admin);
  assertEquals((await list()).status, 403);
});

Deno.test("a cluster role binding grants a service account its rights in all namespaces", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  await cluster.call("POST", `${RBAC}/clusterrolebindings`, {
    metadata: { name: "robot" },
    subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "default" }],
    roleRef: { kind: "ClusterRole", name: "view", apiGroup: "rbac.authorization.k8s.io" },
  }, as("admin"));
  const robot = as("robot");
  assertEquals((await cluster.call("GET", "/api/v1/pods", undefined, robot)).status, 200);
  assertEquals((await cluster.call("GET", "/api/v1/secrets", undefined, robot)).status, 403);
});

Deno.test("impersonation acts as another user, if that is allowed", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  const review = (headers: Record<string, string>) =>
    cluster.call(
      "POST",
      "/apis/authentication.k8s.io/v1/selfsubjectreviews",
      { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
      headers,
    );
  const { json } = await review({
    ...as("admin"),
    "impersonate-user": "bob",
    "impersonate-group": "devs",
  });
  assertEquals(json.status.userInfo, { username: "bob", groups: ["devs", "system:authenticated"] });
  const refused = await review({ ...as("ann"), "impersonate-user": "bob" });
  assertEquals(refused.status, 403);
});

Deno.test("access reviews agree with the answers to requests", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const spec = { resourceAttributes: { namespace: "default", verb: "list", resource: "pods" } };
  for (const [token, allowed] of [["admin", true], ["ann", false]] as const) {
    const { status, json } = await cluster.call("POST", path, { spec }, as(token));
    assertEquals([status, json.status.allowed], [201, allowed]);
  }
});

const CLUSTER_ROLES = `${RBAC}/clusterroles`;

Deno.test("the rules of an aggregated ClusterRole follow the roles that it selects", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  const admin = as("admin");
  const call = cluster.call.bind(cluster);
  const created = await call("POST", CLUSTER_ROLES, {
    metadata: { name: "sum" },
    aggregationRule: {
      clusterRoleSelectors: [
        { matchLabels: { part: "of-sum" } },
        { matchExpressions: [{ key: "also", operator: "Exists" }] },
      ],
    },
  }, admin);
  assertEquals([created.status, created.json.rules], [201, null]);
  const add = (name: string, verbs: string[], labels: Record<string, string>) =>
    call("POST", CLUSTER_ROLES, {
      metadata: { name, labels },
      rules: verbs.map((verb) => ({
        apiGroups: ["x.example"],
        resources: ["things"],
        verbs: [verb],
      })),
    }, admin);
  const verbs = async () => {
    const { json } = await call("GET", `${CLUSTER_ROLES}/sum`, undefined, admin);
    return (json.rules ?? []).map((rule: { verbs: string[] }) => rule.verbs[0]).join(" ");
  };
  await add("b", ["get"], { part: "of-sum" });
  assertEquals(await verbs(), "get");
  await add("a", ["list", "get"], { part: "of-sum" });
  assertEquals(await verbs(), "list get");
  await add("c", ["watch"], { also: "" });
  await add("d", ["delete"], { part: "of-another" });
  assertEquals(await verbs(), "list get watch");
  await call("POST", `${RBAC}/clusterrolebindings`, {
    metadata: { name: "ann" },
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { kind: "ClusterRole", name: "sum", apiGroup: "rbac.authorization.k8s.io" },
  }, admin);
  const may = async (verb: string) => {
    const { json } = await call("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", {
      spec: { resourceAttributes: { verb, group: "x.example", resource: "things" } },
    }, as("ann"));
    return json.status.allowed;
  };
  assertEquals([await may("watch"), await may("delete")], [true, false]);
  await call("DELETE", `${CLUSTER_ROLES}/c`, undefined, admin);
  assertEquals([await verbs(), await may("watch")], ["list get", false]);
  await call("PATCH", `${CLUSTER_ROLES}/a`, { metadata: { labels: null } }, {
    ...admin,
    "content-type": "application/merge-patch+json",
  });
  assertEquals(await verbs(), "get");
  // Rules written into an aggregated role are replaced.
  await call("PATCH", `${CLUSTER_ROLES}/sum`, { rules: null }, {
    ...admin,
    "content-type": "application/merge-patch+json",
  });
  assertEquals(await verbs(), "get");
  const { json } = await call("GET", `${CLUSTER_ROLES}/sum`, undefined, admin);
  assertEquals(
    json.metadata.managedFields.map(({ manager, operation }: Record<string, string>) =>
      `${manager} ${operation}`
    ).sort(),
    ["clusterrole-aggregation-controller Apply", "unknown Update"],
  );
});

Deno.test("the default role admin includes edit, and edit includes view", async () => {
  await using cluster = new Cluster();
  const rules = async (name: string) =>
    (await cluster.get(`${CLUSTER_ROLES}/${name}`)).json.rules.map((rule: unknown) =>
      JSON.stringify(rule)
    );
  const [admin, edit, view] = [await rules("admin"), await rules("edit"), await rules("view")];
  assertEquals(edit.filter((rule: string) => !admin.includes(rule)), []);
  assertEquals(view.filter((rule: string) => !edit.includes(rule)), []);
  assertEquals([view.length, edit.length, admin.length], [12, 27, 29]);
  await cluster.call("POST", CLUSTER_ROLES, {
    metadata: {
      name: "widgets-view",
      labels: { "rbac.authorization.k8s.io/aggregate-to-view": "true" },
    },
    rules: [{ apiGroups: ["demo.example"], resources: ["widgets"], verbs: ["get"] }],
  });
  for (const name of ["view", "edit", "admin"]) {
    assertEquals((await rules(name)).join().includes("widgets"), true, name);
  }
});

Deno.test("roles that aggregate each other settle", async () => {
  await using cluster = new Cluster();
  for (const [name, other] of [["a", "b"], ["b", "a"]]) {
    await cluster.call("POST", CLUSTER_ROLES, {
      metadata: { name, labels: { me: name } },
      aggregationRule: {
        clusterRoleSelectors: [{ matchLabels: { me: other } }, { matchLabels: { part: name } }],
      },
    });
  }
  await cluster.call("POST", CLUSTER_ROLES, {
    metadata: { name: "c", labels: { part: "a" } },
    rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  });
  for (const name of ["a", "b"]) {
    assertEquals((await cluster.get(`${CLUSTER_ROLES}/${name}`)).json.rules.length, 1, name);
  }
});

Deno.test("a role with too many permissions to check is refused at once", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  await cluster.call("POST", `${RBAC}/clusterrolebindings`, {
    metadata: { name: "ann" },
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { kind: "ClusterRole", name: "admin", apiGroup: "rbac.authorization.k8s.io" },
  }, as("admin"));
  const many = Array.from({ length: 5_000 }, (_, index) => `x${index}`);
  const { status, json } = await cluster.call("POST", `${RBAC}/namespaces/default/roles`, {
    metadata: { name: "huge" },
    rules: [{ apiGroups: many, resources: many, verbs: many }],
  }, as("ann"));
  assertEquals([status, json.reason], [403, "Forbidden"]);
});

Deno.test("an encoded slash names the subresource also when it is authorized", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  await cluster.call(
    "POST",
    DEFINITIONS,
    crdOfAnything({ subresources: { status: {} } }),
    as("admin"),
  );
  const things = "/apis/a.example/v1/namespaces/default/things";
  const thing = { apiVersion: "a.example/v1", kind: "Thing", metadata: { name: "t" } };
  assertEquals((await cluster.call("POST", things, thing, as("admin"))).status, 201);
  await cluster.call("POST", `${RBAC}/namespaces/default/roles`, {
    metadata: { name: "things" },
    rules: [{ apiGroups: ["a.example"], resources: ["things"], verbs: ["patch"] }],
  }, as("admin"));
  await cluster.call("POST", `${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: "things" },
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { kind: "Role", name: "things", apiGroup: "rbac.authorization.k8s.io" },
  }, as("admin"));
  const patch = (path: string) =>
    cluster.call("PATCH", path, { status: { ok: true } }, {
      ...as("ann"),
      "content-type": "application/merge-patch+json",
    });
  assertEquals((await patch(`${things}/t`)).status, 200);
  for (const path of [`${things}/t/status`, `${things}/t%2Fstatus`, `${things}%2ft%2fstatus`]) {
    const { status, json } = await patch(path);
    assertEquals(status, 403, path);
    assertEquals(json.message.includes('cannot patch resource "things/status"'), true, path);
  }
});

Deno.test("SelfSubjectRulesReview reports bindings to roles that are missing", async () => {
  await using cluster = new Cluster({ tokens: TOKENS });
  await cluster.call("POST", `${RBAC}/namespaces/default/rolebindings`, {
    metadata: { name: "lost" },
    subjects: [{ kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" }],
    roleRef: { kind: "Role", name: "lost", apiGroup: "rbac.authorization.k8s.io" },
  }, as("admin"));
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const { json } = await cluster.call("POST", path, { spec: { namespace: "default" } }, as("ann"));
  assertEquals(
    json.status.evaluationError,
    'role.rbac.authorization.k8s.io "lost" not found',
  );
});
