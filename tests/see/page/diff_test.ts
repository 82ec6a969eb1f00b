import { assertEquals } from "@std/assert";
import { type DiffLine, diffLines, foldLines } from "../../../src/see/page/kit/diff.ts";

const MARKS = { same: " ", added: "+", removed: "-", fold: "…" } as const;

function show(lines: readonly DiffLine[]): string[] {
  return lines.map(({ depth, kind, text }) => `${MARKS[kind]}${"  ".repeat(depth)}${text}`);
}

function diff(before: unknown, after: unknown): string[] {
  return show(diffLines(before, after));
}

Deno.test("diffLines() shows both values of a changed field, and the others once", () => {
  assertEquals(
    diff({ spec: { replicas: 2, image: "nginx:1" } }, { spec: { replicas: 3, image: "nginx:1" } }),
    [" spec:", "   image: nginx:1", "-  replicas: 2", "+  replicas: 3"],
  );
});

Deno.test("diffLines() matches items of lists by their names", () => {
  const [web, proxy] = [{ name: "web", image: "a" }, { name: "proxy", image: "b" }];
  assertEquals(diff({ containers: [web] }, { containers: [proxy, { ...web, image: "c" }] }), [
    " containers:",
    "+  - name: proxy",
    "+    image: b",
    "   - name: web",
    "-    image: a",
    "+    image: c",
  ]);
  assertEquals(diff({ finalizers: ["a", "b"] }, { finalizers: ["b"] }), [
    " finalizers:",
    "-  - a",
    "   - b",
  ]);
});

Deno.test("diffLines() matches items without distinct names by their positions", () => {
  assertEquals(diff({ list: [{ a: 1 }, { a: 2 }] }, { list: [{ a: 1 }, { a: 3 }, { a: 4 }] }), [
    " list:",
    "   - a: 1",
    "-  - a: 2",
    "+  - a: 3",
    "+  - a: 4",
  ]);
  assertEquals(diff({ list: ["a", "a"] }, { list: ["a", "b"] }), [
    " list:",
    "   - a",
    "-  - a",
    "+  - b",
  ]);
});

Deno.test("diffLines() shows a changed type, and empty and absent values", () => {
  assertEquals(diff({ a: { b: 1 }, c: [], d: null }, { a: "text", c: {}, e: {} }), [
    "-a:",
    "-  b: 1",
    "+a: text",
    "-c: []",
    "+c: {}",
    "-d: null",
    "+e: {}",
  ]);
});

Deno.test("diffLines() quotes texts that YAML would read otherwise", () => {
  const before = {
    a: "true",
    b: "1",
    c: " x",
    d: "a: b",
    e: "line\nbreak",
    "x/y": "ok",
    "a b:": 1,
  };
  assertEquals(diff(undefined, before), [
    ' a: "true"',
    " a b:: 1".replace("a b:", '"a b:"'),
    ' b: "1"',
    ' c: " x"',
    ' d: "a: b"',
    ' e: "line\\nbreak"',
    " x/y: ok",
  ]);
});

Deno.test("diffLines() names the path of each line", () => {
  const lines = diffLines(undefined, {
    metadata: { labels: { "a.b/c": "x" } },
    spec: { containers: [{ name: "web", ports: [{ containerPort: 80 }] }] },
  });
  assertEquals(lines.map(({ path }) => path), [
    "metadata",
    "metadata.labels",
    'metadata.labels["a.b/c"]',
    "spec",
    "spec.containers",
    "spec.containers[web].name",
    "spec.containers[web].ports",
    "spec.containers[web].ports[80].containerPort",
  ]);
});

Deno.test("diffLines() indents fields below the dash of their item", () => {
  assertEquals(diff(undefined, { rules: [{ match: { a: 1 }, use: [[1, 2]] }] }), [
    " rules:",
    "   - match:",
    "       a: 1",
    "     use:",
    "       -",
    "         - 1",
    "         - 2",
  ]);
});

Deno.test("diffLines() is bounded in lines and in depth", () => {
  const long = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]),
  );
  assertEquals(diffLines({}, long).length, 2_000);
  let deep: unknown = 1;
  for (let depth = 0; depth < 10_000; depth++) deep = depth % 2 === 0 ? { a: deep } : [deep];
  const shallow = diffLines(undefined, JSON.parse(`${"[".repeat(200)}1${"]".repeat(200)}`));
  assertEquals(shallow.every(({ depth }) => depth <= 34), true);
});

Deno.test("foldLines() hides lines that are far from each change", () => {
  const fields = (value: number) =>
    Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`f${10 + index}`, index === 10 ? value : 0]),
    );
  assertEquals(show(foldLines(diffLines(fields(1), fields(2)))), [
    "…7",
    " f17: 0",
    " f18: 0",
    " f19: 0",
    "-f20: 1",
    "+f20: 2",
    " f21: 0",
    " f22: 0",
    " f23: 0",
    "…6",
  ]);
  const same = diffLines(fields(1), fields(1));
  assertEquals(foldLines(same), same);
});
