import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { ReferenceIndex } from "../../../src/operator/builder/reference_index.ts";
import {
  partsOf,
  ReferenceScopes,
  scopesOf,
} from "../../../src/operator/builder/reference_scopes.ts";
import { assertProperty } from "../../support/seeded_runs.ts";

const LIMIT = 5;

Deno.test("ReferenceScopes holds every referenced object in at most so many scopes, and drops the others", () => {
  const name = fc.tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }))
    .map(([namespace, own]) => namespace === 7 ? `c${own}` : `n${namespace}/o${own}`);
  const change = fc.record({
    key: fc.integer({ min: 0, max: 5 }).map(String),
    names: fc.option(fc.array(name, { maxLength: 6 }), { nil: undefined }),
    sweeps: fc.boolean(),
  });
  assertProperty(fc.property(fc.array(change), fc.boolean(), (changes, isWide) => {
    const scopes = new ReferenceScopes({ limit: LIMIT, isWide });
    const index = new ReferenceIndex(scopes);
    const expected = new Map<string, ReadonlySet<string>>();
    for (const [at, { key, names, sweeps }] of changes.entries()) {
      if (names === undefined) {
        index.delete(key);
        expected.delete(key);
      } else {
        index.set(key, `${at}`, names);
        expected.set(key, new Set(names));
      }
      if (sweeps) scopes.removeUnused();
      const all = new Set([...expected.values()].flatMap((own) => [...own]));
      assertEquals(index.size, all.size);
      assert(scopes.size <= LIMIT);
      for (const one of all) {
        assert(scopesOf(one).some((scope) => scopes.has(scope)), `${one} is not in a scope`);
        const referrers = [...expected].filter(([, own]) => own.has(one)).map(([own]) => own);
        assertEquals(index.referrersOf(one).toSorted(), referrers.toSorted());
      }
      if (!sweeps) continue;
      const used = [...scopes.wanted].filter((scope) =>
        [...all].some((one) => scopesOf(one).includes(scope))
      );
      assertEquals(used.length, isWide ? used.length : scopes.size);
    }
    for (const key of expected.keys()) index.delete(key);
    scopes.removeUnused();
    assertEquals([...scopes.wanted], isWide ? [""] : []);
  }));
});

Deno.test("partsOf() tells one object, a namespace and all objects apart", () => {
  assertEquals(["a/b", "b", "a/", ""].map(partsOf), [
    { namespace: "a", name: "b" },
    { namespace: undefined, name: "b" },
    { namespace: "a", name: undefined },
    { namespace: undefined, name: undefined },
  ]);
});
