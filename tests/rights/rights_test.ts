import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { parseAll } from "@std/yaml/parse";
import { Client } from "@kubeloop/controller/client";
import {
  denoPermissions,
  MissingRightsError,
  rbacYaml,
  requireRights,
  type Right,
} from "@kubeloop/controller/rights";
import {
  ConfigMaps,
  defineResource,
  Deployments,
  type KubeObject,
  Leases,
  Namespaces,
  Nodes,
  Pods,
  Secrets,
  Services,
} from "@kubeloop/controller/types";
import { ApiServer, VirtualClock } from "@kubeloop/testing";
import { readYamlDocuments } from "../../src/yaml/mod.ts";

const USER = "system:serviceaccount:ops:widgets";

const EventsV1 = defineResource({
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
});
const CoreEvents = defineResource({ ...EventsV1, group: "" });

const RIGHTS: readonly Right[] = [
  { resource: Pods, verbs: ["watch", "list"] },
  { resource: Services, verbs: ["list", "watch"] },
  { resource: Pods, verbs: ["patch", "list", "create"] },
  { resource: Pods, subresource: "status", verbs: ["patch"] },
  { resource: EventsV1, verbs: ["create", "patch"] },
  { resource: CoreEvents, verbs: ["patch", "create"] },
  { resource: Nodes, verbs: ["get"], resourceNames: ["b", "a"] },
  {
    resource: Leases,
    verbs: ["get", "create", "update"],
    namespace: "ops",
    resourceNames: ["widgets"],
  },
  { resource: Secrets, verbs: ["get"], namespace: "web" },
  // Allowed everywhere already.
  { resource: Pods, verbs: ["list"], namespace: "web" },
];

const EXPECTED = `apiVersion: v1
kind: ServiceAccount
metadata:
  name: widgets
  namespace: ops
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: widgets
rules:
  - apiGroups: ["", events.k8s.io]
    resources: [events]
    verbs: [create, patch]
  - apiGroups: [""]
    resources: [nodes]
    resourceNames: [a, b]
    verbs: [get]
  - apiGroups: [""]
    resources: [pods]
    verbs: [list, watch, create, patch]
  - apiGroups: [""]
    resources: [pods/status]
    verbs: [patch]
  - apiGroups: [""]
    resources: [services]
    verbs: [list, watch]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: widgets
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: widgets
subjects:
  - kind: ServiceAccount
    name: widgets
    namespace: ops
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: widgets
  namespace: ops
rules:
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    verbs: [create]
  - apiGroups: [coordination.k8s.io]
    resources: [leases]
    resourceNames: [widgets]
    verbs: [get, update]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: widgets
  namespace: ops
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: widgets
subjects:
  - kind: ServiceAccount
    name: widgets
    namespace: ops
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: widgets
  namespace: web
rules:
  - apiGroups: [""]
    resources: [secrets]
    verbs: [get]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata:
  name: widgets
  namespace: web
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: Role
  name: widgets
subjects:
  - kind: ServiceAccount
    name: widgets
    namespace: ops
`;

/** An API server with an administrator and the ServiceAccount `widgets`. */
class Cluster implements AsyncDisposable {
  readonly clock = new VirtualClock();
  readonly server = new ApiServer({
    clock: this.clock,
    tokens: {
      admin: { user: "admin", groups: ["system:masters"] },
      widgets: { user: USER, groups: ["system:serviceaccounts", "system:authenticated"] },
    },
  });
  readonly requests: string[] = [];
  readonly admin: Client = this.#clientOf("admin");
  readonly user: Client = this.#clientOf("widgets");

  #clientOf(token: string): Client {
    const { fetch, ...rest } = this.server.clientOptions;
    return new Client({
      ...rest,
      token,
      fetch: (request) => {
        if (token === "widgets") this.requests.push(new URL(request.url).pathname);
        return fetch(request);
      },
    });
  }

  do<R>(promise: Promise<R>): Promise<R> {
    return this.clock.run(promise);
  }

  /** Applies YAML. */
  async apply(yaml: string): Promise<void> {
    for (const name of ["ops", "web"]) {
      await this.do(this.admin.create(Namespaces, { metadata: { name } }).catch(() => {}));
    }
    for (const object of parseAll(yaml) as KubeObject[]) {
      const { apiVersion = "", kind = "", metadata } = object;
      const resource = defineResource({
        group: apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "",
        version: "v1",
        plural: `${kind.toLowerCase()}s`,
        kind,
        namespaced: metadata.namespace !== undefined,
      });
      await this.do(this.admin.create(resource, object));
    }
  }

  /** Asks the authorizer of the server about the ServiceAccount. */
  async may(resourceAttributes: Record<string, string>): Promise<boolean> {
    const SubjectAccessReviews = defineResource<
      KubeObject & { spec: unknown; status?: { allowed: boolean } }
    >({
      group: "authorization.k8s.io",
      version: "v1",
      plural: "subjectaccessreviews",
      kind: "SubjectAccessReview",
      namespaced: false,
    });
    const spec = { user: USER, resourceAttributes };
    const { status } = await this.do(
      this.admin.create(SubjectAccessReviews, { metadata: {}, spec }),
    );
    return status?.allowed ?? false;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.admin.close();
    await this.user.close();
    await this.server[Symbol.asyncDispose]();
  }
}

Deno.test("rbacYaml() prints minimal rules, whatever the order of the rights", () => {
  const options = { name: "widgets", namespace: "ops" };
  assertEquals(rbacYaml(RIGHTS, options), EXPECTED);
  assertEquals(rbacYaml([...RIGHTS].reverse(), options), EXPECTED);
  assertEquals(rbacYaml([...RIGHTS, ...RIGHTS], options), EXPECTED);
});

Deno.test("rbacYaml() grants exactly the rights: the API server takes the objects and allows nothing else", async () => {
  await using cluster = new Cluster();
  await cluster.apply(rbacYaml(RIGHTS, { name: "widgets", namespace: "ops" }));
  const allowed = new Set<string>();
  const key = (...parts: unknown[]) => parts.join(" ");
  for (const right of RIGHTS) {
    for (const verb of right.verbs) {
      const names = verb === "create" ? [""] : right.resourceNames ?? ["", "other"];
      for (const name of verb === "create" ? ["", "other"] : names) {
        for (const namespace of right.namespace ? [right.namespace] : ["", "ops", "web"]) {
          const { resource: { group, plural }, subresource = "" } = right;
          allowed.add(key(verb, group, plural, subresource, namespace, name));
        }
      }
    }
  }
  const targets = RIGHTS.map(({ resource }) => resource).concat(Deployments, ConfigMaps);
  let asked = 0;
  for (const { group, plural } of new Set(targets)) {
    for (const verb of ["get", "list", "create", "update", "patch", "delete"]) {
      for (const subresource of plural === "pods" ? ["", "status"] : [""]) {
        for (const namespace of plural === "nodes" ? [""] : ["", "ops", "web"]) {
          for (const name of ["", "a", "other", "widgets"]) {
            const expected = allowed.has(key(verb, group, plural, subresource, namespace, name)) ||
              allowed.has(key(verb, group, plural, subresource, namespace, ""));
            const asks = { verb, group, resource: plural, subresource, namespace, name };
            assertEquals(await cluster.may(asks), expected, JSON.stringify(asks));
            asked++;
          }
        }
      }
    }
  }
  assert(asked > 100);
});

Deno.test("rbacYaml() limits rights to namespaces with a Role in each", () => {
  const text = rbacYaml(
    [
      { resource: Pods, verbs: ["list"] },
      { resource: Nodes, verbs: ["list"] },
      { resource: Leases, verbs: ["get"], namespace: "ops" },
    ],
    { name: "widgets", namespace: "ops", namespaces: ["web", "shop"] },
  );
  const objects = parseAll(text) as (KubeObject & { rules?: { resources: string[] }[] })[];
  assertEquals(
    objects.filter(({ rules }) => rules).map(({ kind, metadata, rules }) => [
      kind,
      metadata.namespace,
      rules?.flatMap(({ resources }) => resources),
    ]),
    [
      ["ClusterRole", undefined, ["nodes"]],
      ["Role", "ops", ["leases"]],
      ["Role", "shop", ["pods"]],
      ["Role", "web", ["pods"]],
    ],
  );
});

Deno.test("rbacYaml() quotes values that YAML would not read as text", () => {
  const text = rbacYaml([{ resource: Pods, verbs: ["*", "get"], namespace: "1e3" }], {
    name: "true",
    namespace: "0",
  });
  const [account, role] = parseAll(text) as (KubeObject & { rules: unknown })[];
  assertEquals(account?.metadata, { name: "true", namespace: "0" });
  assertEquals(role?.metadata, { name: "true", namespace: "1e3" });
  assertEquals(role?.rules, [{ apiGroups: [""], resources: ["pods"], verbs: ["*"] }]);
});

Deno.test("rbacYaml() quotes arbitrary names as Kubernetes reads them", async () => {
  const resourceNames = [
    "y",
    "0o7",
    "1_0",
    "<<",
    "a\u2028b",
    "\u0085",
    "\x7f",
    ".5_0",
    "a: b",
    "A",
  ];
  const text = rbacYaml([{ resource: Pods, verbs: ["get"], resourceNames }], { name: "a" });
  const [, role] = await readYamlDocuments(text) as [unknown, { rules: unknown }];
  assertEquals(role.rules, [
    {
      apiGroups: [""],
      resources: ["pods"],
      resourceNames: resourceNames.toSorted(),
      verbs: ["get"],
    },
  ]);
});

Deno.test("rbacYaml() rejects rights without a resource or verbs, and impossible names", () => {
  const pods = { resource: Pods, verbs: ["get"] };
  const cases: [unknown, unknown, string][] = [
    [[{ verbs: ["get"] }], { name: "a" }, "right 1 has no resource"],
    [[undefined], { name: "a" }, "right 1 has no resource"],
    [[pods, { resource: Pods, verbs: "get" }], { name: "a" }, "right 2 has no verbs"],
    [[{ ...pods, resourceNames: "x" }], { name: "a" }, "resourceNames"],
    [[pods], { name: "a: b" }, 'the name is "a: b"'],
    [[pods], {}, "the name is undefined"],
    [[pods], { name: "a", nameSpace: "b" }, 'no option "nameSpace": did you mean "namespace"?'],
    [[pods], { name: "a", namespaces: "b" }, "namespaces must be an array: received a string"],
    [[pods], undefined, "rbacYaml() takes an object with options: received undefined"],
    [[{ ...pods, namespace: "a\nb" }], { name: "a" }, 'the namespace of a right is "a\\nb"'],
  ];
  for (const [rights, options, message] of cases) {
    assertThrows(
      () => rbacYaml(rights as Right[], options as { name: string }),
      TypeError,
      message,
    );
  }
});

Deno.test("denoPermissions() permits each address, file and variable once", () => {
  assertEquals(
    denoPermissions({
      hosts: ["b:443", "a", "a:80", "[::1]:443", "[::1]:443"],
      listens: ["0.0.0.0:8080"],
      readPaths: ["/z", "/with,comma"],
      envs: ["B", "A", "B"],
    }),
    [
      "--allow-net=0.0.0.0:8080,[::1]:443,a,b:443",
      "--allow-read=/with,,comma,/z",
      "--allow-env=A,B",
    ],
  );
  assertEquals(denoPermissions({}), []);
  assertThrows(() => denoPermissions({ hosts: ["https://a"] }), TypeError, "expected host:port");
  assertThrows(() => denoPermissions({ readPaths: [""] }), TypeError, "--allow-read");
});

Deno.test("requireRights() accepts the rights of rbacYaml(), with one request for each namespace", async () => {
  await using cluster = new Cluster();
  await cluster.apply(rbacYaml(RIGHTS, { name: "widgets", namespace: "ops" }));
  await cluster.do(requireRights(cluster.user, RIGHTS));
  const rulesReviews = cluster.requests.filter((path) => path.endsWith("rulesreviews"));
  assertEquals(rulesReviews.length, 2);
  cluster.requests.length = 0;
  const limited = RIGHTS.filter(({ namespace }) => namespace !== undefined);
  await cluster.do(requireRights(cluster.user, limited));
  // Is it an administrator? And the rules of the two namespaces.
  assertEquals(cluster.requests.length, 3);
});

Deno.test("requireRights() asks once for an administrator", async () => {
  await using cluster = new Cluster();
  const { fetch } = cluster.server.clientOptions;
  let requests = 0;
  await using client = new Client({
    ...cluster.server.clientOptions,
    token: "admin",
    fetch: (request) => (requests++, fetch(request)),
  });
  await cluster.do(requireRights(client, RIGHTS));
  assertEquals(requests, 1);
});

Deno.test("requireRights() throws one error with all missing rights and the rules that grant them", async () => {
  await using cluster = new Cluster();
  await cluster.apply(rbacYaml(
    [{ resource: Pods, verbs: ["list", "watch"] }, {
      resource: Secrets,
      verbs: ["get"],
      namespace: "web",
    }],
    { name: "widgets", namespace: "ops" },
  ));
  const error = await assertRejects(
    () =>
      cluster.do(requireRights(cluster.user, [
        { resource: Pods, verbs: ["list", "watch", "patch"] },
        { resource: Pods, verbs: ["delete", "patch"] },
        { resource: Pods, subresource: "status", verbs: ["patch"] },
        { resource: Secrets, verbs: ["get", "list"], namespace: "web" },
        { resource: Nodes, verbs: ["get", "create"], resourceNames: ["a", "b"] },
      ])),
    MissingRightsError,
  );
  assert(MissingRightsError.is(error));
  assertEquals(
    error.message,
    `The API server does not let this program do all that it needs:
- it may not patch, delete pods in all namespaces
- it may not patch status of pods in all namespaces
- it may not list secrets in namespace web
- it may not get nodes a, b
- it may not create nodes
Grant it these RBAC rules:
# ClusterRole
rules:
  - apiGroups: [""]
    resources: [nodes]
    verbs: [create]
  - apiGroups: [""]
    resources: [nodes]
    resourceNames: [a, b]
    verbs: [get]
  - apiGroups: [""]
    resources: [pods]
    verbs: [patch, delete]
  - apiGroups: [""]
    resources: [pods/status]
    verbs: [patch]
# Role in namespace web
rules:
  - apiGroups: [""]
    resources: [secrets]
    verbs: [list]
`,
  );
});

Deno.test("requireRights() passes if reviews are not possible, and rejects with other failures", async () => {
  for (const [code, fails] of [[403, false], [404, false], [500, true]] as const) {
    await using cluster = new Cluster();
    cluster.server.faults.fail(code, { when: ({ group }) => group === "authorization.k8s.io" });
    const check = () => cluster.do(requireRights(cluster.user, RIGHTS));
    if (fails) assertStringIncludes(String(await assertRejects(check)), "Injected failure 500");
    else await check();
  }
});
