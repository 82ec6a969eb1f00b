/** Invalid calls, as JavaScript code without types can make them. None of them makes a request. */

import { assertEquals, assertInstanceOf, assertMatch, assertThrows } from "@std/assert";
import { describeValue } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import {
  ConfigMaps,
  Deployments,
  type KubeObject,
  Namespaces,
  Pods,
  type Resource,
} from "../../src/types/mod.ts";
import { ScriptedFetch } from "./_scripted_fetch.ts";

const inN = { namespace: "n" };
const anyKind: Resource = Pods;
const object = (metadata: unknown = { name: "p", namespace: "n" }) => ({ metadata }) as KubeObject;

type Call = (client: Client) => Promise<unknown>;

/** Tests that a call rejects with an error of this class and message, before any request. */
function refuses(
  name: string,
  call: Call,
  message: string | RegExp,
  errorClass: typeof TypeError | typeof RangeError = TypeError,
): void {
  Deno.test(`Client.${name}`, async () => {
    const script = new ScriptedFetch();
    await using client = new Client({ fetch: script.fetch });
    // Not in an async function, because a call that throws instead of rejecting must fail the test.
    const error: unknown = await call(client).then(
      () => "it was resolved",
      (reason) => reason,
    );
    assertInstanceOf(error, errorClass);
    if (typeof message === "string") assertEquals(error.message, message);
    else assertMatch(error.message, message);
    assertEquals(script.requests.length, 0);
  });
}

const shown = (value: unknown) =>
  typeof value === "function" ? "a function" : JSON.stringify(value) ?? String(value);

/** Values that are not names, and their description in the error. */
const NO_NAMES: readonly (readonly [unknown, string])[] = [
  [undefined, "undefined"],
  [null, "null"],
  ["", '""'],
  [0, "0"],
  [7, "7"],
  [true, "true"],
  [{}, "an object"],
  [["p"], "an array"],
  [() => "p", "a function"],
];

/** Names that would change the path. */
const BAD_NAMES: readonly unknown[] = [".", "..", "a/b", "../b", "a%2fb", "\ud800"];

/** Calls for one object by its name. */
const BY_NAME: Readonly<Record<string, (client: Client, name: never) => Promise<unknown>>> = {
  "get()": (client, name) => client.get(ConfigMaps, name, inN),
  "get() of a subresource": (client, name) =>
    client.get(Deployments, name, { ...inN, subresource: "status" }),
  "patch()": (client, name) => client.patch(ConfigMaps, name, {}, inN),
  "patchStatus()": (client, name) => client.patchStatus(Pods, name, {}, inN),
  "delete()": (client, name) => client.delete(ConfigMaps, name, inN),
};

/** Calls that send an object. */
const BY_OBJECT: Readonly<
  Record<string, (client: Client, object: never, options?: object) => Promise<unknown>>
> = {
  "create()": (client, object, options) => client.create(anyKind, object, options),
  "create() of a subresource": (client, object, options) =>
    client.create<KubeObject>(anyKind, object, { ...options, subresource: "binding" }),
  "update()": (client, object, options) => client.update(anyKind, object, options),
  "updateStatus()": (client, object, options) => client.updateStatus(anyKind, object, options),
  "apply()": (client, object, options) =>
    client.apply(anyKind, object, { fieldManager: "m", ...options }),
};

for (const [verb, call] of Object.entries(BY_NAME)) {
  for (const [name, text] of NO_NAMES) {
    const resource = verb === "patchStatus()"
      ? "pods"
      : verb.includes("sub")
      ? "deployments.apps"
      : "configmaps";
    refuses(
      `${verb} refuses the name ${shown(name)}`,
      (client) => call(client, name as never),
      `Missing name for ${resource}: expected a non-empty string, received ${text}`,
    );
  }
  for (const name of BAD_NAMES) {
    refuses(
      `${verb} refuses the name ${shown(name)}`,
      (client) => call(client, name as never),
      /^Invalid name for \S+ ".*": (must not be|not well-formed)/,
    );
  }
}

for (const [verb, call] of Object.entries(BY_OBJECT)) {
  for (const [name, text] of NO_NAMES) {
    const hint = verb === "create()" && name === undefined
      ? "Missing metadata.name or metadata.generateName in the object for pods: give one of them"
      : `Missing metadata.name in the object for pods: expected a non-empty string, received ${text}`;
    refuses(
      `${verb} refuses the name ${shown(name)} in the object`,
      (client) => call(client, object({ name, namespace: "n" }) as never),
      hint,
    );
  }
  for (const name of BAD_NAMES) {
    refuses(
      `${verb} refuses the name ${shown(name)} in the object`,
      (client) => call(client, object({ name, namespace: "n" }) as never),
      /^Invalid metadata.name in the object for pods ".*": (must not be|not well-formed)/,
    );
  }
  for (const [given, text] of NO_NAMES.filter(([name]) => name !== undefined)) {
    refuses(
      `${verb} refuses the namespace ${shown(given)} in the object`,
      (client) => call(client, object({ name: "p", namespace: given }) as never, inN),
      "Missing metadata.namespace in the object for pods: " +
        `expected a non-empty string, received ${text}`,
    );
    refuses(
      `${verb} refuses the namespace ${shown(given)} in the options`,
      (client) => call(client, object() as never, { namespace: given }),
      `Missing namespace for pods: expected a non-empty string, received ${text}`,
    );
  }
  refuses(
    `${verb} refuses an object without a namespace`,
    (client) => call(client, object({ name: "p" }) as never),
    "Missing namespace for pods: give { namespace } in the options or metadata.namespace in the object",
  );
  refuses(
    `${verb} refuses two different namespaces`,
    (client) => call(client, object() as never, { namespace: "m" }),
    'Namespaces differ: the object says "n", the options say "m"',
  );
  for (
    const [given, text] of [
      [undefined, "undefined"],
      [null, "null"],
      ["kind: Pod", "a string"],
      [7, "7"],
      [[object()], "an array"],
      [() => object(), "a function"],
    ] as const
  ) {
    refuses(
      `${verb} refuses ${text} for an object`,
      (client) => call(client, given as never, inN),
      `Invalid object for pods: expected an object with metadata, received ${text}`,
    );
  }
  for (const [metadata, text] of [[undefined, "undefined"], [null, "null"], [[], "an array"]]) {
    refuses(
      `${verb} refuses an object with metadata ${text}`,
      (client) => call(client, (metadata === undefined ? {} : object(metadata)) as never, inN),
      `Missing metadata in the object for pods: expected an object, received ${text}`,
    );
  }
}

for (const [generateName, text] of NO_NAMES.filter(([name]) => name !== undefined)) {
  refuses(
    `create() refuses the generateName ${shown(generateName)}`,
    (client) => client.create(anyKind, object({ generateName, namespace: "n" })),
    "Missing metadata.generateName in the object for pods: " +
      `expected a non-empty string, received ${text}`,
  );
}

/** Calls for one object, of a cluster-scoped or a namespaced resource. */
const SCOPED: Readonly<
  Record<string, (client: Client, resource: Resource, options: object) => Promise<unknown>>
> = {
  "get()": (client, resource, options) => client.get(resource, "p", options),
  "create()": (client, resource, options) =>
    client.create(resource, object({ name: "p" }), options),
  "update()": (client, resource, options) =>
    client.update(resource, object({ name: "p" }), options),
  "updateStatus()": (client, resource, options) =>
    client.updateStatus(resource, object({ name: "p" }), options),
  "patch()": (client, resource, options) => client.patch(resource, "p", {}, options),
  "patchStatus()": (client, resource, options) => client.patchStatus(resource, "p", {}, options),
  "apply()": (client, resource, options) =>
    client.apply(resource, { metadata: { name: "p" } }, { fieldManager: "m", ...options }),
  "delete()": (client, resource, options) => client.delete(resource, "p", options),
};

/** Calls for the collection of a resource. */
const COLLECTIONS: typeof SCOPED = {
  "list()": (client, resource, options) => client.list(resource, options),
  "list() of one page": (client, resource, options) =>
    client.list(resource, { limit: 1, ...options }),
  "eachListItem()": (client, resource, options) => client.eachListItem(resource, () => {}, options),
  "watch()": (client, resource, options) => client.watch(resource, options),
  "listerWatcher()": async (client, resource, options) =>
    await client.listerWatcher(resource, options).list({}, {}),
  "deleteCollection()": (client, resource, options) => client.deleteCollection(resource, options),
};

for (const [verb, call] of Object.entries({ ...SCOPED, ...COLLECTIONS })) {
  for (const [namespace, text] of NO_NAMES.filter(([name]) => name !== undefined)) {
    refuses(
      `${verb} refuses the namespace ${shown(namespace)}`,
      async (client) => await call(client, Pods, { namespace }),
      `Missing namespace for pods: expected a non-empty string, received ${text}` +
        (verb in COLLECTIONS && verb !== "deleteCollection()"
          ? "; leave it out for all namespaces"
          : ""),
    );
  }
  for (const namespace of BAD_NAMES) {
    refuses(
      `${verb} refuses the namespace ${shown(namespace)}`,
      async (client) => await call(client, Pods, { namespace }),
      /^Invalid namespace for pods ".*": (must not be|not well-formed)/,
    );
  }
  for (const [namespace, text] of [["n", '"n"'], ["", '""'], [null, "null"]]) {
    refuses(
      `${verb} refuses the namespace ${text} of a cluster-scoped resource`,
      async (client) => await call(client, Namespaces, { namespace }),
      `Cannot address namespaces in namespace ${text}: ` +
        "the resource is cluster-scoped, leave the namespace out",
    );
  }
}

for (const [verb, call] of Object.entries(SCOPED)) {
  const isObject = /create|update|apply/.test(verb);
  refuses(
    `${verb} of a namespaced resource needs a namespace`,
    (client) => call(client, Pods, { namespace: undefined }),
    "Missing namespace for pods: give { namespace } in the options" +
      (isObject ? " or metadata.namespace in the object" : ""),
  );
}

for (const [verb, call] of Object.entries(BY_OBJECT).filter(([verb]) => !verb.includes("sub"))) {
  refuses(
    `${verb} refuses a cluster-scoped object with a namespace`,
    (client) => {
      const asNamespaces = new Proxy(client, {
        get: (target, key) => {
          const method = Reflect.get(target, key) as (...args: unknown[]) => unknown;
          return (_resource: unknown, ...rest: unknown[]) =>
            method.call(target, Namespaces, ...rest);
        },
      });
      return call(asNamespaces, object() as never);
    },
    'Cannot address namespaces in namespace "n": ' +
      "the resource is cluster-scoped, leave the namespace out",
  );
}

for (
  const [verb, call] of Object.entries({
    "get()": (client: Client, subresource: never) => client.get(Pods, "p", { ...inN, subresource }),
    "create()": (client: Client, subresource: never) =>
      client.create(anyKind, object(), { subresource }),
    "update()": (client: Client, subresource: never) =>
      client.update(anyKind, object(), { subresource }),
    "patch()": (client: Client, subresource: never) =>
      client.patch(Pods, "p", {}, { ...inN, subresource }),
    "apply()": (client: Client, subresource: never) =>
      client.apply(anyKind, object() as never, { fieldManager: "m", subresource }),
  })
) {
  for (const [subresource, text] of NO_NAMES.filter(([name]) => name !== undefined)) {
    refuses(
      `${verb} refuses the subresource ${shown(subresource)}`,
      (client) => call(client, subresource as never),
      `Missing subresource for pods: expected a non-empty string, received ${text}`,
    );
  }
  for (const subresource of BAD_NAMES) {
    refuses(
      `${verb} refuses the subresource ${shown(subresource)}`,
      (client) => call(client, subresource as never),
      /^Invalid subresource for pods ".*": (must not be|not well-formed)/,
    );
  }
}

for (const field of ["apiVersion", "kind"]) {
  const whole = { apiVersion: "v1", kind: "Binding", ...object() };
  refuses(
    `create() refuses an object for a subresource without its ${field}`,
    (client) => client.create(anyKind, { ...whole, [field]: "" }, { subresource: "binding" }),
    'Missing apiVersion or kind in an object for subresource "binding": ' +
      "the subresource has its own kind",
  );
}

for (
  const [verb, call] of Object.entries({
    "patch()": (client: Client, patch: never, options: object) =>
      client.patch(Pods, "p", patch, { ...inN, ...options }),
    "patchStatus()": (client: Client, patch: never, options: object) =>
      client.patchStatus(Pods, "p", patch, { ...inN, ...options }),
  })
) {
  for (const type of [undefined, "merge", "strategic"]) {
    for (const [patch, text] of [...NO_NAMES, ["{}", "a string"]] as const) {
      if (text === "an object" || patch === "") continue;
      refuses(
        `${verb} of type ${type} refuses the patch ${shown(patch)}`,
        (client) => call(client, patch as never, { type }),
        text === "an array"
          ? `Invalid patch of type "${type ?? "merge"}": expected an object, received an array; ` +
            'for an array of operations, give type "json"'
          : `Invalid patch of type "${type ?? "merge"}": expected an object, received ${text}`,
      );
    }
  }
  for (const [patch, text] of [[undefined, "undefined"], [null, "null"], [{}, "an object"]]) {
    refuses(
      `${verb} of type json refuses the patch ${text}`,
      (client) => call(client, patch as never, { type: "json" }),
      `Invalid patch of type "json": expected an array of operations, received ${text}`,
    );
  }
  for (
    const [operation, problem] of [
      [null, "expected an object, received null"],
      [{ path: "/a" }, "op is undefined, expected one of add, replace, test, remove, move, copy"],
      [{ op: "set", path: "/a", value: 1 }, 'op is "set", expected one of'],
      [{ op: "remove" }, "path is undefined, expected a JSON pointer"],
      [{ op: "remove", path: "a" }, 'path is "a", expected a JSON pointer'],
      [{ op: "move", path: "/a" }, "from is undefined, expected a JSON pointer"],
      [{ op: "add", path: "/a" }, "value is undefined: give null to set null"],
      [{ op: "replace", path: "/a", value: undefined }, "value is undefined"],
      [{ op: "test", path: "/a" }, "value is undefined"],
    ] as const
  ) {
    refuses(
      `${verb} refuses the operation ${shown(operation)}`,
      (client) =>
        call(client, [{ op: "remove", path: "/ok" }, operation] as never, { type: "json" }),
      new RegExp(`^Invalid operation 1 of the patch: ${problem}`),
    );
  }
  for (const [type, text] of [["apply", '"apply"'], ["mrege", '"mrege"'], [null, "null"]]) {
    refuses(
      `${verb} refuses the type ${text}`,
      (client) => call(client, {} as never, { type }),
      `Invalid type of patch: expected "merge", "strategic" or "json", received ${text}` +
        (type === "apply" ? "; for server-side apply, call Client.apply()" : ""),
    );
  }
}

for (const options of [{}, { namespace: undefined }, { allNamespaces: false }, undefined]) {
  refuses(
    `deleteCollection() refuses a missing namespace, with ${shown(options)}`,
    (client) => client.deleteCollection(Pods, options as never),
    "Missing namespace for pods: give { namespace }, or { allNamespaces: true } to delete in all namespaces",
  );
}
refuses(
  "deleteCollection() refuses a namespace together with allNamespaces",
  (client) => client.deleteCollection(Pods, { ...inN, allNamespaces: true } as never),
  "Cannot delete pods in one namespace and in all: give namespace or allNamespaces",
);
refuses(
  "deleteCollection() refuses allNamespaces for a cluster-scoped resource",
  (client) => client.deleteCollection(Namespaces, { allNamespaces: true }),
  "Cannot delete namespaces in all namespaces: the resource is cluster-scoped, leave allNamespaces out",
);

for (const selector of ["labelSelector", "fieldSelector"]) {
  const bad = [undefined, null, "", " ", ",", " ,\t,", 5, {}, ["a=b"]];
  for (const given of bad) {
    for (const scope of [inN, { allNamespaces: true }]) {
      refuses(
        `deleteCollection() refuses the ${selector} ${shown(given)}, with ${shown(scope)}`,
        (client) => client.deleteCollection(Pods, { ...scope, [selector]: given } as never),
        new RegExp(
          `^Invalid ${selector} of a deletion: expected a selector that is not empty, received .*` +
            "; leave it out to delete all objects$",
        ),
      );
    }
  }
}

for (
  const [verb, call] of Object.entries({
    "delete()": (client: Client, options: object) =>
      client.delete(Pods, "p", { ...inN, ...options }),
    "deleteCollection()": (client: Client, options: object) =>
      client.deleteCollection(Pods, { ...inN, ...options }),
  })
) {
  const expected =
    "Invalid preconditions: expected uid or resourceVersion that is a non-empty string, received ";
  for (
    const [preconditions, received] of [
      ["u", "a string"],
      [{ uid: 5 }, "uid 5 and resourceVersion undefined"],
    ] as const
  ) {
    refuses(
      `${verb} says what is wrong with the preconditions ${shown(preconditions)}`,
      (client) => call(client, { preconditions }),
      expected + received,
    );
  }
  for (
    const preconditions of [
      null,
      {},
      [],
      "u",
      { uid: undefined },
      { uid: "" },
      { uid: null, resourceVersion: "5" },
      { uid: 5 },
      { resourceVersion: "" },
      { resourceVersion: 5 },
      { uid: "u", resourceVersion: "" },
      { uid: "u", resourceVersion: null },
    ]
  ) {
    refuses(
      `${verb} refuses the preconditions ${shown(preconditions)}`,
      (client) => call(client, { preconditions }),
      /^Invalid preconditions: expected uid or resourceVersion that is a non-empty string, received /,
    );
  }
  for (const gracePeriodSeconds of [-1, 0.5, NaN, Infinity, "5"]) {
    refuses(
      `${verb} refuses the gracePeriodSeconds ${gracePeriodSeconds}`,
      (client) => call(client, { gracePeriodSeconds }),
      "gracePeriodSeconds must be a whole number of at least 0: " +
        `received ${describeValue(gracePeriodSeconds)}`,
      RangeError,
    );
  }
}

const WRITES: Readonly<Record<string, (client: Client, options: object) => Promise<unknown>>> = {
  "create()": (client, options) => client.create(anyKind, object(), options),
  "update()": (client, options) => client.update(anyKind, object(), options),
  "updateStatus()": (client, options) => client.updateStatus(anyKind, object(), options),
  "patch()": (client, options) => client.patch(Pods, "p", {}, { ...inN, ...options }),
  "patchStatus()": (client, options) => client.patchStatus(Pods, "p", {}, { ...inN, ...options }),
  "apply()": (client, options) =>
    client.apply(anyKind, object() as never, { fieldManager: "m", ...options }),
  "delete()": (client, options) => client.delete(Pods, "p", { ...inN, ...options }),
  "deleteCollection()": (client, options) => client.deleteCollection(Pods, { ...inN, ...options }),
};

for (const [verb, call] of Object.entries(WRITES)) {
  for (const [dryRun, text] of [[null, "null"], [0, "0"], ["", '""'], ["All", "a string"]]) {
    refuses(
      `${verb} refuses the dryRun ${shown(dryRun)}`,
      (client) => call(client, { dryRun }),
      `Invalid dryRun: expected true or false, received ${text}`,
    );
  }
}

const READS: typeof WRITES = {
  "get()": (client, options) => client.get(Pods, "p", { ...inN, ...options }),
  "list()": (client, options) => client.list(Pods, options),
  "list() of one page": (client, options) => client.list(Pods, { limit: 1, ...options }),
  "eachListItem()": (client, options) => client.eachListItem(Pods, () => {}, options),
  "getRaw()": (client, options) => client.getRaw("/version", options),
};

for (const [verb, call] of Object.entries({ ...READS, ...WRITES })) {
  for (const timeoutMs of [NaN, -1, 0, "5"]) {
    refuses(
      `${verb} refuses the timeoutMs ${timeoutMs}`,
      (client) => call(client, { timeoutMs }),
      "timeoutMs must be a number of milliseconds above 0, or Infinity for no limit: " +
        `received ${describeValue(timeoutMs)}`,
      RangeError,
    );
  }
}

const watching = (client: Client, options: object) => client.watch(Pods, options);
for (const [verb, call] of Object.entries({ ...READS, ...WRITES, "watch()": watching })) {
  for (const maxRetries of [NaN, -1, 0.5, "5"]) {
    refuses(
      `${verb} refuses the maxRetries ${maxRetries}`,
      (client) => call(client, { maxRetries }),
      `maxRetries must be a whole number of at least 0, or Infinity: received ${
        describeValue(maxRetries)
      }`,
      RangeError,
    );
  }
}

for (const [verb, call] of Object.entries({ ...READS, "watch()": watching })) {
  if (verb === "get()" || verb === "getRaw()") continue;
  for (const timeoutSeconds of [NaN, -1, 0.5, Infinity]) {
    refuses(
      `${verb} refuses the timeoutSeconds ${timeoutSeconds}`,
      (client) => call(client, { timeoutSeconds }),
      `timeoutSeconds must be a whole number of at least 0: received ${
        describeValue(timeoutSeconds)
      }`,
      RangeError,
    );
  }
  for (const parameter of ["labelSelector", "fieldSelector", "resourceVersion"]) {
    for (const [value, text] of [[null, "null"], [{}, "an object"], [["a"], "an array"]]) {
      refuses(
        `${verb} refuses the ${parameter} ${text}`,
        (client) => call(client, { [parameter]: value }),
        `Invalid ${parameter}: expected a string, a number or a boolean, received ${text}`,
      );
    }
  }
}

for (const limit of [NaN, -1, 0.5, Infinity, "5"]) {
  refuses(
    `list() refuses the limit ${limit}`,
    (client) => client.list(Pods, { limit: limit as number }),
    `limit must be a whole number of at least 0: received ${describeValue(limit)}`,
    RangeError,
  );
  for (const verb of ["list", "eachListItem"] as const) {
    refuses(
      `${verb}() refuses the pageSize ${limit}`,
      (client) =>
        verb === "list"
          ? client.list(Pods, { pageSize: limit as number })
          : client.eachListItem(Pods, () => {}, { pageSize: limit as number }),
      `pageSize must be a whole number of at least 0: received ${describeValue(limit)}`,
      RangeError,
    );
  }
}

refuses(
  "list() refuses a page size together with a limit",
  (client) => client.list(Pods, { limit: 5, pageSize: 5 }),
  "Cannot use pageSize with limit or continue: pageSize is for reading all pages, limit and continue for one",
);
refuses(
  "list() refuses a page size together with a continue token",
  (client) => client.list(Pods, { continue: "t", pageSize: 5 }),
  "Cannot use pageSize with limit or continue: pageSize is for reading all pages, limit and continue for one",
);
for (const option of [{ limit: 5 }, { continue: "t" }]) {
  refuses(
    `eachListItem() refuses ${shown(option)}`,
    (client) => client.eachListItem(Pods, () => {}, option as never),
    "Cannot use limit or continue with eachListItem(), which reads all pages: set their size with pageSize",
  );
}

for (
  const [resource, message] of [
    [undefined, "Invalid resource: expected a descriptor such as Pods, received undefined"],
    [null, "Invalid resource: expected a descriptor such as Pods, received null"],
    ["pods", "Invalid resource: expected a descriptor such as Pods, received a string"],
    [
      { ...Pods, plural: "" },
      'Missing plural of the resource: expected a non-empty string, received ""',
    ],
    [{ ...Pods, plural: "a/b" }, /^Invalid plural of the resource "a\/b"/],
    [{ ...Pods, version: ".." }, /^Invalid version of the resource "\.\."/],
    [{ ...Pods, group: "a/b" }, /^Invalid group of the resource "a\/b"/],
    [{ ...Pods, group: undefined }, /^Missing group of the resource/],
    [
      { ...Pods, namespaced: undefined },
      "Invalid resource pods: namespaced must be true or false, received undefined",
    ],
  ] as const
) {
  for (const [verb, call] of Object.entries({ ...SCOPED, ...COLLECTIONS })) {
    refuses(
      `${verb} refuses the resource ${shown(resource)}`,
      async (client) => await call(client, resource as never, inN),
      message,
    );
  }
}

for (const fn of [undefined, null, {}, "fn"]) {
  refuses(
    `eachListItem() refuses the function ${shown(fn)}`,
    (client) => client.eachListItem(Pods, fn as never),
    /^Invalid fn of eachListItem\(\): expected a function, received (undefined|null|an object|a string)$/,
  );
}

for (
  const path of [undefined, null, "", 5, {}, "version", "//h/x", "/a/../b", "/a/%2e%2E/b", "/a?b"]
) {
  refuses(
    `getRaw() refuses the path ${shown(path)}`,
    (client) => client.getRaw(path as never),
    /^Invalid path .*: must begin with one "\/", and hold no query, "." or ".." segment$/,
  );
}

Deno.test("Client.listerWatcher() refuses an invalid scope immediately, since informers would retry forever", () => {
  const client = new Client({ fetch: new ScriptedFetch().fetch });
  const badScopes = [{ namespace: "" }, { namespace: "a/b" }, { labelSelector: null }];
  for (const scope of badScopes) {
    assertThrows(() => client.listerWatcher(Pods, scope as never), TypeError);
  }
  assertThrows(() => client.listerWatcher(Namespaces, inN), TypeError, "cluster-scoped");
});

for (
  const [options, message] of [
    [{ qps: 0 }, "qps must be a number above 0: received 0"],
    [{ qps: NaN }, "qps must be a number above 0: received NaN"],
    [{ qps: "5" }, 'qps must be a number above 0: received the text "5"'],
    [{ qps: 5, burst: 0 }, "burst must be a whole number of at least 1: received 0"],
    [{ burst: -1 }, "burst must be a whole number of at least 1: received -1"],
    [{ maxRetries: -1 }, "maxRetries must be a whole number of at least 0, or Infinity"],
    [{ maxRetries: NaN }, "maxRetries must be a whole number of at least 0, or Infinity"],
    [{ maxWatchLineBytes: 0 }, "maxWatchLineBytes must be a whole number of at least 1"],
    [{ maxWatchLineBytes: Infinity }, "maxWatchLineBytes must be a whole number of at least 1"],
    [{ exec: { timeoutMs: -1 } }, "exec.timeoutMs must be a number of milliseconds above 0"],
    [{ exec: { timeoutMs: NaN } }, "exec.timeoutMs must be a number of milliseconds above 0"],
  ] as const
) {
  Deno.test(`new Client() refuses ${JSON.stringify(options)} ${Object.values(options)}`, () => {
    const { fetch } = new ScriptedFetch();
    assertThrows(() => new Client({ fetch, ...options } as never), RangeError, message);
  });
}

Deno.test("Client needs options", () => {
  for (const nothing of [undefined, null, "http://127.0.0.1:8001"]) {
    assertThrows(() => new Client(nothing as never), TypeError, "Client needs options");
  }
});
