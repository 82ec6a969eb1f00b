import { assertEquals } from "@std/assert";
import { Cluster } from "./cluster.ts";

const TOKENS = "/apis/authentication.k8s.io/v1/tokenreviews";
const LOCAL = "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews";

Deno.test("a TokenReview names the authenticated user", async () => {
  const tokens = {
    root: { user: "root", groups: ["system:masters"] },
    other: { user: "other", uid: "2" },
  };
  await using cluster = new Cluster({ tokens });
  const review = async (spec: object) => {
    const headers = { authorization: "Bearer root" };
    const { status, json } = await cluster.call("POST", TOKENS, { spec }, headers);
    return status === 201 ? json.status : json.message;
  };
  const audience = "https://kubernetes.default.svc";
  const user = { username: "other", uid: "2", groups: ["system:authenticated"] };
  const authenticated = { authenticated: true, user, audiences: [audience] };
  assertEquals(await review({ token: "other" }), authenticated);
  assertEquals(await review({ token: "other", audiences: ["x", audience] }), authenticated);
  const unknown = { user: {}, error: "invalid bearer token" };
  assertEquals(await review({ token: "none" }), unknown);
  assertEquals(await review({ token: "other", audiences: ["x"] }), unknown);
  assertEquals(await review({}), "token is required for TokenReview in authentication");
});

Deno.test("a LocalSubjectAccessReview is about its namespace", async () => {
  await using cluster = new Cluster();
  const review = async (spec: object, metadata: object = {}) => {
    const { status, json } = await cluster.call("POST", LOCAL, { metadata, spec });
    return status === 201 ? json.status.allowed : json.message;
  };
  const get = { verb: "get", resource: "pods", namespace: "default" };
  assertEquals(await review({ user: "u", resourceAttributes: get }), false);
  const admin = { groups: ["system:masters"], resourceAttributes: get };
  assertEquals(await review(admin, { namespace: "default" }), true);
  assertEquals(
    await review(admin, { namespace: "other" }),
    "the namespace of the provided object does not match the namespace sent on the request",
  );
  assertEquals(
    await review({ user: "u", resourceAttributes: { ...get, namespace: "other" } }),
    '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "other": must match metadata.namespace',
  );
  assertEquals(
    await review({ user: "u", nonResourceAttributes: { path: "/x", verb: "get" } }),
    '.authorization.k8s.io "" is invalid: spec.nonResourceAttributes: Invalid value: {"path":"/x","verb":"get"}: disallowed on this kind of request',
  );
});

Deno.test("reviews are only created, in their scope and without metadata", async () => {
  await using cluster = new Cluster();
  const everywhere = "/apis/authorization.k8s.io/v1";
  assertEquals((await cluster.get(TOKENS)).status, 405);
  assertEquals((await cluster.get(`${TOKENS}/x`)).status, 404);
  const path = `${everywhere}/localsubjectaccessreviews`;
  assertEquals((await cluster.call("POST", path, { spec: { user: "u" } })).status, 404);
  const { json } = await cluster.call("POST", `${everywhere}/selfsubjectaccessreviews`, {
    metadata: { name: "x" },
    spec: { resourceAttributes: { verb: "get", resource: "pods" } },
  });
  assertEquals([json.code, json.details.causes[0].field], [422, "metadata"]);
});
