import { assertEquals } from "@std/assert";
import { RecentVersions } from "../../../src/operator/builder/mod.ts";
import type { KubeObject } from "../../../src/types/mod.ts";
import { packed } from "../../cache/packed/_packed.ts";

const object = (name: string, bytes: number): KubeObject & { text: string } => ({
  metadata: { name },
  text: "x".repeat(bytes),
});

Deno.test("RecentVersions keeps the last versions of a mebibyte, whatever happens to the cache", () => {
  const versions = new RecentVersions();
  const all = Array.from({ length: 40 }, (_, i) => object(`o${i}`, 50_000));
  const kept = all.map((one) => {
    const item = packed(one);
    const version = versions.keep(item);
    item.bytes.fill(0);
    return version;
  });
  const read = kept.map((version) => version?.read());
  const first = read.findIndex((one) => one !== undefined);
  assertEquals(read.slice(0, first), Array(first).fill(undefined));
  assertEquals<unknown>(read.slice(first), all.slice(first));
  assertEquals(40 - first, 20, "twenty of them fit");
});

Deno.test("RecentVersions keeps both versions of a large object, and no larger one", () => {
  const versions = new RecentVersions();
  const [before, after] = [object("a", 500_000), object("b", 500_000)];
  const kept = [before, after].map((one) => versions.keep(packed(one)));
  assertEquals<unknown>(kept.map((version) => version?.read()), [before, after]);
  assertEquals(versions.keep(packed(object("c", 600_000))), undefined);
});

Deno.test("RecentVersions keeps parsed objects themselves", () => {
  const versions = new RecentVersions();
  const parsed = object("a", 1);
  assertEquals(versions.keep(parsed)?.read(), parsed);
  const item = packed(parsed);
  item.unpack();
  item.bytes.fill(0);
  assertEquals<unknown>(versions.keep(item)?.read(), parsed);
});
