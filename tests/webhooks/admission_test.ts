import { assert, assertEquals, assertThrows } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import {
  admission,
  type AdmissionFunctions,
  admissionPath,
  conversion,
} from "../../src/webhooks/mod.ts";
import { VirtualClock } from "../../src/testing/mod.ts";
import { StatusError } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { admissionReview, post, review, type Widget, widget, Widgets } from "./_reviews.ts";

Deno.test("admission() passes the request to validate and allows it", async () => {
  let seen: unknown;
  const handler = admission(Widgets, {
    validate: ({ request: _, signal, warn, ...rest }) => {
      assert(!signal.aborted);
      warn("size 1 is deprecated");
      seen = rest;
    },
  });
  const object = widget(1);
  assertEquals(await review(handler, { object, dryRun: true }), {
    uid: "u-1",
    allowed: true,
    warnings: ["size 1 is deprecated"],
  });
  assertEquals(seen, {
    operation: "CREATE",
    object,
    oldObject: undefined,
    name: "a",
    namespace: "default",
    subresource: undefined,
    userInfo: { username: "jane", groups: ["dev"] },
    dryRun: true,
    options: { kind: "CreateOptions", apiVersion: "meta.k8s.io/v1" },
  });
});

const secret = "password 123";
const verdicts: [
  string,
  AdmissionFunctions<Widget>["validate"] & object,
  number,
  string,
  string,
][] = [
  ["a message", () => "too big", 403, "Forbidden", "too big"],
  ["an empty message", () => "", 403, "Forbidden", ""],
  [
    "a field",
    () => [{ field: "spec.size", message: "must be even" }],
    422,
    "Invalid",
    'Widget.acme.io "a" is invalid: spec.size: must be even',
  ],
  [
    "two fields",
    () => Promise.resolve([{ field: "a", message: "x" }, { field: "b", message: "y" }]),
    422,
    "Invalid",
    'Widget.acme.io "a" is invalid: [a: x, b: y]',
  ],
  [
    "a StatusError",
    () => {
      throw new StatusError({ code: 429, reason: "TooManyRequests", message: "later" });
    },
    429,
    "TooManyRequests",
    "later",
  ],
  [
    "a StatusError that says success",
    () => {
      throw new StatusError({ code: 200, status: "Success", message: "fine" });
    },
    403,
    "",
    "fine",
  ],
  [
    "the failure of a client",
    () => {
      throw new StatusError({ code: 404, message: secret }, { method: "GET", url: "https://x" });
    },
    500,
    "InternalError",
    "the webhook failed: see its log",
  ],
  [
    "an Error",
    () => Promise.reject(new Error(secret)),
    500,
    "InternalError",
    "the webhook failed: see its log",
  ],
  [
    "something that is no verdict",
    () => 5 as unknown as string,
    500,
    "InternalError",
    "the webhook failed: see its log",
  ],
];
for (const [name, validate, code, reason, message] of verdicts) {
  Deno.test(`admission() denies with ${code} for ${name}`, async () => {
    const logger = new RecordingLogger();
    const handler = admission(Widgets, { validate }, { logger });
    const { allowed, status } = await review(handler, { object: widget(1) });
    assertEquals(allowed, false);
    assertEquals([status?.code, status?.reason ?? "", status?.message], [code, reason, message]);
    assertEquals(logger.of("error").length, code === 500 ? 1 : 0);
    assert(!JSON.stringify(status).includes(secret));
  });
}

Deno.test("admission() gives each invalid field as a cause, and allows an empty list", async () => {
  const handler = admission(Widgets, {
    validate: ({ object }) =>
      object.spec.size > 1
        ? [{ field: "spec.size", message: "too big", reason: "FieldValueNotSupported" }]
        : [],
  });
  const { status } = await review(handler, { object: widget(2) });
  assertEquals(status?.details, {
    name: "a",
    group: "acme.io",
    kind: "Widget",
    causes: [{ reason: "FieldValueNotSupported", message: "too big", field: "spec.size" }],
  });
  assertEquals((await review(handler, { object: widget(1) })).allowed, true);
});

Deno.test("admission() answers with the patch to the object that mutate changed or returned", async () => {
  const change = admission(Widgets, {
    mutate: ({ object }) => {
      object.metadata.labels = { "acme.io/größe": "1" };
    },
  });
  const expected = [{ op: "add", path: "/metadata/labels", value: { "acme.io/größe": "1" } }];
  const changed = await review(change, { object: widget(1) });
  assertEquals([changed.allowed, changed.patchType, changed.patch], [true, "JSONPatch", expected]);
  const copy = admission(Widgets, {
    mutate: ({ object }) => ({
      ...object,
      spec: { size: object.spec.size + 1, image: undefined! },
    }),
  });
  assertEquals((await review(copy, { object: widget(1) })).patch, [
    { op: "replace", path: "/spec/size", value: 2 },
  ]);
  const same = admission(Widgets, { mutate: ({ object }) => object });
  assertEquals(await review(same, { object: widget(1) }), { uid: "u-1", allowed: true });
  for (const returned of [5, {}, null, { metadata: 1 }] as unknown as Widget[]) {
    const wrong = admission(Widgets, { mutate: () => returned }, { logger: silentLogger });
    const { allowed } = await review(wrong, { object: widget(1) });
    assertEquals(allowed, returned === null);
  }
});

Deno.test("admission() runs one mode at its path, and both modes at other paths", async () => {
  const calls: string[] = [];
  const handler = admission(Widgets, {
    mutate: ({ object }) => {
      calls.push("mutate");
      object.spec.size = 7;
    },
    validate: ({ object }) => {
      calls.push(`validate ${object.spec.size}`);
    },
  });
  assertEquals(admissionPath("mutate", Widgets), "/mutate-acme-io-v1-widget");
  const of = async (path: string) => {
    calls.length = 0;
    const { patch } = await review(handler, { object: widget(1) }, path);
    return [...calls, patch !== undefined];
  };
  assertEquals(await of("/mutate-acme-io-v1-widget?timeout=5s"), ["mutate", true]);
  assertEquals(await of("/hooks/validate-acme-io-v1-widget"), ["validate 1", false]);
  assertEquals(await of("/"), ["mutate", "validate 7", true]);
});

Deno.test("admission() allows other operations and subresources", async () => {
  const never = () => "never";
  const handler = admission(Widgets, { validate: never, mutate: () => {} });
  const allowed = { uid: "u-1", allowed: true };
  assertEquals(await review(handler, { operation: "DELETE", oldObject: widget(1) }), allowed);
  assertEquals(await review(handler, { operation: "CONNECT", object: {} }), allowed);
  const object = widget(1);
  const status = { operation: "UPDATE", subResource: "status", object, oldObject: object };
  assertEquals(await review(handler, status), allowed);
  const asked = admission(Widgets, { validate: never }, {
    operations: ["UPDATE", "DELETE"],
    subresources: ["status"],
  });
  assertEquals((await review(asked, status)).allowed, false);
  assertEquals((await review(asked, { operation: "DELETE", oldObject: object })).allowed, false);
});

Deno.test("admission() gives the deleted object to validate, and never mutates it", async () => {
  const handler = admission(Widgets, {
    validate: ({ object, oldObject }) => object === oldObject ? `keep ${object.spec.size}` : "no",
    mutate: () => {
      throw new Error("called");
    },
  }, { operations: ["DELETE"] });
  const { status } = await review(handler, { operation: "DELETE", oldObject: widget(3) });
  assertEquals(status?.message, "keep 3");
});

Deno.test("admission() denies requests outside of its rules, with the reason", async () => {
  const logger = new RecordingLogger();
  const handler = admission(Widgets, { validate: () => {} }, { logger });
  const kind = { group: "acme.io", version: "v2", kind: "Widget" };
  const wrong: [object, string][] = [
    [{ kind, object: widget(1) }, "this webhook decides on Widget of acme.io/v1, and the request"],
    [{ kind: "Widget", object: widget(1) }, "correct the rules of its configuration"],
    [{}, "the request has no object"],
    [{ object: {} }, "the request has no object"],
    [{ operation: "UPDATE", object: widget(1) }, "the request has no oldObject"],
  ];
  for (const [request, message] of wrong) {
    const { allowed, status } = await review(handler, request);
    assertEquals([allowed, status?.code], [false, 400]);
    assert(status?.message.includes(message), status?.message);
  }
  assertEquals(logger.of("warn").length, wrong.length);
});

Deno.test("admission() answers a request that is not a review with a Status", async () => {
  const handler = admission(Widgets, { validate: () => {} }, { logger: silentLogger });
  const good = admissionReview({ object: widget(1) });
  const requests: [Request, number, string][] = [
    [new Request("https://x/"), 405, "Cannot answer GET"],
    [post(good, "/", { headers: { "content-type": "text/plain" } }), 415, '"text/plain"'],
    [post("{"), 400, "The body is not JSON"],
    [post(""), 400, "The body is not JSON"],
    [post("[]"), 400, "The body is no object"],
    [post({ ...good, apiVersion: "admission.k8s.io/v1beta1" }), 400, "admission.k8s.io/v1beta1"],
    [post({ ...good, kind: "ConversionReview" }), 400, 'a "ConversionReview"'],
    [post({ ...good, request: null }), 400, "no request with a uid"],
    [post({ ...good, request: { uid: "" } }), 400, "no request with a uid"],
    [post("x".repeat(16 * 1024 * 1024 + 1)), 413, "longer than 16777216 bytes"],
    [
      post("", "/", { body: new Blob([]).stream(), duplex: "half" } as RequestInit),
      400,
      "not JSON",
    ],
  ];
  for (const [request, code, message] of requests) {
    const response = await handler(request);
    const status = await response.json();
    assertEquals([response.status, status.kind, status.code], [code, "Status", code]);
    assert(status.message.includes(message), status.message);
  }
  const used = post(good);
  await used.text();
  assertEquals((await handler(used)).status, 400);
});

Deno.test("admission() denies with 504 at the deadline of the server, and stops waiting", async () => {
  const clock = new VirtualClock();
  const aborted = Promise.withResolvers<unknown>();
  const handler = admission(Widgets, {
    validate: ({ signal }) => {
      signal.addEventListener("abort", () => aborted.resolve(signal.reason));
      return new Promise(() => {});
    },
  }, { clock, logger: silentLogger });
  const answer = review(handler, { object: widget(1) }, "/?timeout=3s");
  await clock.advance(2_999);
  assertEquals(clock.pendingTimers, 1);
  await clock.advance(1);
  const { allowed, status } = await answer;
  assertEquals([allowed, status?.code, status?.reason], [false, 504, "Timeout"]);
  assertEquals(((await aborted.promise) as DOMException).name, "TimeoutError");
  assertEquals(clock.pendingTimers, 0);
});

Deno.test("admission() bounds the warnings", async () => {
  const handler = admission(Widgets, {
    validate: ({ warn }) => {
      for (let i = 0; i < 100; i++) warn("x".repeat(1_000));
    },
  });
  const { warnings = [] } = await review(handler, { object: widget(1) });
  assertEquals([warnings.length, warnings[0]?.length], [20, 256]);
});

Deno.test("admission() requires a function and known operations", () => {
  assertThrows(() => admission(Widgets, {}), TypeError, "needs validate, mutate or both");
  const wrong = { validate: "x" } as unknown as AdmissionFunctions<Widget>;
  assertThrows(() => admission(Widgets, wrong), TypeError, "validate must be a function");
  assertThrows(
    () => admission(Widgets, { validate: () => {} }, { operations: ["CONNECT" as "CREATE"] }),
    TypeError,
    'Cannot decide on the operation "CONNECT"',
  );
});

Deno.test("admission() and conversion() report wrong arguments of plain JavaScript at once", () => {
  const functions = { validate: () => {} };
  const refuses = (options: object, text: string) =>
    assertThrows(() => admission(Widgets, functions, options), TypeError, text);
  refuses({ failurepolicy: "Fail" }, 'did you mean "failurePolicy"?');
  refuses({ clock: {} }, "a clock");
  assertThrows(
    () => admission(Widgets, { validate: () => {}, mutates: () => {} } as never),
    TypeError,
    'did you mean "mutate"?',
  );
  refuses({ failurePolicy: "fail" }, 'failurePolicy must be Fail or Ignore: received "fail"');
  refuses({ operations: "CREATE" }, 'operations must be a list of names: received "CREATE"');
  refuses({ subresources: "status" }, 'subresources must be a list of names: received "status"');
  const none = undefined as never;
  assertThrows(() => admission(Widgets, none), TypeError, "needs validate, mutate or both");
  assertThrows(() => conversion(Widgets, none), TypeError, "needs another version");
});

Deno.test("admission() treats an invalid list of fields as a failure of the webhook", async () => {
  for (const verdict of [["too big"], [null], [{ field: "spec.size" }], [{ message: "no" }]]) {
    const logger = new RecordingLogger();
    const handler = admission(Widgets, { validate: () => verdict as never }, { logger });
    const { allowed, status } = await review(handler, { object: widget(1) });
    assertEquals([allowed, status?.code], [false, 500]);
    assertEquals(logger.of("error").length, 1);
    assert(logger.of("error")[0]?.includes("validate must return fields as { field: "));
  }
});

Deno.test("admission() answers with the result of mutate, even if validate changes the object", async () => {
  const handler = admission(Widgets, {
    mutate: ({ object }) => {
      object.metadata.finalizers = ["a"];
    },
    validate: ({ object }) => {
      object.metadata.finalizers?.push("b");
    },
  });
  const { patch } = await review(handler, { object: widget(1) });
  assertEquals(patch, [{ op: "add", path: "/metadata/finalizers", value: ["a"] }]);
});
