/** Webhooks and objects that are hard to pass on: large integers, keys that engines confuse, and deep objects. */

import { assert, assertEquals } from "@std/assert";
import { parseJson, silentLogger, stringifyJson } from "../../src/base/mod.ts";
import { admission, conversion, jsonPatchOf } from "../../src/webhooks/mod.ts";
import type { KubeObject } from "../../src/types/mod.ts";
import { DEEP, deepJson, leafOf, NUMBERS } from "../support/hard_json.ts";
import { admissionReview, post, Widgets } from "./_reviews.ts";

type Any = KubeObject & { spec: Record<string, unknown> };

/** Returns the JSON of a widget with this `spec`. */
function widgetText(spec: string, version = "v1beta1", name = "a"): string {
  const head = `"apiVersion":"acme.io/${version}","kind":"Widget"`;
  return `{${head},"metadata":{"name":"${name}","namespace":"default"},"spec":${spec}}`;
}

/** Applies the operations `add` and `replace` of fields, in objects of any depth. */
function patched(document: unknown, patch: unknown): unknown {
  for (const { path, value } of patch as { path: string; value: unknown }[]) {
    const names = path.split("/").slice(1).map((name) => name.replaceAll("~1", "/"));
    const last = names.pop()!;
    let at = document as Record<string, unknown>;
    for (const name of names) at = at[name] as Record<string, unknown>;
    at[last] = value;
  }
  return document;
}

/** Posts a ConversionReview to v1, and returns the text of the answer. */
async function convert(...objects: readonly string[]): Promise<string> {
  const handler = conversion(Widgets, {
    v1beta1: {
      toHub: (old: Any) => ({ ...old, spec: { ...old.spec, size: 1 } }),
      fromHub: (object) => object as Any,
    },
  }, { logger: silentLogger });
  const response = await handler(post(
    `{"apiVersion":"apiextensions.k8s.io/v1","kind":"ConversionReview","request":{"uid":"1",` +
      `"desiredAPIVersion":"acme.io/v1","objects":[${objects.join()}]}}`,
  ));
  assertEquals(response.status, 200);
  return await response.text();
}

/** Posts an AdmissionReview of a creation, and returns the object after the patch of the answer. */
async function mutated(spec: string, mutate: (object: Any) => void): Promise<Any> {
  const handler = admission(Widgets, {
    mutate: ({ object }) => mutate(object as Any),
    validate: ({ object }) => object.spec === undefined ? "no spec" : undefined,
  }, { logger: silentLogger });
  const review = stringifyJson(admissionReview({ object: { placeholder: true } }));
  const object = widgetText(spec, "v1");
  const response = await handler(post(review.replace('{"placeholder":true}', object)));
  const { response: answer } = await response.json();
  assertEquals([response.status, answer.allowed, answer.status], [200, true, undefined]);
  const patch = answer.patch === undefined ? [] : parseJson(atob(answer.patch));
  return patched(parseJson(object), patch) as Any;
}

for (const number of NUMBERS) {
  Deno.test(`conversion() and mutate keep ${number}`, async () => {
    const answer = await convert(widgetText(`{"big":${number},"list":[${number}]}`));
    assert(answer.includes(`"spec":{"big":${number},"list":[${number}],"size":1}`), answer);
    const object = await mutated(`{"big":${number}}`, ({ spec }) => {
      spec["copy"] = [spec["big"]];
      spec["size"] = 2;
    });
    assertEquals(stringifyJson(object.spec), `{"big":${number},"copy":[${number}],"size":2}`);
  });
}

Deno.test("conversion() keeps the keys of an object after an object with a backslash as a key", async () => {
  const hostile = widgetText(String.raw`{"hard":1,"k:{\\\"a\\\":":2}`);
  const victim = widgetText(String.raw`{"hard":1,"k:{\"a\":1}":1}`, "v1beta1", "b");
  for (let i = 0; i < 20; i++) {
    const answer = await convert(hostile, victim);
    assert(answer.includes(String.raw`"hard":1,"k:{\"a\":1}":1`), answer);
  }
  // The same shape in another review.
  await convert(widgetText(String.raw`{"of tenant one":1,"\\":2}`));
  const other = await convert(widgetText(String.raw`{"of tenant one":1,"\u003c":2}`));
  assert(other.includes('"of tenant one":1,"<":2'), other);
});

Deno.test("mutate keeps the keys of an object after an object with a backslash as a key", async () => {
  for (let i = 0; i < 20; i++) {
    await mutated(String.raw`{"odd":1,"k:{\\\"b\\\":":2}`, ({ spec }) => void (spec["x"] = 1));
    const victim = await mutated(
      String.raw`{"odd":1,"k:{\"b\":1}":1}`,
      ({ spec }) => void (spec["x"] = 1),
    );
    assertEquals(Object.keys(victim.spec).sort(), ['k:{"b":1}', "odd", "x"]);
  }
});

for (const levels of [100, DEEP, 9_900]) {
  Deno.test(`conversion() converts an object of ${levels} levels, and the other objects of its review`, async () => {
    const deep = deepJson("9007199254740993", levels);
    const answer = await convert(
      widgetText('{"a":1}'),
      widgetText(`{"deep":${deep}}`),
      widgetText("{}"),
    );
    assert(answer.includes('"result":{"status":"Success"}'));
    assert(answer.includes(`"spec":{"deep":${deep},"size":1}`));
  });

  Deno.test(`mutate and validate get an object of ${levels} levels, and mutate may add such a value`, async () => {
    const deep = deepJson("1", levels);
    const object = await mutated(`{"deep":${deep}}`, ({ spec }) => {
      spec["added"] = parseJson(deep);
      let inner = spec["deep"] as { a: unknown[] };
      while (typeof inner.a[0] === "object") inner = inner.a[0] as { a: unknown[] };
      inner.a[0] = 9007199254740993n;
    });
    assertEquals(leafOf(object.spec["added"]), { leaf: 1, depth: levels });
    assertEquals(leafOf(object.spec["deep"]), { leaf: 9007199254740993n, depth: levels });
  });
}

Deno.test("conversion() fails with the path of a number that JSON does not have", async () => {
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => void errors.push(message) };
  const handler = conversion(Widgets, {
    v1beta1: {
      toHub: (old: Any) => ({ ...old, spec: { size: NaN } }),
      fromHub: (object) => object as Any,
    },
  }, { logger });
  const request = {
    uid: "1",
    desiredAPIVersion: "acme.io/v1",
    objects: [parseJson(widgetText("{}"))],
  };
  const response = await handler(
    post({ apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", request }),
  );
  const { response: { result } } = await response.json();
  assertEquals(result.status, "Failure");
  assert(
    errors.some((one) => one.includes("Cannot write spec.size as JSON: JSON has no NaN")),
    `${errors}`,
  );
});

Deno.test("jsonPatchOf() treats a bigint and a number of the same value as equal", () => {
  assertEquals(jsonPatchOf({ a: 5, b: [1n] }, { a: 5n, b: [1] }), []);
  assertEquals(jsonPatchOf({ a: 9007199254740992 }, { a: 9007199254740993n }), [
    { op: "replace", path: "/a", value: 9007199254740993n },
  ]);
});

Deno.test("jsonPatchOf() compares objects of any depth", () => {
  const [before, after] = ["1", "2"].map((leaf) => parseJson(deepJson(leaf, 9_000)));
  assertEquals(jsonPatchOf(before, parseJson(deepJson("1", 9_000))), []);
  const changed = patched(parseJson(deepJson("1", 9_000)), jsonPatchOf(before, after));
  assertEquals(leafOf(changed), { leaf: 2, depth: 9_000 });
});
