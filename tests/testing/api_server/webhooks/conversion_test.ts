import { assertEquals, assertMatch } from "@std/assert";
import { ApiServer, type ApiServerOptions } from "../../../../src/testing/mod.ts";
import { Cluster } from "../cluster.ts";

// deno-lint-ignore no-explicit-any
type Loose = any;

const V1 = "/apis/acme.io/v1/namespaces/default/widgets";
const V2 = "/apis/acme.io/v2/namespaces/default/widgets";

function crd(rest: Record<string, unknown> = {}): Loose {
  const version = (name: string, storage: boolean, field: string) => ({
    name,
    served: true,
    storage,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: { type: "object", properties: { [field]: { type: "string" } } },
          status: { type: "object", properties: { ready: { type: "integer" } } },
        },
      },
    },
    selectableFields: [{ jsonPath: `.spec.${field}` }],
    subresources: { status: {} },
  });
  return {
    metadata: { name: "widgets.acme.io" },
    spec: {
      group: "acme.io",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [version("v1", false, "color"), version("v2", true, "colour")],
      conversion: {
        strategy: "Webhook",
        webhook: {
          clientConfig: { service: { namespace: "system", name: "convert" } },
          conversionReviewVersions: ["v1"],
        },
      },
      ...rest,
    },
  };
}

/** Converts between `color` of v1 and `colour` of v2. */
function convert(object: Loose, apiVersion: string): Loose {
  const { color, colour } = object.spec ?? {};
  const value = color ?? colour;
  const spec = value === undefined
    ? {}
    : { [apiVersion === "acme.io/v1" ? "color" : "colour"]: value };
  return { ...object, apiVersion, spec };
}

/** A server with Widgets, whose webhook notes the sizes of its reviews. */
class Converted extends Cluster {
  readonly reviews: Loose[];

  constructor(
    answer?: (review: Loose, converted: Loose[]) => unknown,
    options: ApiServerOptions = {},
  ) {
    const reviews: Loose[] = [];
    super({
      webhooks: async (request) => {
        const review = await request.json();
        reviews.push({ url: request.url, ...review });
        const { uid, desiredAPIVersion, objects } = review.request;
        const convertedObjects = objects.map((one: Loose) => convert(one, desiredAPIVersion));
        const response = { uid, result: { status: "Success" }, convertedObjects };
        const answered = answer?.(review, convertedObjects) ?? response;
        if (answered instanceof Response) return answered;
        const { apiVersion, kind } = review;
        return Response.json({ apiVersion, kind, response: answered });
      },
      ...options,
    });
    this.reviews = reviews;
  }

  static async start(
    answer?: (review: Loose, converted: Loose[]) => unknown,
    rest: Record<string, unknown> = {},
    options: ApiServerOptions = {},
  ): Promise<Converted> {
    const cluster = new Converted(answer, options);
    const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const { status, text } = await cluster.call("POST", path, crd(rest));
    assertEquals(status, 201, text);
    return cluster;
  }

  widget(name: string, color: string, path = V1): Promise<{ status: number; json: Loose }> {
    const [version, field] = path === V1 ? ["v1", "color"] : ["v2", "colour"];
    return this.call("POST", path, {
      apiVersion: `acme.io/${version}`,
      kind: "Widget",
      metadata: { name },
      spec: { [field as string]: color },
    });
  }
}

Deno.test("writes and reads in another version go through the webhook", async () => {
  await using cluster = await Converted.start();
  const created = await cluster.widget("a", "red");
  assertEquals([created.status, created.json.apiVersion, created.json.spec], [201, "acme.io/v1", {
    color: "red",
  }]);
  const [first] = cluster.reviews;
  assertEquals(first.url, "https://convert.system.svc/?timeout=30s");
  assertEquals([first.apiVersion, first.kind], ["apiextensions.k8s.io/v1", "ConversionReview"]);
  assertEquals(first.request.desiredAPIVersion, "acme.io/v2");
  assertEquals((await cluster.get(`${V2}/a`)).json.spec, { colour: "red" });
  const count = cluster.reviews.length;
  // A list shows what was converted before. A GET reads the stored object, so that the webhook converts it again.
  assertEquals((await cluster.get(V1)).json.items[0].spec, { color: "red" });
  assertEquals(cluster.reviews.length, count);
  assertEquals((await cluster.get(`${V1}/a`)).json.spec, { color: "red" });
  assertEquals(cluster.reviews.length, count + 1);
  const patched = await cluster.merge(`${V1}/a`, { spec: { color: "blue" } });
  assertEquals([patched.json.spec, patched.json.metadata.generation], [{ color: "blue" }, 2]);
  const status = await cluster.merge(`${V1}/a/status`, { status: { ready: 1 } });
  assertEquals([status.json.spec, status.json.status], [{ color: "blue" }, { ready: 1 }]);
  const put = await cluster.call("PUT", `${V1}/a`, { ...status.json, spec: { color: "green" } });
  assertEquals(put.json.spec, { color: "green" });
  const stored = cluster.server.get(
    {
      group: "acme.io",
      version: "v2",
      kind: "Widget",
      plural: "widgets",
      namespaced: true,
    } as Loose,
    "a",
    "default",
  ) as Loose;
  assertEquals([stored.apiVersion, stored.spec, stored.status], [
    "acme.io/v2",
    { colour: "green" },
    {
      ready: 1,
    },
  ]);
  const gone = await cluster.call("DELETE", `${V1}/a`);
  assertEquals([gone.status, gone.json.status], [200, "Success"]);
});

Deno.test("an apply in another version keeps its owners, and a finalizer holds a deletion", async () => {
  await using cluster = await Converted.start();
  const apply = { "content-type": "application/apply-patch+yaml" };
  const body = {
    apiVersion: "acme.io/v1",
    kind: "Widget",
    metadata: { name: "a", finalizers: ["acme.io/x"] },
    spec: { color: "red" },
  };
  const applied = await cluster.call("PATCH", `${V1}/a?fieldManager=m`, body, apply);
  assertEquals([applied.status, applied.json.spec], [201, { color: "red" }]);
  const { resourceVersion } = applied.json.metadata;
  const again = await cluster.call("PATCH", `${V1}/a?fieldManager=m`, body, apply);
  assertEquals(again.json.metadata.resourceVersion, resourceVersion);
  const marked = await cluster.call("DELETE", `${V1}/a`);
  assertEquals([marked.json.apiVersion, marked.json.spec], ["acme.io/v1", { color: "red" }]);
  assertMatch(marked.json.metadata.deletionTimestamp, /^2026-/);
  const released = await cluster.merge(`${V1}/a`, { metadata: { finalizers: null } });
  assertEquals(released.status, 200);
  assertEquals((await cluster.get(`${V2}/a`)).status, 404);
});

Deno.test("a list converts its objects in one review, and selects by converted fields", async () => {
  await using cluster = await Converted.start();
  for (const [name, color] of [["a", "red"], ["b", "blue"], ["c", "red"]] as const) {
    await cluster.widget(name, color, V2);
  }
  cluster.reviews.length = 0;
  const list = await cluster.get(V1);
  assertEquals(list.json.items.map((item: Loose) => item.spec.color), ["red", "blue", "red"]);
  assertEquals(cluster.reviews.map(({ request }) => request.objects.length), [3]);
  const red = await cluster.get(`${V1}?fieldSelector=spec.color=red`);
  assertEquals(red.json.items.map((item: Loose) => item.metadata.name), ["a", "c"]);
  const page = await cluster.get(`${V1}?limit=2`);
  assertEquals(page.json.items.length, 2);
  assertEquals((await cluster.get(V2)).json.items[0].spec, { colour: "red" });
});

Deno.test("two lists at the same time have their objects converted once, and again after a failure", async () => {
  let isBroken = true;
  await using cluster = await Converted.start((_review, convertedObjects) =>
    isBroken ? { uid: "other", result: { status: "Success" }, convertedObjects } : undefined
  );
  for (const name of ["a", "b"]) await cluster.widget(name, "red", V2);
  cluster.reviews.length = 0;
  const lists = async () => {
    const answers = [V1, V1].map(async (path) => (await cluster.fetch(path)).status);
    return await cluster.clock.run(Promise.all(answers));
  };
  assertEquals([await lists(), cluster.reviews.length], [[429, 429], 3]);
  isBroken = false;
  assertEquals([await lists(), cluster.reviews.length], [[200, 200], 4]);
  assertEquals([await lists(), cluster.reviews.length], [[200, 200], 4]);
});

Deno.test("a watch in another version gets converted objects, in order", async () => {
  await using cluster = await Converted.start();
  await cluster.widget("a", "red", V2);
  await using watch = await cluster.watch(
    `${V1}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
  );
  await using reds = await cluster.watch(`${V1}?fieldSelector=spec.color%3Dred`);
  await cluster.widget("b", "blue", V2);
  await cluster.merge(`${V2}/b`, { spec: { colour: "red" } });
  await cluster.merge(`${V2}/a`, { spec: { colour: "blue" } });
  await cluster.call("DELETE", `${V2}/b`);
  await cluster.clock.settle();
  const shown = ({ type, object }: Loose) =>
    `${type} ${object.apiVersion} ${object.metadata.name ?? ""} ${object.spec?.color ?? ""}`.trim();
  assertEquals(watch.lines.map(shown), [
    "ADDED acme.io/v1 a red",
    "BOOKMARK acme.io/v1",
    "ADDED acme.io/v1 b blue",
    "MODIFIED acme.io/v1 b red",
    "MODIFIED acme.io/v1 a blue",
    "DELETED acme.io/v1 b red",
  ]);
  assertEquals(reds.lines.map(shown), [
    "ADDED acme.io/v1 a red",
    "ADDED acme.io/v1 b red",
    "DELETED acme.io/v1 a red",
    "DELETED acme.io/v1 b red",
  ]);
  const versions = watch.lines.map(({ object }) => Number(object.metadata.resourceVersion));
  assertEquals(versions, versions.toSorted((a, b) => a - b));
});

Deno.test("a watch ends if the webhook fails, and the list then tells why", async () => {
  let broken = false;
  await using cluster = await Converted.start(() =>
    broken ? new Response("", { status: 503 }) : undefined
  );
  await using watch = await cluster.watch(V1);
  broken = true;
  const { json: written } = await cluster.widget("a", "red", V2);
  await cluster.clock.settle();
  assertEquals([watch.lines, watch.ended], [[], "closed"]);
  const { status, json } = await cluster.get(V1);
  assertEquals([status, json.message], [
    429,
    `storage is (re)initializing: failed to list <unspecified>: failed to read one or more widgets.acme.io from the storage: StorageError: corrupt object, Code: 7, Key: /registry/acme.io/widgets/default/a, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=${written.metadata.resourceVersion}: conversion webhook for acme.io/v2, Kind=Widget failed: the server is currently unable to handle the request`,
  ]);
});

Deno.test("a read without the gate of unsafe deletions does not name the object that cannot be converted", async () => {
  let broken = false;
  const answer = () => broken ? new Response("", { status: 503 }) : undefined;
  await using cluster = await Converted.start(answer, {}, {
    featureGates: { AllowUnsafeMalformedObjectDeletion: false },
  });
  await cluster.widget("a", "red", V2);
  broken = true;
  const { json } = await cluster.get(`${V1}/a`);
  assertEquals(
    [json.code, json.reason, json.message],
    [
      500,
      undefined,
      "conversion webhook for acme.io/v2, Kind=Widget failed: the server is currently unable to handle the request",
    ],
  );
});

Deno.test("a list whose webhook converts only one object at a time is read one by one", async () => {
  await using cluster = await Converted.start(({ request }) =>
    request.objects.length > 1 ? new Response("", { status: 500 }) : undefined
  );
  for (const name of ["a", "b"]) await cluster.widget(name, "red", V2);
  const { status, json } = await cluster.get(V1);
  assertEquals([status, json.items.length], [200, 2]);
  await using watch = await cluster.watch(V1);
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED a", "ADDED b"]);
});

Deno.test("an unsafe deletion removes what cannot be read, for users with that right", async () => {
  let isBroken = true;
  const answer = ({ request }: Loose) =>
    isBroken && request.desiredAPIVersion === "acme.io/v1"
      ? new Response("", { status: 500 })
      : undefined;
  await using cluster = await Converted.start(answer);
  const rbac = "/apis/rbac.authorization.k8s.io/v1/namespaces/default";
  const subject = { kind: "User", name: "ann", apiGroup: "rbac.authorization.k8s.io" };
  const roleRef = { kind: "Role", name: "r", apiGroup: "rbac.authorization.k8s.io" };
  const rules = [{ apiGroups: ["acme.io"], resources: ["widgets"], verbs: ["delete"] }];
  await cluster.call("POST", `${rbac}/roles`, { metadata: { name: "r" }, rules });
  const binding = { metadata: { name: "r" }, roleRef, subjects: [subject] };
  await cluster.call("POST", `${rbac}/rolebindings`, binding);
  const widget = {
    metadata: { name: "a", finalizers: ["acme.io/f"] },
    apiVersion: "acme.io/v2",
    kind: "Widget",
  };
  await cluster.call("POST", V2, widget);
  const unsafe = "ignoreStoreReadErrorWithClusterBreakingPotential=true";
  const remove = async (query = "", headers: Record<string, string> = {}) => {
    const { json } = await cluster.call("DELETE", `${V1}/a?${unsafe}${query}`, undefined, headers);
    return [json.code, json.message];
  };
  assertEquals(await remove("", { "impersonate-user": "ann" }), [
    403,
    'widgets.acme.io "a" is forbidden: not permitted to do "unsafe-delete-ignore-read-errors", reason: ',
  ]);
  isBroken = false;
  assertEquals((await remove())[0], 409);
  isBroken = true;
  assertEquals(await remove("&dryRun=All"), [200, undefined]);
  assertEquals(await remove(), [200, undefined]);
  assertEquals((await remove())[0], 404);
});

/** The beginning of the error of a read of an object that cannot be converted. */
const CORRUPT =
  /^Internal error occurred: StorageError: corrupt object, Code: 7, Key: \/acme\.io\/widgets\/default\/a, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=[0-9]+: /;

Deno.test("a wrong answer of a conversion webhook is an error that says what is wrong", async () => {
  const what = "conversion webhook for acme.io/v2, Kind=Widget";
  const success = { status: "Success" };
  const cases: [(uid: string, objects: Loose[]) => unknown, string | RegExp][] = [
    [
      (uid) => ({ uid, result: { status: "Failure", message: "no way" } }),
      `${what} failed: no way`,
    ],
    [
      (uid) => ({ uid, result: {} }),
      `${what} failed: response.result.status was '', not 'Success'`,
    ],
    [
      () => ({ uid: "x", result: success }),
      /failed: expected response.uid="[0-9a-f-]{36}", got "x"$/,
    ],
    [
      (uid) => ({ uid, result: success, convertedObjects: [] }),
      `${what} returned 0 objects, expected 1`,
    ],
    [
      (uid, [one]) => ({
        uid,
        result: success,
        convertedObjects: [{ ...one, apiVersion: "acme.io/v2" }],
      }),
      `${what} returned invalid object at index 0: invalid groupVersion (expected acme.io/v1, received acme.io/v2)`,
    ],
    [
      (uid, [one]) => ({ uid, result: success, convertedObjects: [{ ...one, kind: "Gadget" }] }),
      `${what} returned invalid object at index 0: invalid kind (expected Widget, received Gadget)`,
    ],
    [(uid, [one]) => ({
      uid,
      result: success,
      convertedObjects: [{ ...one, metadata: { ...one.metadata, name: "b" } }],
    }), `${what} returned invalid object: must have the same name: a != b`],
    [(uid, [one]) => ({
      uid,
      result: success,
      convertedObjects: [{ ...one, metadata: { ...one.metadata, labels: { a: 1 } } }],
    }), /metadata\.labels\[a\] must be a string/],
  ];
  let next: typeof cases[number][0] | undefined;
  await using cluster = await Converted.start(({ request }, objects) =>
    next?.(request.uid, objects)
  );
  await cluster.widget("a", "red", V2);
  for (const [answer, expected] of cases) {
    next = answer;
    const { status, json } = await cluster.get(`${V1}/a`);
    assertEquals(status, 500);
    assertMatch(json.message, CORRUPT);
    const reason = json.message.replace(CORRUPT, "");
    if (typeof expected === "string") assertEquals(reason, expected);
    else assertMatch(reason, expected);
  }
  // Metadata other than labels and annotations is not taken; unknown fields are pruned.
  next = (uid, [one]) => ({
    uid,
    result: success,
    convertedObjects: [{
      ...one,
      spec: { ...one.spec, other: 1 },
      metadata: { ...one.metadata, generation: 99, labels: { from: "hook" } },
    }],
  });
  const { json } = await cluster.get(`${V1}/a`);
  assertEquals([json.spec, json.metadata.generation, json.metadata.labels], [
    { color: "red" },
    1,
    { from: "hook" },
  ]);
});

Deno.test("a server that continues from a state converts again, with its own webhook", async () => {
  await using first = await Converted.start();
  await first.widget("a", "red", V2);
  await first.get(`${V1}/a`);
  const state = first.server.state();
  for (let round = 0; round < 2; round++) {
    let calls = 0;
    await using server = new ApiServer({
      state,
      clock: first.clock,
      webhooks: async (request) => {
        calls++;
        const { apiVersion, kind, request: { uid, objects, desiredAPIVersion } } = await request
          .json();
        const convertedObjects = objects.map((one: Loose) => convert(one, desiredAPIVersion));
        const response = { uid, result: { status: "Success" }, convertedObjects };
        return Response.json({ apiVersion, kind, response });
      },
    });
    const answer = await first.clock.run(server.fetch(`http://cluster${V1}/a`));
    assertEquals([(await answer.json()).spec, calls], [{ color: "red" }, 1]);
  }
});

Deno.test("a CustomResourceDefinition with an invalid conversion is refused", async () => {
  await using cluster = new Cluster();
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const config = { service: { namespace: "a", name: "b" } };
  const cases: [unknown, string][] = [
    [
      { strategy: "Magic" },
      'spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"',
    ],
    [
      { strategy: "Webhook" },
      "spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook",
    ],
    [
      { strategy: "Webhook", webhook: { clientConfig: config, conversionReviewVersions: [] } },
      "spec.conversion.conversionReviewVersions: Required value",
    ],
    [
      { strategy: "Webhook", webhook: { clientConfig: {}, conversionReviewVersions: ["v1"] } },
      "spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required",
    ],
    [
      { strategy: "None", webhook: { clientConfig: config, conversionReviewVersions: [] } },
      "spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook",
    ],
  ];
  for (const [conversion, text] of cases) {
    const { status, json } = await cluster.call("POST", path, crd({ conversion }));
    assertEquals([status, json.message.includes(text)], [422, true], json.message);
  }
});

Deno.test("managers own the fields of a converted resource in the version in which they wrote", async () => {
  await using cluster = await Converted.start();
  const apply = (version: "v1" | "v2", manager: string, spec: unknown, query = "") =>
    cluster.call(
      "PATCH",
      `${version === "v1" ? V1 : V2}/a?fieldManager=${manager}${query}`,
      { apiVersion: `acme.io/${version}`, kind: "Widget", metadata: { name: "a" }, spec },
      { "content-type": "application/apply-patch+yaml" },
    );
  const owners = async () =>
    (await cluster.get(`${V2}/a`)).json.metadata.managedFields
      .map((one: Loose) => [one.manager, one.apiVersion, Object.keys(one.fieldsV1["f:spec"])])
      .sort();
  await apply("v1", "one", { color: "red" });
  assertEquals(await owners(), [["one", "acme.io/v1", ["f:color"]]]);
  const conflict = await apply("v2", "two", { colour: "blue" });
  assertEquals([conflict.status, conflict.json.details.causes], [409, [{
    reason: "FieldManagerConflict",
    message: 'conflict with "one"',
    field: ".spec.color",
  }]]);
  const shared = await apply("v2", "two", { colour: "red" });
  assertEquals(shared.status, 200);
  assertEquals(await owners(), [
    ["one", "acme.io/v1", ["f:color"]],
    ["two", "acme.io/v2", ["f:colour"]],
  ]);
  const put = await cluster.call("PUT", `${V2}/a?fieldManager=three`, {
    ...shared.json,
    spec: { colour: "green" },
  });
  assertEquals(put.status, 200);
  assertEquals(await owners(), [["three", "acme.io/v2", ["f:colour"]]]);
  const forced = await apply("v1", "one", { color: "grey" }, "&force=true");
  assertEquals([forced.status, await owners()], [200, [["one", "acme.io/v1", ["f:color"]]]]);
  await apply("v2", "one", {});
  assertEquals((await cluster.get(`${V1}/a`)).json.spec ?? {}, {});
});
