import { assert, assertEquals, assertRejects } from "@std/assert";
import { ApiServer } from "../../../src/testing/mod.ts";
import { writeLines } from "../../../src/testing/serve/atomic_file.ts";
import { readLines, readText } from "../../../src/testing/serve/read_file.ts";
import { readLives } from "../../../src/testing/serve/read_lives.ts";
import { readManifests } from "../../../src/testing/serve/manifest.ts";
import { readState, writeState } from "../../../src/testing/serve/state_file.ts";

/** Runs `test` in a temporary folder. */
async function inFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-serve-" });
  try {
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function names(folder: string): Promise<string[]> {
  const out: string[] = [];
  for await (const { name } of Deno.readDir(folder)) out.push(name);
  return out.sort();
}

Deno.test("writeState() and readState() keep the whole state, in a file that only its owner can read", () =>
  inFolder(async (folder) => {
    await using server = new ApiServer();
    const path = `${folder}/state`;
    assertEquals(await readState(path), undefined);
    await writeState(path, server.state());
    assertEquals(await readState(path), { state: server.state(), log: undefined });
    await writeState(path, server.state(), 7);
    assertEquals((await readState(path))?.log, 7);
    assertEquals(await names(folder), ["state"]);
    if (Deno.build.os !== "windows") assertEquals((await Deno.stat(path)).mode! & 0o777, 0o600);
  }));

Deno.test("writeLines() leaves the file unchanged when it fails midway", () =>
  inFolder(async (folder) => {
    const path = `${folder}/file`;
    await writeLines(path, ["one"]);
    function* failing(): Generator<string> {
      yield "two";
      throw new Error("midway");
    }
    await assertRejects(() => writeLines(path, failing()), Error, "midway");
    assertEquals(await Deno.readTextFile(path), "one\n");
    assertEquals(await names(folder), ["file"]);
  }));

Deno.test("writeLines() never writes through a link, and replaces one with the file", () =>
  inFolder(async (folder) => {
    const [path, victim] = [`${folder}/state`, `${folder}/victim`];
    await Deno.writeTextFile(victim, "precious\n");
    await Deno.symlink(victim, `${path}.partial-${Deno.pid}`);
    await Deno.symlink(victim, path);
    const seen = new Set<string>();
    for (let i = 0; i < 3; i++) {
      await writeLines(
        path,
        (function* () {
          for (const { name } of Deno.readDirSync(folder)) seen.add(name);
          yield "new";
        })(),
      );
    }
    assertEquals(await Deno.readTextFile(victim), "precious\n");
    assertEquals(await Deno.readTextFile(path), "new\n");
    assertEquals((await Deno.lstat(path)).isFile, true);
    const partial = [...seen].filter((name) => /^state\.partial-[0-9a-f]{24}$/.test(name));
    assertEquals(partial.length, 3, [...seen].join());
    assertEquals(await names(folder), ["state", `state.partial-${Deno.pid}`, "victim"]);
  }));

Deno.test("writeLines() and readLines() take a state that is longer than a string can be", () =>
  inFolder(async (folder) => {
    const path = `${folder}/state`;
    const line = "x".repeat(1_000_000);
    // V8 has strings of up to 2^29 - 24 characters.
    await writeLines(path, new Array<string>(540).fill(line));
    let equal = 0;
    for await (const read of (await readLines(path, 1_000_000))!) if (read === line) equal++;
    assertEquals(equal, 540);
  }));

Deno.test("files that are none, or too long, are rejected at once", () =>
  inFolder(async (folder) => {
    const [pipe, sparse, link] = [`${folder}/pipe`, `${folder}/sparse`, `${folder}/link`];
    assert((await new Deno.Command("mkfifo", { args: [pipe] }).output()).success);
    await Deno.writeTextFile(sparse, "");
    await Deno.truncate(sparse, 10 * 1024 ** 3);
    await Deno.symlink("/dev/zero", link);
    for (
      const [path, problem] of [
        [folder, "is a folder, not a file"],
        [pipe, "is a pipe, not a file"],
        ["/dev/zero", "is a device, not a file"],
        [link, "is a device, not a file"],
        [sparse, "is too large: the limit is 67108864 bytes"],
      ] as const
    ) {
      const error = await assertRejects(() => readManifests([path]), Error, problem);
      assert(error.message.includes(path), error.message);
      const stateProblem = path === sparse ? "has a line of more than" : problem;
      await assertRejects(() => readState(path), Error, stateProblem);
    }
    await assertRejects(() => readText(sparse, 100), RangeError, "the limit is 100 bytes");
  }));

Deno.test("readText() and readLines() take what is as long as the limit, and no more", () =>
  inFolder(async (folder) => {
    const path = `${folder}/file`;
    const lines = async (limit: number) => {
      const read: string[] = [];
      for await (const line of (await readLines(path, limit))!) read.push(line);
      return read;
    };
    await Deno.writeTextFile(path, "12345");
    assertEquals([await readText(path, 5), await lines(5)], ["12345", ["12345"]]);
    await assertRejects(() => readText(path, 4), RangeError, "the limit is 4 bytes");
    await assertRejects(() => lines(4), RangeError, "a line of more than 4 characters");
    await Deno.writeTextFile(path, "a\n\nbc\n");
    assertEquals(await lines(5), ["a", "", "bc"]);
    assertEquals(await readLines(`${folder}/none`, 5), undefined);
  }));

Deno.test("readState() rejects a damaged file and reports where it is damaged", () =>
  inFolder(async (folder) => {
    await using server = new ApiServer();
    const path = `${folder}/state`;
    await writeState(path, server.state());
    const whole = await Deno.readTextFile(path);
    const lines = whole.split("\n");
    for (
      const [text, problem] of [
        ["", "line 1 is not a JSON object"],
        ["apiVersion: v1\n", "line 1 is not a JSON object"],
        ['{"kind":"Config"}\n', "the file is not a saved state"],
        [whole.replace('"version":1', '"version":2'), "version 2 is not supported"],
        [whole.slice(0, -50), `line ${lines.length - 1} is not a JSON object`],
        [lines.slice(0, -2).join("\n"), "objects instead of"],
        [whole.replace(lines[2]!, "[]"), "line 3 contains no object"],
      ] as const
    ) {
      await Deno.writeTextFile(path, text);
      await assertRejects(() => readState(path), SyntaxError, problem);
      assertEquals(await Deno.readTextFile(path), text);
    }
  }));

Deno.test("readManifests() returns namespaces first, then definitions, then the rest in file order", () =>
  inFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/a.yaml`,
      `apiVersion: v1
kind: ConfigMap
metadata:
  name: one
  namespace: shop
  uid: x
  resourceVersion: "9"
  creationTimestamp: "2026-01-01T00:00:00Z"
  managedFields: []
---
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
---
kind: List
apiVersion: v1
items:
- {apiVersion: v1, kind: Secret, metadata: {name: two}}
- {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
`,
    );
    await Deno.writeTextFile(
      `${folder}/b.json`,
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"three"}}`,
    );
    const read = await readManifests([`${folder}/a.yaml`, `${folder}/b.json`]);
    assertEquals(read.map(({ object }) => `${object.kind} ${object.metadata.name}`), [
      "Namespace shop",
      "CustomResourceDefinition gadgets.example.com",
      "ConfigMap one",
      "Secret two",
      "Pod three",
    ]);
    assertEquals(read[2]?.object.metadata as unknown, { name: "one", namespace: "shop" });
    assertEquals(read[0]?.where, `${folder}/a.yaml, document 3, item 2`);
  }));

Deno.test("readManifests() reads YAML as the API server does, with exact integers", () =>
  inFolder(async (folder) => {
    const object = (spec: string) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: ${spec}\n`;
    const specs = ["{size: 9007199254740993}", "[no, 0o17, -9223372036854775808]", "|\n  --- a"];
    await Deno.writeTextFile(
      `${folder}/a.yaml`,
      `# first\n--- # comment\n${specs.map(object).join("---\r\n")}---\n`,
    );
    await Deno.writeTextFile(
      `${folder}/b.json`,
      `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"size":9007199254740993}}`,
    );
    const read = await readManifests([`${folder}/a.yaml`, `${folder}/b.json`]);
    assertEquals(read.map((one) => (one.object as { spec?: unknown }).spec), [
      { size: 9007199254740993n },
      [false, 15, -9223372036854775808n],
      "--- a\n",
      { size: 9007199254740993n },
    ]);
  }));

Deno.test("readManifests() names the file and the document in its errors", () =>
  inFolder(async (folder) => {
    const path = `${folder}/a.yaml`;
    await assertRejects(() => readManifests([path]), SyntaxError, "no such file");
    for (
      const [text, problem] of [
        ["a: [", "Cannot read"],
        ["just text", "document 1: apiVersion or kind is missing"],
        ["apiVersion: v1\nkind: Pod\n", "the Pod has no metadata.name"],
        ['apiVersion: v1\nkind: Pod\nmetadata: {name: ""}\n', "the Pod has no metadata.name"],
        ["apiVersion: v1\nkind: Pod\nmetadata: {name: 5}\n", "the Pod has no metadata.name"],
        ["apiVersion: 1\nkind: Pod\nmetadata: {name: a}\n", "apiVersion or kind is missing"],
        ["apiVersion: v1\nkind: 5\nmetadata: {name: a}\n", "apiVersion or kind is missing"],
        ["apiVersion: v1\nkind: List\nitems: [{}]\n", "document 1, item 1: apiVersion or kind"],
      ] as const
    ) {
      await Deno.writeTextFile(path, text);
      const error = await assertRejects(() => readManifests([path]), SyntaxError, problem);
      assertEquals(error.message.split("\n").length, 1);
    }
  }));

Deno.test("readLives() reads a list of lives, and names the file and the field of what is not one", () =>
  inFolder(async (folder) => {
    const path = `${folder}/lives.yaml`;
    const read = async (text: string) => {
      await Deno.writeTextFile(path, text);
      return await readLives(path);
    };
    const life = { name: "web-*", exits: [{ afterMs: 1000, exitCode: 1, times: "always" }] };
    const text = "- name: web-*\n  exits: [{ afterMs: 1000, exitCode: 1, times: always }]\n";
    assertEquals(await read(text), [life as never]);
    assertEquals(await read(JSON.stringify([life])), [life as never]);
    assertEquals(await read("[]"), []);
    for (
      const [text, problem] of [
        ["", "lives must be a list: received null"],
        ["name: web", "lives must be a list: received an object"],
        ["- name: [", "yaml: line 1: "],
        ["- exits: [{ afterMs: 1 }]", "lives[0].exits[0].exitCode is missing"],
        ["- nane: web", "lives[0].nane is unknown: expected one of selector, namespace, name"],
        ["- exits: [{ afterMs: .inf, exitCode: 0 }]", ""],
        ["- name: a\n  name: b", 'line 2: key "name" already set in map'],
        ["- selector: a in", "lives[0].selector"],
      ] as const
    ) {
      const error = await assertRejects(() => read(text), SyntaxError);
      assert(error.message.startsWith(`Cannot read ${path}: `), error.message);
      assert(error.message.includes(problem), error.message);
      assert(!error.message.includes("\n"), error.message);
    }
    await assertRejects(() => readLives(`${folder}/none`), SyntaxError, "no such file");
  }));
