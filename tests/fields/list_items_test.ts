import { assert, assertEquals } from "@std/assert";
import { type Applier, extractOwned, type FieldTree, isApplied } from "../../src/fields/mod.ts";

const applier: Applier = { fieldManager: "m", apiVersion: "acme.io/v1", subresource: "" };

function desired(items: readonly unknown[]) {
  return { apiVersion: "acme.io/v1", kind: "Widget", metadata: { name: "a" }, spec: { items } };
}

function live(items: readonly unknown[], tree: FieldTree) {
  const fieldsV1 = { "f:spec": { "f:items": tree } };
  const entry = { manager: "m", operation: "Apply", apiVersion: "acme.io/v1", fieldsV1 };
  return { ...desired(items), metadata: { name: "a", managedFields: [entry] } } as never;
}

/** Counts the reads of the items of a list. */
function counted<T>(list: readonly T[]): { readonly list: readonly T[]; readonly looks: number } {
  let looks = 0;
  const proxy = new Proxy(list, {
    get(target, name, receiver) {
      if (typeof name === "string" && /^\d+$/.test(name)) looks++;
      return Reflect.get(target, name, receiver) as unknown;
    },
  });
  return {
    list: proxy,
    get looks() {
      return looks;
    },
  };
}

const COUNT = 1_000;
const items = Array.from({ length: COUNT }, (_, index) => ({ name: `n-${index}`, value: index }));
const names = items.map(({ name }) => name);
const leaf = { ".": {}, "f:name": {}, "f:value": {} };
const map: FieldTree = Object.fromEntries(names.map((name) => [`k:{"name":"${name}"}`, leaf]));
const set: FieldTree = Object.fromEntries(names.map((name) => [`v:"${name}"`, {}]));

Deno.test("isApplied() and extractOwned() read each item of a long list only a few times", () => {
  for (const [list, tree] of [[items, map], [names, set]] as const) {
    const stored = counted<unknown>(list);
    assert(isApplied(desired(list), live(stored.list, tree), applier));
    assertEquals(extractOwned(tree, stored.list), list);
    assert(stored.looks <= 10 * COUNT, String(stored.looks));
  }
});

Deno.test("isApplied() reads items that lack a key only a few times, in any order", () => {
  let looks = 0;
  const ports = Array.from({ length: COUNT }, (_, index) => ({
    get port() {
      looks++;
      return COUNT - index;
    },
  }));
  const stored = ports.map(({ port }) => ({ port, protocol: "TCP" }));
  const tree: FieldTree = Object.fromEntries(
    stored.map(({ port }) =>
      [`k:{"port":${port},"protocol":"TCP"}`, { ".": {}, "f:port": {} }] as const
    ).reverse(),
  );
  looks = 0;
  assert(isApplied(desired(ports), live(stored, tree), applier));
  assert(looks <= 10 * COUNT, String(looks));
});

Deno.test("isApplied() recognizes keys and items that the server escapes", () => {
  const list = [{ name: "a<b>&\u2028" }, { name: "c" }];
  const tree: FieldTree = {
    'k:{"name":"a\\u003cb\\u003e\\u0026\\u2028"}': { ".": {}, "f:name": {} },
    'k:{"name":"c"}': { ".": {}, "f:name": {} },
  };
  assert(isApplied(desired(list), live(list, tree), applier));
  assert(!isApplied(desired(list), live(list.toReversed(), tree), applier));
  assert(!isApplied(desired(list), live([...list, list[0]], tree), applier));
  assertEquals(extractOwned(tree, [{ name: "x" }, ...list]), list);
  const texts = list.map(({ name }) => name);
  const ofTexts = { 'v:"a\\u003cb\\u003e\\u0026\\u2028"': {}, 'v:"c"': {} };
  assert(isApplied(desired(texts), live(texts, ofTexts), applier));
});

Deno.test("isApplied() matches items with and without a key to different elements", () => {
  const tree: FieldTree = {
    'k:{"port":1,"protocol":"TCP"}': { ".": {}, "f:port": {} },
    'k:{"port":1,"protocol":"UDP"}': { ".": {}, "f:port": {}, "f:protocol": {} },
  };
  const stored = [{ port: 1, protocol: "UDP" }, { port: 1, protocol: "TCP" }];
  const wanted = [{ port: 1, protocol: "UDP" }, { port: 1 }];
  assert(isApplied(desired(wanted), live(stored, tree), applier));
  assert(!isApplied(desired([{ port: 1 }, { port: 1 }]), live(stored, tree), applier));
  assert(!isApplied(desired([{ port: 1 }, { port: 2 }]), live(stored, tree), applier));
});
