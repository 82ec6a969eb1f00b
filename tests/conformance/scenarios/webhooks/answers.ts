import { get, merge, post, type StepScenario } from "../../step.ts";
import { allow, Hooks, patch } from "./_hooks.ts";
import type { Script } from "../../scripted_webhooks.ts";

const hooks = new Hooks("hooks-answers");

const json = (body: string, init: ResponseInit = {}): Response =>
  new Response(body, { headers: { "content-type": "application/json" }, ...init });

const text = (body: string, status: number, type = "text/plain; charset=utf-8"): Response =>
  new Response(body, { status, headers: { "content-type": type } });

const deny = (status: unknown): Script => () => ({ allowed: false, status });

const review = (response: unknown): object => ({
  apiVersion: "admission.k8s.io/v1",
  kind: "AdmissionReview",
  response,
});

/** A patch as text. */
const raw = (text: string, fields: object = {}): Script => () => ({
  allowed: true,
  patchType: "JSONPatch",
  patch: btoa(text),
  ...fields,
});

/** Denials, which both types of webhooks may give. */
const DENIALS: Readonly<Record<string, Script>> = {
  "deny-bare": () => ({ allowed: false }),
  "deny-null": deny(null),
  "deny-empty": deny({}),
  "deny-message": deny({ message: "no" }),
  "deny-code": deny({ code: 418 }),
  "deny-code-200": deny({ code: 200, message: "fine" }),
  "deny-code-399": deny({ code: 399, message: "moved" }),
  "deny-code-409": deny({ code: 409, reason: "Conflict", message: "taken" }),
  "deny-code-429": deny({
    code: 429,
    reason: "TooManyRequests",
    message: "wait",
    details: { retryAfterSeconds: 7 },
  }),
  "deny-code-500": deny({ code: 500, message: "broken", reason: "InternalError" }),
  "deny-code-text": deny({ code: "403", message: "text" }),
  "deny-code-fraction": deny({ code: 403.5, message: "half" }),
  "deny-code-negative": deny({ code: -1, message: "below" }),
  "deny-reason": deny({ reason: "Because" }),
  "deny-reason-invalid": deny({ reason: "Invalid", code: 422 }),
  "deny-success": deny({ status: "Success", message: "yes" }),
  "deny-status-other": deny({ status: "Maybe", message: "perhaps" }),
  "deny-status-text": deny("no"),
  "deny-status-list": deny([]),
  "deny-message-number": deny({ message: 7 }),
  "deny-details": deny({
    message: "details",
    details: {
      name: "n",
      group: "g",
      kind: "k",
      uid: "u",
      causes: [{ reason: "R", message: "m", field: "f" }],
      other: 1,
    },
  }),
  "deny-metadata": deny({ message: "meta", metadata: { resourceVersion: "5", selfLink: "/x" } }),
  "deny-unknown": deny({ message: "unknown", extra: true, apiVersion: "v2", kind: "Other" }),
  "deny-html": deny({ message: "<b>no & \u2028 no</b>\n\tagain" }),
  "deny-warned": () => ({ allowed: false, warnings: ["denied with a warning"] }),
  "deny-patched": () => ({ ...patch({ op: "add", path: "/data", value: {} }), allowed: false }),
  "deny-audited": () => ({ allowed: false, auditAnnotations: { a: "b" } }),
};

const MANY = Array.from({ length: 30 }, (_, i) => `${i} ${"many ".repeat(50)}`);

/** Warnings. */
const WARNINGS: Readonly<Record<string, Script>> = {
  "warn-one": () => ({ allowed: true, warnings: ["one"] }),
  "warn-twice": () => ({ allowed: true, warnings: ["same", "other", "same", ""] }),
  "warn-quotes": () => ({ allowed: true, warnings: ['say "hi" \\ back', "a,b; c"] }),
  "warn-foreign": () => ({ allowed: true, warnings: ["Grüße, 世界 🎉"] }),
  "warn-control": () => ({ allowed: true, warnings: ["tab\there", "line\nbreak", "bell\u0007"] }),
  "warn-long": () => ({ allowed: true, warnings: ["long ".repeat(100)] }),
  "warn-longest": () => ({ allowed: true, warnings: ["x".repeat(5000), "short"] }),
  "warn-many": () => ({ allowed: true, warnings: MANY }),
  "warn-number": () => ({ allowed: true, warnings: [1] }),
  "warn-text": () => ({ allowed: true, warnings: "text" }),
  "warn-null": () => ({ allowed: true, warnings: null }),
  "audit": () => ({ allowed: true, auditAnnotations: { key: "value", "a.b/c": "d" } }),
  "audit-number": () => ({ allowed: true, auditAnnotations: { key: 1 } }),
};

/** Answers that are not valid. */
const BROKEN: Readonly<Record<string, Script>> = {
  "status-204": () => new Response(null, { status: 204 }),
  "status-201": ({ uid }) => Response.json(review({ uid, allowed: true }), { status: 201 }),
  "status-304": () => new Response(null, { status: 304 }),
  "status-400": () => text("bad", 400),
  "status-401": () => text("who", 401),
  "status-403": () => text("forbidden here", 403),
  "status-404": () => text("nothing", 404),
  "status-405": () => text("not so", 405),
  "status-406": () => text("cannot", 406),
  "status-408": () => text("late", 408),
  "status-409": () => text("conflict", 409),
  "status-410": () => text("gone", 410),
  "status-413": () => text("big", 413),
  "status-415": () => text("type", 415),
  "status-418": () => text("tea", 418),
  "status-422": () => text("bad thing", 422),
  "status-500": () => text("oops", 500),
  "status-500-html": () => text("<html>oops</html>", 500, "text/html"),
  "status-500-json": () => json('{"error":"oops"}', { status: 500 }),
  "status-500-empty": () => new Response(null, { status: 500 }),
  "status-500-object": () =>
    json('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"said so","code":507}', {
      status: 500,
      headers: { "content-type": "application/json" },
    }),
  "status-502": () => text("bad gateway", 502),
  "status-503": () => text("unavailable", 503),
  "status-504": () => text("gateway timeout", 504),
  "empty": () => json(""),
  "blank": () => json("  \n"),
  "html": () => text("<html>hello</html>", 200, "text/html"),
  "words": () => json("hello"),
  "cut": () =>
    json('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid"'),
  "null": () => json("null"),
  "list": () => json("[]"),
  "number": () => json("7"),
  "string": () => json('"text"'),
  "object": () => json("{}"),
  "trailing": ({ uid }) => json(`${JSON.stringify(review({ uid, allowed: true }))} {}`),
  "duplicate": ({ uid }) =>
    json(
      `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"${uid}","allowed":false,"allowed":true}}`,
    ),
  "yaml": ({ uid }) =>
    text(
      `apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  uid: ${uid}\n  allowed: true\n`,
      200,
      "application/yaml",
    ),
  "typed-text": ({ uid }) => text(JSON.stringify(review({ uid, allowed: true })), 200),
  "typed-none": ({ uid }) =>
    new Response(new TextEncoder().encode(JSON.stringify(review({ uid, allowed: true })))),
  "unknown-field": ({ uid }) => Response.json(review({ uid, allowed: true, other: 1 })),
  "case": ({ uid }) => Response.json(review({ UID: uid, Allowed: true })),
  "response-absent": () => json('{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}'),
  "response-null": () => Response.json(review(null)),
  "response-text": () => Response.json(review("yes")),
  "allowed-text": ({ uid }) => Response.json(review({ uid, allowed: "true" })),
  "allowed-absent": ({ uid }) => Response.json(review({ uid })),
  "uid-absent": () => Response.json(review({ allowed: true })),
  "uid-other": () => Response.json(review({ uid: "other", allowed: true })),
  "uid-number": () => Response.json(review({ uid: 5, allowed: true })),
  "version-absent": ({ uid }) => Response.json({ response: { uid, allowed: true } }),
  "kind-absent": ({ uid }) =>
    Response.json({ apiVersion: "admission.k8s.io/v1", response: { uid, allowed: true } }),
  "kind-other": ({ uid }) => Response.json({ ...review({ uid, allowed: true }), kind: "Review" }),
  "kind-pod": ({ uid }) => Response.json({ apiVersion: "v1", kind: "Pod", response: { uid } }),
  "version-beta": ({ uid }) =>
    Response.json({ ...review({ uid, allowed: true }), apiVersion: "admission.k8s.io/v1beta1" }),
  "version-other": ({ uid }) =>
    Response.json({ ...review({ uid, allowed: true }), apiVersion: "admission.k8s.io/v2" }),
  "version-slashes": ({ uid }) =>
    Response.json({ ...review({ uid, allowed: true }), apiVersion: "a/b/c" }),
  "status-object": () =>
    json('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"a status","code":403}'),
  "status-success": () => json('{"kind":"Status","apiVersion":"v1","status":"Success"}'),
  "status-nameless": () => json('{"kind":"Status","apiVersion":"v1"}'),
};

/** Patches of mutating webhooks. */
const PATCHES: Readonly<Record<string, Script>> = {
  "patch-data": () => patch({ op: "add", path: "/data", value: { added: "yes" } }),
  "patch-test": () =>
    patch({ op: "test", path: "/kind", value: "ConfigMap" }, {
      op: "add",
      path: "/data",
      value: {},
    }),
  "patch-copy": () =>
    patch({ op: "copy", from: "/metadata/labels", path: "/metadata/annotations" }),
  "patch-move": () => patch({ op: "move", from: "/metadata/labels", path: "/data" }),
  "patch-remove": () => patch({ op: "remove", path: "/metadata/labels" }),
  "patch-empty-list": raw("[]"),
  "patch-null": raw("null"),
  "patch-object": raw('{"op":"add"}'),
  "patch-text": raw("hello"),
  "patch-string": raw('"text"'),
  "patch-number": raw("7"),
  "patch-numbers": raw("[1]"),
  "patch-nested": raw("[[]]"),
  "patch-null-operation": raw("[null]"),
  "patch-cut": raw('[{"op":"add"'),
  "patch-empty-operation": raw("[{}]"),
  "patch-op-number": raw('[{"op":1,"path":"/data"}]'),
  "patch-path-number": raw('[{"op":"add","path":1,"value":{}}]'),
  "patch-no-path": raw('[{"op":"add","value":{}}]'),
  "patch-no-value": raw('[{"op":"add","path":"/data"}]'),
  "patch-op-unknown": raw('[{"op":"merge","path":"/data","value":{}}]'),
  "patch-path-bad": raw('[{"op":"add","path":"data","value":{}}]'),
  "patch-missing": raw('[{"op":"remove","path":"/data/x"}]'),
  "patch-missing-parent": raw('[{"op":"add","path":"/data/x","value":"y"}]'),
  "patch-replace-missing": raw('[{"op":"replace","path":"/data","value":{}}]'),
  "patch-test-fails": raw('[{"op":"test","path":"/kind","value":"Pod"}]'),
  "patch-test-missing": raw('[{"op":"test","path":"/none/none","value":"Pod"}]'),
  "patch-copy-missing": raw('[{"op":"copy","from":"/none","path":"/data"}]'),
  "patch-copy-no-from": raw('[{"op":"copy","path":"/data"}]'),
  "patch-index": raw('[{"op":"add","path":"/metadata/managedFields/9","value":{}}]'),
  "patch-index-word": raw('[{"op":"remove","path":"/metadata/managedFields/x"}]'),
  "patch-whole": raw('[{"op":"replace","path":"","value":{"kind":"ConfigMap","apiVersion":"v1"}}]'),
  "patch-mistyped": raw('[{"op":"add","path":"/data","value":7}]'),
  "patch-mistyped-deep": raw('[{"op":"add","path":"/data","value":{"a":1}}]'),
  "patch-labels-number": raw('[{"op":"add","path":"/metadata/labels/a","value":1}]'),
  "patch-unknown": raw('[{"op":"add","path":"/other","value":7}]'),
  "patch-kind": raw('[{"op":"replace","path":"/kind","value":"Secret"}]'),
  "patch-kind-unknown": raw('[{"op":"replace","path":"/kind","value":"Nothing"}]'),
  "patch-kind-removed": raw('[{"op":"remove","path":"/kind"}]'),
  "patch-version": raw('[{"op":"replace","path":"/apiVersion","value":"v2"}]'),
  "patch-version-removed": raw('[{"op":"remove","path":"/apiVersion"}]'),
  "patch-name": raw('[{"op":"replace","path":"/metadata/name","value":"renamed"}]'),
  "patch-name-removed": raw('[{"op":"remove","path":"/metadata/name"}]'),
  "patch-namespace": raw('[{"op":"replace","path":"/metadata/namespace","value":"other"}]'),
  "patch-namespace-removed": raw('[{"op":"remove","path":"/metadata/namespace"}]'),
  "patch-uid": raw('[{"op":"add","path":"/metadata/uid","value":"5"}]'),
  "patch-version-of-object": raw('[{"op":"add","path":"/metadata/resourceVersion","value":"5"}]'),
  "patch-created": raw(
    '[{"op":"add","path":"/metadata/creationTimestamp","value":"2020-01-01T00:00:00Z"}]',
  ),
  "patch-time": raw('[{"op":"add","path":"/metadata/creationTimestamp","value":"yesterday"}]'),
  "patch-finalizers": raw('[{"op":"add","path":"/metadata/finalizers","value":["a.b/c"]}]'),
  "patch-finalizer-bad": raw('[{"op":"add","path":"/metadata/finalizers","value":["abc"]}]'),
  "patch-label-bad": raw('[{"op":"add","path":"/metadata/labels/a b","value":"c"}]'),
  "patch-key-bad": raw('[{"op":"add","path":"/data","value":{"a b":"c"}}]'),
  "patch-owners": raw(
    '[{"op":"add","path":"/metadata/ownerReferences","value":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"},{"apiVersion":"v1","kind":"Pod","name":"p","uid":"1"}]}]',
  ),
  "patch-fields-removed": raw('[{"op":"remove","path":"/metadata/managedFields"}]'),
  "patch-fields-empty": raw('[{"op":"replace","path":"/metadata/managedFields","value":[]}]'),
  "patch-fields-reset": raw('[{"op":"replace","path":"/metadata/managedFields","value":[{}]}]'),
  "patch-fields-bad": raw(
    '[{"op":"replace","path":"/metadata/managedFields/0/operation","value":"X"}]',
  ),
  "patch-fields-manager": raw(
    '[{"op":"replace","path":"/metadata/managedFields/0/manager","value":"other"}]',
  ),
  "patch-immutable": raw('[{"op":"add","path":"/immutable","value":true}]'),
  "patch-type-only": () => ({ allowed: true, patchType: "JSONPatch" }),
  "patch-type-absent": () => ({ allowed: true, patch: btoa("[]") }),
  "patch-type-null": () => ({ allowed: true, patch: btoa("[]"), patchType: null }),
  "patch-type-empty": () => ({ allowed: true, patch: btoa("[]"), patchType: "" }),
  "patch-type-merge": raw('{"data":{}}', { patchType: "MergePatch" }),
  "patch-type-merge-list": raw('[{"op":"add","path":"/data","value":{}}]', {
    patchType: "MergePatch",
  }),
  "patch-type-number": raw("[]", { patchType: 1 }),
  "patch-base64": () => ({ allowed: true, patchType: "JSONPatch", patch: "not base64!" }),
  "patch-base64-cut": () => ({ allowed: true, patchType: "JSONPatch", patch: "W10" }),
  "patch-base64-url": () => ({ allowed: true, patchType: "JSONPatch", patch: "W_-d" }),
  "patch-list": () => ({ allowed: true, patchType: "JSONPatch", patch: [] }),
  "patch-inline": () => ({ allowed: true, patchType: "JSONPatch", patch: { op: "add" } }),
  "patch-empty": () => ({ allowed: true, patchType: "JSONPatch", patch: "" }),
};

/** Answers that validating webhooks may not give. */
const VALIDATED = [
  "patch-data",
  "patch-type-only",
  "patch-type-absent",
  "patch-type-empty",
  "patch-empty-list",
];

const mutating = { ...DENIALS, ...WARNINGS, ...BROKEN, ...PATCHES };
const validating: Readonly<Record<string, Script>> = {
  ...DENIALS,
  ...WARNINGS,
  "uid-other": BROKEN["uid-other"]!,
  "status-500": BROKEN["status-500"]!,
  ...Object.fromEntries(VALIDATED.map((name) => [name, PATCHES[name]!])),
};

const named = (type: string, scripts: Readonly<Record<string, Script>>) =>
  Object.fromEntries(Object.entries(scripts).map(([name, script]) => [`${type}/${name}`, script]));

/** Denials, warnings and invalid answers of webhooks. */
export const answers: StepScenario = {
  name: "hooks-answers",
  webhooks: hooks.scripts({
    ...named("mutating", mutating),
    ...named(
      "validating",
      Object.fromEntries(
        Object.entries(validating).map(([name, script]) => [`v-${name}`, script]),
      ),
    ),
    "mutating/ignored": BROKEN["status-500"]!,
    "mutating/ignored-patch": PATCHES["patch-text"]!,
    "mutating/ignored-missing": PATCHES["patch-missing"]!,
    "mutating/ignored-deny": DENIALS["deny-bare"]!,
    "mutating/beta": ({ uid }) =>
      Response.json({
        apiVersion: "admission.k8s.io/v1beta1",
        kind: "AdmissionReview",
        response: { uid, allowed: true },
      }),
    "mutating/beta-wrong": () =>
      json(
        '{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true}}',
      ),
    "mutating/beta-untyped": () => json('{"response":{"allowed":true,"patch":"W10="}}'),
    "validating/z-allow": allow,
  }),
  steps: [
    ...hooks.begin,
    hooks.configure(
      "mutating",
      "hooks-answers-mutating",
      Object.keys(mutating).map((name) => hooks.webhook("mutating", name)),
    ),
    hooks.configure("mutating", "hooks-answers-ignored", [
      ...["ignored", "ignored-patch", "ignored-missing", "ignored-deny"].map((name) =>
        hooks.webhook("mutating", name, { failurePolicy: "Ignore" })
      ),
      ...["beta", "beta-wrong", "beta-untyped"].map((name) =>
        hooks.webhook("mutating", name, { admissionReviewVersions: ["v1beta1", "v1"] })
      ),
    ]),
    hooks.configure(
      "validating",
      "hooks-answers-validating",
      Object.keys(validating).map((name) => hooks.webhook("validating", `v-${name}`)),
    ),
    ...hooks.ready,
    ...Object.keys(mutating).map((name) => post(hooks.maps, hooks.map(`m-${name}`, [name]))),
    ...Object.keys(validating).map((name) =>
      post(hooks.maps, hooks.map(`v-${name}`, [`v-${name}`]))
    ),
    ...["ignored", "ignored-patch", "ignored-missing", "ignored-deny"].map((name) =>
      post(hooks.maps, hooks.map(name, [name, "v-warn-one"]))
    ),
    ...["beta", "beta-wrong", "beta-untyped"].map((name) =>
      post(hooks.maps, hooks.map(name, [name]))
    ),
    post(hooks.maps, hooks.map("gone", ["warn-one", "deny-bare", "v-warn-one"])),
    get(hooks.maps),
    merge(`${hooks.maps}/m-patch-data`, { data: { more: "x" } }),
    ...hooks.end,
  ],
};
