/** Objects with as many levels as an API server takes, and keys that engines confuse. */

import { assert, assertEquals } from "@std/assert";
import { parseJson } from "../../src/base/mod.ts";
import { admission, conversion, jsonPatchOf } from "../../src/operator/mod.ts";
import { RecordingLogger } from "../support/recording_logger.ts";
import { post, Widgets } from "./_reviews.ts";

/** Returns the JSON of an object with a field that has so many levels. */
function deepWidget(levels: number, apiVersion = "acme.io/v1"): string {
  const deep = `${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`;
  return `{"apiVersion":"${apiVersion}","kind":"Widget","metadata":{"name":"a","namespace":"b"},"spec":{"size":1,"deep":${deep}}}`;
}

for (const levels of [100, 3_000, 9_900]) {
  Deno.test(`mutate and validate get an object with ${levels} levels`, async () => {
    const logger = new RecordingLogger();
    const handler = admission(Widgets, {
      mutate: ({ object }) => void (object.spec.size = 2),
      validate: ({ object }) => object.spec.size === 2 ? undefined : "not mutated",
    }, { logger });
    const kind = '{"group":"acme.io","version":"v1","kind":"Widget"}';
    const review =
      `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"u","kind":${kind},` +
      `"operation":"CREATE","object":${deepWidget(levels)}}}`;
    const response = await handler(post(review));
    assertEquals([response.status, logger.of("error")], [200, []]);
    const { response: answer } = await response.json();
    assertEquals(answer.allowed, true);
    assertEquals(JSON.parse(atob(answer.patch)), [
      { op: "replace", path: "/spec/size", value: 2 },
    ]);
  });

  Deno.test(`mutate may add a value with ${levels} levels`, async () => {
    const handler = admission(Widgets, {
      mutate: ({ object }) => void (object.spec.image = JSON.parse(deepWidget(levels)).spec.deep),
    });
    const kind = { group: "acme.io", version: "v1", kind: "Widget" };
    const object = { metadata: { name: "a" }, spec: { size: 1 } };
    const request = { uid: "u", kind, operation: "CREATE", object };
    const review = { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
    const { response: answer } = await (await handler(post(review))).json();
    const patch = atob(answer.patch);
    assert(patch.startsWith('[{"op":"add","path":"/spec/image","value":{"a":[{"a":['));
    assertEquals(patch.split("[").length, levels / 2 + 2);
  });

  Deno.test(`a conversion converts an object with ${levels} levels, and the others of its review`, async () => {
    const logger = new RecordingLogger();
    const handler = conversion(Widgets, {
      v1beta1: { toHub: (old) => old as never, fromHub: (widget) => widget },
    }, { logger });
    const review =
      `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u",` +
      `"desiredAPIVersion":"acme.io/v1","objects":[${deepWidget(levels, "acme.io/v1beta1")},` +
      `${deepWidget(2, "acme.io/v1beta1")}]}}`;
    const response = await handler(post(review));
    assertEquals([response.status, logger.lines], [200, []]);
    const text = await response.text();
    const { response: { result, convertedObjects } } = JSON.parse(text);
    assertEquals([result.status, convertedObjects.length], ["Success", 2]);
    const [, spec] = deepWidget(levels).split('"spec":');
    assert(text.includes(spec!.slice(0, -1)), "the object is the same otherwise");
  });
}

Deno.test("a conversion does not change the keys of an object because of those of another one", async () => {
  const handler = conversion(Widgets, {
    v1beta1: { toHub: (old) => old as never, fromHub: (widget) => widget },
  });
  const convert = async (spec: string) => {
    const object =
      `{"apiVersion":"acme.io/v1beta1","kind":"Widget","metadata":{"name":"a"},"spec":${spec}}`;
    const response = await handler(post(
      `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"u",` +
        `"desiredAPIVersion":"acme.io/v1","objects":[${object}]}}`,
    ));
    const { response: answer } = parseJson(await response.text()) as {
      response: { convertedObjects: { spec: object }[] };
    };
    return answer.convertedObjects[0]!.spec;
  };
  await convert(String.raw`{"of tenant one":1,"\\":2}`);
  assertEquals(Object.keys(await convert(String.raw`{"of tenant one":1,"\u003c":2}`)), [
    "of tenant one",
    "<",
  ]);
});

Deno.test("jsonPatchOf() compares values of any depth, and replaces those below 200 levels as a whole", () => {
  const chain = (levels: number, end: unknown): unknown => {
    let value = end;
    for (let i = 0; i < levels; i++) value = i % 2 === 0 ? { a: value } : [value];
    return value;
  };
  assertEquals(jsonPatchOf(chain(9_900, 1), chain(9_900, 1)), []);
  const [operation, ...others] = jsonPatchOf(chain(9_900, 1), chain(9_900, 2));
  assertEquals([operation?.op, others], ["replace", []]);
  assertEquals(operation?.path.split("/").length, 201);
});
