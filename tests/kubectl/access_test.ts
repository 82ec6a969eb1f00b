import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { Client } from "@kubeloop/controller/client";
import { canI, requestToken, whoAmI } from "@kubeloop/kubectl";
import { defineResource, type KubeObject, Pods, Secrets } from "@kubeloop/controller/types";
import { namespace, World } from "./_world.ts";

const Roles = defineResource<KubeObject & { rules?: object[] }>({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "roles",
  kind: "Role",
  namespaced: true,
});
const RoleBindings = defineResource<KubeObject & { roleRef?: object; subjects?: object[] }>({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  plural: "rolebindings",
  kind: "RoleBinding",
  namespaced: true,
});

Deno.test("canI() and whoAmI() answer for the client's own credentials", async () => {
  const ann = { user: "ann", groups: ["devs"] };
  await using world = new World({
    tokens: { admin: { user: "root", groups: ["system:masters"] }, ann },
  });
  const { server } = world;
  const as = (token: string) => new Client({ ...server.clientOptions, token });
  await using admin = as("admin");
  await using client = as("ann");
  const rules = [{
    apiGroups: [""],
    resources: ["pods", "pods/log"],
    verbs: ["get"],
    resourceNames: ["a"],
  }];
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" };
  const subjects = [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: "ann" }];
  await world.run(admin.create(Roles, { metadata: { name: "r", namespace }, rules }));
  await world.run(
    admin.create(RoleBindings, { metadata: { name: "r", namespace }, roleRef, subjects }),
  );
  const question = { verb: "get", resource: Pods, namespace, name: "a" };
  for (
    const [asked, expected] of [
      [question, true],
      [{ ...question, subresource: "log" }, true],
      [{ ...question, name: "b" }, false],
      [{ ...question, name: undefined }, false],
      [{ ...question, namespace: undefined }, false],
      [{ ...question, verb: "delete" }, false],
      [{ ...question, resource: Secrets }, false],
      [{ verb: "get", path: "/healthz" }, true],
      [{ verb: "get", path: "/metrics" }, false],
    ] as const
  ) assertEquals(await world.run(canI(client, asked)), expected, JSON.stringify(asked));
  const me = await world.run(whoAmI(client));
  assertEquals([me.username, me.groups, me.uid, me.extra], [
    "ann",
    ["devs", "system:authenticated"],
    "",
    {},
  ]);
});

Deno.test("canI() refuses a question that is incomplete", async () => {
  await using world = new World();
  for (
    const [question, message] of [
      [undefined, "canI() needs a verb and a resource or a path"],
      [{ resource: Pods }, "received the verb undefined"],
      [{ verb: "get" }, "canI() needs a resource such as Pods, or a path: received undefined"],
      [
        { verb: "get", resource: Pods, namespace: "" },
        'namespace must be a non-empty text, or left out: received ""',
      ],
      [{ verb: "get", resource: Pods, name: 3 }, "name must be a non-empty text"],
      [
        { verb: "get", resource: Pods, namspace: "a" },
        'The question of canI() has no option "namspace": did you mean "namespace"?',
      ],
    ] as const
  ) {
    const error = await assertRejects(() => canI(world.client, question as never), TypeError);
    assertStringIncludes(error.message, message);
  }
  assertEquals(world.requests, []);
});

Deno.test("requestToken() returns the token that the server issues", async () => {
  await using world = new World();
  const sent: unknown[] = [];
  let answer: unknown;
  await using client = new Client({
    clock: world.clock,
    fetch: async (request) => {
      sent.push([request.method, new URL(request.url).pathname, await request.json()]);
      return Response.json(answer, { status: 201 });
    },
  });
  // As kube-apiserver 1.35 answers.
  answer = {
    kind: "TokenRequest",
    apiVersion: "authentication.k8s.io/v1",
    metadata: { name: "robot", namespace, creationTimestamp: "2026-11-25T13:00:00Z" },
    spec: { audiences: ["vault"], expirationSeconds: 900, boundObjectRef: null },
    status: { token: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln", expirationTimestamp: "2026-11-25T13:15:00Z" },
  };
  const account = { name: "robot", namespace };
  const options = { audiences: ["vault"], expirationSeconds: 900 };
  assertEquals(await requestToken(client, account, options), {
    token: "eyJhbGciOiJSUzI1NiJ9.e30.c2ln",
    expirationTimestamp: "2026-11-25T13:15:00Z",
  });
  assertEquals(sent, [["POST", "/api/v1/namespaces/default/serviceaccounts/robot/token", {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    metadata: { name: "robot", namespace },
    spec: { audiences: ["vault"], expirationSeconds: 900 },
  }]]);
  answer = { kind: "TokenRequest", status: { token: "secret" } };
  const error = await assertRejects(() => requestToken(client, account), Error);
  assertEquals(
    error.message,
    "The server answered without a token of ServiceAccount default/robot",
  );
  await assertRejects(
    () => requestToken(client, account, { expirationSeconds: 5 }),
    RangeError,
    "at least 600",
  );
  await assertRejects(
    () => requestToken(client, account, { audiences: "x" as never }),
    TypeError,
    "audiences",
  );
  await assertRejects(
    () => requestToken(client, "robot" as never),
    TypeError,
    "requestToken() needs",
  );
  assert(sent.length === 2);
});
