import { assertEquals } from "@std/assert";
import { explainError, StatusError } from "../../src/types/mod.ts";

const CASES: [unknown, string][] = [
  [
    new StatusError({ code: 403, reason: "Forbidden", message: 'User "u" cannot list pods' }),
    'User "u" cannot list pods (403 Forbidden): grant the right with a Role and a RoleBinding (or a ClusterRole and a ClusterRoleBinding)',
  ],
  ...[
    'pods is forbidden: User "system:serviceaccount:a:b" cannot list resource "pods" in API group "" in the namespace "c"',
    'clusterroles.rbac.authorization.k8s.io "system:x" is forbidden: User "u" cannot get resource "clusterroles": RBAC: not found',
    'forbidden: User "u" cannot get path "/metrics"',
  ].map((message): [unknown, string] => [
    new StatusError({ code: 403, reason: "Forbidden", message }),
    `${message} (403 Forbidden): grant the right with a Role and a RoleBinding (or a ClusterRole and a ClusterRoleBinding)`,
  ]),
  [
    new StatusError({
      code: 403,
      reason: "Forbidden",
      message: 'pods is forbidden: User "system:anonymous" cannot list resource "pods"',
    }),
    'pods is forbidden: User "system:anonymous" cannot list resource "pods" (403 Forbidden): the server knows no user for this request, give credentials that it accepts, such as a token or a client certificate',
  ],
  // Other parts of a server than its authorizers answer 403, too.
  ...[
    'pods "a" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
    'pods "a" is forbidden: violates PodSecurity "restricted:latest": privileged',
    'configmaps "a" is forbidden: unable to create new content in namespace b because it is being terminated',
    'admission webhook "w.acme.io" denied the request: User "u" cannot do this',
    'roles.rbac.authorization.k8s.io "r" is forbidden: user "u" (groups=[]) is attempting to grant RBAC permissions not currently held',
    "no",
  ].map((message): [unknown, string] => [
    new StatusError({ code: 403, reason: "Forbidden", message }),
    `${message} (403 Forbidden)`,
  ]),
  [
    new StatusError({ code: 401, reason: "Unauthorized", message: "Unauthorized" }),
    "Unauthorized (401 Unauthorized): the server accepts no credentials of this request, give a valid token or client certificate",
  ],
  [
    new StatusError({ code: 404, reason: "NotFound", message: "not there", details: {} }),
    "not there (404 NotFound): is the resource's CustomResourceDefinition installed, in this version?",
  ],
  [
    new StatusError({ code: 404, reason: "NotFound", message: "no p", details: { name: "p" } }),
    "no p (404 NotFound)",
  ],
  [new StatusError({ code: 500, message: "two\n lines" }), "two lines (500)"],
  [new Error("failed", { cause: new Error("because\nof this") }), "failed: because of this"],
  ["thrown text", "thrown text"],
];

for (const [error, line] of CASES) {
  Deno.test(`explainError() returns one line: ${line.slice(0, 40)}`, () => {
    assertEquals(explainError(error), line);
  });
}

Deno.test("explainError() takes linear time for blanks and line breaks", () => {
  for (const part of [" ", "\n", "\r\n", "\t \n", "\u2028", "\u00a0"]) {
    // Minutes, if it took quadratic time.
    const message = `a${part.repeat(1_000_000)}b`;
    for (const error of [new Error(message), new StatusError({ code: 500, message }), message]) {
      explainError(error);
    }
  }
  assertEquals(explainError(new Error(`a${" \n\t".repeat(1_000_000)}b`)), "a b");
});
