import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { silentLogger } from "../../src/base/mod.ts";
import { conversion, type VersionConversion } from "../../src/webhooks/mod.ts";
import { type KubeObject, StatusError } from "../../src/types/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { post, type Widget, widget, Widgets } from "./_reviews.ts";

interface OldWidget extends KubeObject {
  spec: { length: number };
}

const v1beta1: VersionConversion<OldWidget, Widget> = {
  toHub: ({ spec: { length }, ...rest }) => ({ ...rest, spec: { size: length } }),
  fromHub: (object) => Promise.resolve({ ...object, spec: { length: object.spec.size } }),
};
const v1alpha1: VersionConversion<OldWidget, Widget> = {
  toHub: (object) => {
    const { length } = object.spec;
    if (length < 0) throw new StatusError({ message: "spec.length must not be negative" });
    if (length > 100) throw new Error("internal detail");
    // Changes of the rest of the metadata have no effect.
    object.metadata.uid = "other";
    object.metadata.annotations = { "acme.io/was": String(length) };
    return { ...object, kind: "Other", spec: { size: length } } as unknown as Widget;
  },
  fromHub: (object) => ({ metadata: { name: "x" }, spec: { length: object.spec.size } }),
};

interface Answer {
  readonly uid: string;
  readonly convertedObjects: (OldWidget & Widget)[];
  readonly result: { status: string; message?: string };
}

async function convert(
  objects: unknown,
  desiredAPIVersion: unknown = "acme.io/v1",
  logger = silentLogger,
): Promise<Answer> {
  const handler = conversion(Widgets, { v1beta1, v1alpha1 }, { logger });
  const request = { uid: "c-1", desiredAPIVersion, objects };
  const review = { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request };
  const response = await handler(post(review));
  const { kind, response: answer } = await response.json();
  assertEquals([response.status, kind], [200, "ConversionReview"]);
  return answer;
}

function old(version: string, name: string, length: number): OldWidget {
  const metadata = { name, namespace: "default", uid: `uid-${name}`, labels: { app: name } };
  return { apiVersion: `acme.io/${version}`, kind: "Widget", metadata, spec: { length } };
}

Deno.test("conversion() converts to the hub in order, and restores fields that must not change", async () => {
  const { uid, result, convertedObjects } = await convert([
    old("v1beta1", "a", 1),
    widget(2, { name: "b" }),
    old("v1alpha1", "c", 3),
  ]);
  assertEquals([uid, result], ["c-1", { status: "Success" }]);
  assertEquals(convertedObjects as unknown[], [
    {
      apiVersion: "acme.io/v1",
      kind: "Widget",
      metadata: { name: "a", namespace: "default", uid: "uid-a", labels: { app: "a" } },
      spec: { size: 1 },
    },
    widget(2, { name: "b" }),
    {
      apiVersion: "acme.io/v1",
      kind: "Widget",
      metadata: {
        name: "c",
        namespace: "default",
        uid: "uid-c",
        labels: { app: "c" },
        annotations: { "acme.io/was": "3" },
      },
      spec: { size: 3 },
    },
  ]);
});

Deno.test("conversion() goes through the hub, and lets labels be removed", async () => {
  const { convertedObjects: [object] } = await convert(
    [old("v1beta1", "a", 4)],
    "acme.io/v1alpha1",
  );
  assertEquals(object as unknown, {
    apiVersion: "acme.io/v1alpha1",
    kind: "Widget",
    metadata: { name: "a", namespace: "default", uid: "uid-a" },
    spec: { length: 4 },
  });
});

Deno.test("conversion() fails with a message that names the object, without internals", async () => {
  const cases: [unknown, unknown, string][] = [
    [
      [old("v1beta1", "a", 1), old("v1alpha1", "bad", -1)],
      "acme.io/v1",
      'Cannot convert Widget "default/bad" from v1alpha1 to v1: spec.length must not be negative',
    ],
    [
      [old("v1alpha1", "big", 101)],
      "acme.io/v1beta1",
      'Cannot convert Widget "default/big" from v1alpha1 to v1beta1: the webhook failed: see its log',
    ],
    [
      [old("v2", "a", 1)],
      "acme.io/v1",
      'apiVersion is "acme.io/v2": this webhook converts Widget between acme.io/v1, acme.io/v1beta1, acme.io/v1alpha1',
    ],
    [[], "other.io/v1", 'desiredAPIVersion is "other.io/v1": this webhook converts'],
    [[], 5, "desiredAPIVersion is 5"],
    [{}, "acme.io/v1", "the request has no list of objects"],
    [[null], "acme.io/v1", "the request has something that is no object"],
  ];
  for (const [objects, desired, message] of cases) {
    const logger = new RecordingLogger();
    const { uid, result, convertedObjects } = await convert(objects, desired, logger);
    assertEquals([uid, result.status, convertedObjects], ["c-1", "Failure", []]);
    assert(result.message?.startsWith(message), result.message);
    assertEquals(logger.of("warn").length, 1);
    assertEquals(logger.of("error").length, message.includes("see its log") ? 1 : 0);
  }
});

Deno.test("conversion.convert() converts one object as the handler does, with the errors of the functions", async () => {
  const { conversion: { convert: one, resource, versions } } = conversion(Widgets, {
    v1beta1,
    v1alpha1,
  });
  assertEquals([resource, versions], [Widgets, ["v1beta1", "v1alpha1"]]);
  for (
    const [object, version] of [
      [old("v1alpha1", "c", 3), "v1"],
      [old("v1beta1", "c", 3), "v1alpha1"],
      [widget(2, { name: "b" }), "v1beta1"],
      [widget(2, { name: "b" }), "v1"],
    ] as const
  ) {
    const { convertedObjects: [expected] } = await convert([object], `acme.io/${version}`);
    assertEquals(await one(object, version), expected);
  }
  const fails = (object: unknown, version: string, text: string) =>
    assertRejects(() => one(object as KubeObject, version), Error, text);
  await fails(old("v1alpha1", "c", 101), "v1", "internal detail");
  await fails(old("v2", "c", 1), "v1", 'Cannot convert "acme.io/v2" to v1: expected acme.io/v1, ');
  await fails(old("v1beta1", "c", 1), "v3", "to v3: expected acme.io/v1, acme.io/v1beta1");
  await fails(undefined, "v1", "convert() takes an object with metadata: received undefined");
});

Deno.test("conversion() requires functions of versions other than the hub", () => {
  const of = (versions: unknown) => () =>
    conversion(Widgets, versions as { v1beta1: typeof v1beta1 });
  assertThrows(of({}), TypeError, "needs another version");
  assertThrows(of({ v1: v1beta1 }), TypeError, "v1 is the hub of widgets.acme.io: leave it out");
  assertThrows(
    of({ v1beta1: { toHub: () => {} } }),
    TypeError,
    "Expected the conversion of widgets.acme.io v1beta1: received an object without fromHub()",
  );
});
