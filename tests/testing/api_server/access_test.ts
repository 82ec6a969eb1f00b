import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

const TOKENS = {
  admin: { user: "root", groups: ["system:masters"] },
  ann: { user: "ann", groups: ["devs"] },
  robot: { user: "system:serviceaccount:default:robot" },
};

const PODS = Cluster.path("pods");
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

Deno.test("a role grants its rules in the namespace of its binding, as soon as it is written", async () => {
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
