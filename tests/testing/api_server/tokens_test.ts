import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { ApiServerOptions } from "@kubeloop/testing";
import { SeededRandom } from "../../../src/testing/mod.ts";
import { Cluster } from "./cluster.ts";

// tests/conformance/scenarios/tokens.ts compares requests for tokens with the real server.

const ACCOUNTS = Cluster.path("serviceaccounts");
const WHO = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
const HOUR_MS = 3_600_000;

/** A server with the service account `robot`. */
async function withRobot(options: ApiServerOptions = {}): Promise<Cluster> {
  const cluster = new Cluster(options);
  await cluster.call("POST", ACCOUNTS, { metadata: { name: "robot" } });
  return cluster;
}

async function tokenOf(cluster: Cluster, spec: object = {}): Promise<string> {
  return (await cluster.call("POST", `${ACCOUNTS}/robot/token`, { spec })).json.status.token;
}

function claimsOf(token: string): Record<string, unknown> {
  return JSON.parse(atob(token.split(".")[1]!.replaceAll("-", "+").replaceAll("_", "/")));
}

/** Returns what a review says about a token: its user, or the error. */
async function review(cluster: Cluster, token: string): Promise<string> {
  const path = "/apis/authentication.k8s.io/v1/tokenreviews";
  const { json } = await cluster.call("POST", path, { spec: { token } });
  return json.status.user?.username ?? json.status.error;
}

/** Returns the status of a request with a token, and the name of its user. */
async function who(cluster: Cluster, token: string): Promise<[number, string?]> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, json } = await cluster.call("POST", WHO, {}, headers);
  return status === 201 ? [status, json.status.userInfo.username] : [status];
}

const ROBOT = "system:serviceaccount:default:robot";

Deno.test("a token makes its bearer the service account, also on a server without tokens", async () => {
  await using cluster = await withRobot();
  const token = await tokenOf(cluster);
  assertEquals(await who(cluster, token), [201, ROBOT]);
  assertEquals(await who(cluster, "any"), [201, "kubernetes-admin"]);
  const headers = { authorization: `Bearer ${token}` };
  const list = () => cluster.call("GET", Cluster.path("configmaps"), undefined, headers);
  assertEquals((await list()).status, 403);
  await cluster.call("POST", "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings", {
    metadata: { name: "robot" },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
    subjects: [{ kind: "ServiceAccount", name: "robot", namespace: "default" }],
  });
  assertEquals((await list()).status, 200);
});

Deno.test("a token ends a minute after its time, and with its account or the object that it is bound to", async () => {
  await using cluster = await withRobot();
  const short = await tokenOf(cluster, { expirationSeconds: 600 });
  await cluster.clock.advance(659_000);
  assertEquals(await who(cluster, short), [201, ROBOT]);
  await cluster.clock.advance(2_000);
  assertEquals(await who(cluster, short), [401]);

  await cluster.call("POST", Cluster.path("secrets"), { metadata: { name: "s" } });
  const boundObjectRef = { kind: "Secret", apiVersion: "v1", name: "s" };
  const [plain, bound] = [await tokenOf(cluster), await tokenOf(cluster, { boundObjectRef })];
  assertEquals(await who(cluster, bound), [201, ROBOT]);
  await cluster.call("DELETE", Cluster.path("secrets", "s"));
  await cluster.call("POST", Cluster.path("secrets"), { metadata: { name: "s" } });
  assertEquals(await who(cluster, bound), [401], "another Secret of the same name");
  assertEquals(await who(cluster, plain), [201, ROBOT]);
  await cluster.call("DELETE", `${ACCOUNTS}/robot`);
  await cluster.call("POST", ACCOUNTS, { metadata: { name: "robot" } });
  assertEquals(await who(cluster, plain), [401], "another account of the same name");
});

Deno.test("a kubelet's token for a Pod is valid for a year", async () => {
  await using cluster = await withRobot();
  await cluster.pod("p", { serviceAccountName: "robot" });
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p" };
  const long = await tokenOf(cluster, { boundObjectRef, expirationSeconds: 3607 });
  const other = await tokenOf(cluster, { boundObjectRef, expirationSeconds: 3608 });
  await cluster.clock.advance(300 * 24 * HOUR_MS);
  assertEquals(await who(cluster, long), [201, ROBOT]);
  assertEquals(await who(cluster, other), [401]);
});

Deno.test("a token has the claims of its account and object, and warns when the kubelet would", async () => {
  await using cluster = await withRobot();
  const { json: account } = await cluster.get(`${ACCOUNTS}/robot`);
  const { json: pod } = await cluster.pod("p", { serviceAccountName: "robot" });
  const boundObjectRef = { kind: "Pod", apiVersion: "v1", name: "p" };
  const about = {
    namespace: "default",
    serviceaccount: { name: "robot", uid: account.metadata.uid },
  };
  const now = Math.floor(cluster.clock.wallNow() / 1000);
  const plain = claimsOf(await tokenOf(cluster, { expirationSeconds: 700 }));
  assertEquals(plain["kubernetes.io"], about);
  assertEquals([plain["iat"], plain["nbf"], plain["exp"]], [now, now, now + 700]);
  const long = claimsOf(await tokenOf(cluster, { boundObjectRef, expirationSeconds: 3607 }));
  assertEquals(long["kubernetes.io"], {
    ...about,
    pod: { name: "p", uid: pod.metadata.uid },
    warnafter: now + 3607,
  });
  assertEquals(long["exp"], now + 365 * 24 * 3600);
  await cluster.pod("placed", { serviceAccountName: "robot", nodeName: "n1" });
  const placed = { boundObjectRef: { ...boundObjectRef, name: "placed" } };
  const nodeOf = async () =>
    (claimsOf(await tokenOf(cluster, placed))["kubernetes.io"] as { node: unknown }).node;
  assertEquals(await nodeOf(), { name: "n1" });
  const node = await cluster.call("POST", "/api/v1/nodes", { metadata: { name: "n1" } });
  assertEquals(await nodeOf(), { name: "n1", uid: node.json.metadata.uid });
});

Deno.test("a token ends a minute after its account or its object is marked for deletion", async () => {
  await using cluster = await withRobot();
  const finalizers = ["example.com/held"];
  await cluster.call("POST", Cluster.path("secrets"), { metadata: { name: "s", finalizers } });
  const boundObjectRef = { kind: "Secret", apiVersion: "v1", name: "s" };
  const [plain, bound] = [await tokenOf(cluster), await tokenOf(cluster, { boundObjectRef })];
  await cluster.call("DELETE", Cluster.path("secrets", "s"));
  await cluster.clock.advance(60_000);
  assertEquals(await review(cluster, bound), ROBOT);
  await cluster.clock.advance(1_000);
  assertEquals(
    await review(cluster, bound),
    "[invalid bearer token, service account token has been invalidated]",
  );
  assertEquals(await review(cluster, plain), ROBOT);
  await cluster.merge(`${ACCOUNTS}/robot`, { metadata: { finalizers } });
  await cluster.call("DELETE", `${ACCOUNTS}/robot`);
  assertEquals(await review(cluster, plain), ROBOT);
  await cluster.clock.advance(61_000);
  assertEquals(
    await review(cluster, plain),
    "[invalid bearer token, service account default/robot has been deleted]",
  );
});

Deno.test("a review tells why a token is refused", async () => {
  await using cluster = await withRobot();
  const token = await tokenOf(cluster, { expirationSeconds: 600 });
  await cluster.clock.advance(660_000);
  assertEquals(await review(cluster, token), ROBOT);
  await cluster.clock.advance(1_000);
  assertEquals(
    await review(cluster, token),
    "[invalid bearer token, service account token has expired]",
  );
});

Deno.test("the same seed issues the same tokens, and takes them after a restart from a state", async () => {
  await using first = await withRobot({ random: new SeededRandom(3) });
  await using second = await withRobot({ random: new SeededRandom(3) });
  await using stranger = await withRobot({ random: new SeededRandom(4) });
  const token = await tokenOf(first);
  assertEquals(await tokenOf(second), token);
  assertNotEquals(await tokenOf(first), token);
  assertEquals(await who(stranger, token), [401], "signed by another server");
  await using restarted = new Cluster({ random: new SeededRandom(3), state: first.server.state() });
  assertEquals(await who(restarted, token), [201, ROBOT]);
});

Deno.test("a token whose claims were changed is refused", async () => {
  await using cluster = await withRobot();
  const [head, claims, signature] = (await tokenOf(cluster)).split(".");
  const other = btoa(atob(claims!).replaceAll("robot", "admin")).replaceAll("=", "");
  assertEquals(await who(cluster, `${head}.${other}.${signature}`), [401]);
  assertEquals(await who(cluster, `${head}.${claims}.`), [401]);
});

Deno.test("the published key verifies a token", async () => {
  await using cluster = await withRobot();
  const token = await tokenOf(cluster);
  const { json } = await cluster.get("/openid/v1/jwks");
  const [jwk] = json.keys;
  const [head, claims, signature] = token.split(".").map((part) =>
    Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0))
  );
  assertEquals(JSON.parse(new TextDecoder().decode(head)), { alg: "EdDSA", kid: jwk.kid });
  const { kty, crv, x } = jwk;
  const key = await crypto.subtle.importKey("jwk", { kty, crv, x }, "Ed25519", false, ["verify"]);
  const text = new TextEncoder().encode(token.slice(0, token.lastIndexOf(".")));
  assert(await crypto.subtle.verify("Ed25519", key, signature!, text));
  const { iss, aud, sub } = JSON.parse(new TextDecoder().decode(claims));
  assertEquals([iss, aud, sub], [
    "https://kubernetes.default.svc",
    ["https://kubernetes.default.svc"],
    ROBOT,
  ]);
  const configuration = await cluster.get("/.well-known/openid-configuration");
  assertEquals(configuration.json.id_token_signing_alg_values_supported, ["EdDSA"]);
});
