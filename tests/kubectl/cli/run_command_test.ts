import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { cli } from "./_cli.ts";

const CRD = await Deno.readTextFile(new URL("widgets_crd.yaml", import.meta.url));
const WIDGETS = await Deno.readTextFile(new URL("generated/widgets.ts", import.meta.url));

/** Runs the command with these files; `-` is standard input. */
async function run(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await cli(args, { files });
  return { code, stdout, stderr };
}

Deno.test("kubeloop types prints the types of files, and skips other objects with a note", async () => {
  assertEquals(await run(["types", "a.yaml"], { "a.yaml": CRD }), {
    code: 0,
    stdout: WIDGETS,
    stderr: [],
  });
  const others = "kind: Service\n---\nkind: Pod\n---\n---\nvalues: 1\n---\n";
  const mixed = await run(["types", "b.yaml", "-"], { "b.yaml": others + CRD, "-": others });
  assertEquals(mixed.stdout, WIDGETS);
  assertEquals(mixed.stderr, [
    "note: b.yaml: skipped 3 objects of other kinds (Service, Pod, no kind)",
    "note: standard input: skipped 3 objects of other kinds (Service, Pod, no kind)",
  ]);
});

Deno.test("kubeloop types reads JSON, and the lists that kubectl and the API server print", async () => {
  const { parse } = await import("@std/yaml/parse");
  const crd = parse(CRD) as Record<string, unknown>;
  const { apiVersion: _, kind: __, ...bare } = crd;
  const json = {
    "one.json": crd,
    "list.json": { apiVersion: "v1", kind: "List", items: [crd] },
    "typed.json": { kind: "CustomResourceDefinitionList", items: [bare] },
  };
  for (const [name, value] of Object.entries(json)) {
    const { stdout, stderr } = await run(["types", name], { [name]: JSON.stringify(value) });
    assertEquals([stdout, stderr], [WIDGETS, []], name);
  }
});

Deno.test("kubeloop explains itself", async () => {
  assertStringIncludes((await run(["--help"])).stdout, "types       prints TypeScript");
  assertEquals((await run([])).code, 2);
  const { code, stdout } = await run(["types", "--help"]);
  assertEquals(code, 0);
  assertStringIncludes(stdout, "Usage: kubeloop types FILE...");
});

Deno.test("kubeloop reports wrong arguments and files in one line", async () => {
  const twice = `${CRD}\n---\n${CRD}`;
  const usages: [readonly string[], string][] = [
    [[], "No command: expected get, "],
    [["tpyes"], "Unknown command tpyes: expected get, "],
    [["-n", "x", "get"], "Unknown flag before the command: expected get, "],
    [["types"], "No files: give CustomResourceDefinitions, or - for standard input"],
    [["types", "-", "-"], "Standard input (-) can be read only once"],
    [["types", "--out", "x"], "Unknown flag --out: see kubeloop types --help"],
  ];
  for (const [args, message] of usages) {
    const { code, stdout, stderr } = await run(args, { "-": CRD });
    assertEquals([code, stdout, stderr.length], [2, "", 1], message);
    assertStringIncludes(stderr[0] ?? "", `error: ${message}`);
  }
  const cases: [readonly string[], Record<string, string>, string][] = [
    [["types", "x"], {}, "no x"],
    [["types", "x"], { x: "kind: Pod" }, "There is no CustomResourceDefinition in x"],
    [["types", "x"], { x: "" }, "There is no CustomResourceDefinition in x"],
    [["types", "x"], { x: "a: b: c" }, "Cannot read x: it is no YAML: "],
    [["types", "x"], { x: "{{ if .Values }}\na: 1" }, "(a Helm template must be rendered first)"],
    [["types", "x"], { x: "- 1" }, "Cannot read x, document 1: it is no object of Kubernetes"],
    [
      ["types", "x"],
      { x: twice },
      "x, document 2 (widgets.acme.io): widgets.acme.io is defined already",
    ],
    [
      ["types", "x"],
      { x: `kind: Pod\n---\n${CRD.replace("size: { type: integer, m", "size: { type: int, m")}` },
      "x, document 2 (widgets.acme.io): spec.versions[2].schema.openAPIV3Schema.properties.spec" +
      '.properties.size.type: found "int", expected',
    ],
  ];
  for (const [args, files, message] of cases) {
    const { code, stdout, stderr } = await run(args, files);
    assertEquals([code, stdout], [1, ""], message);
    const last = stderr.at(-1) ?? "";
    assert(last.startsWith("error: ") && !last.includes("\n"), last);
    assertStringIncludes(last, message);
  }
});

Deno.test("kubeloop is a program that needs to read its files only, and nothing for standard input", async () => {
  const main = new URL("../../../src/kubectl/cli/main.ts", import.meta.url).href;
  const path = new URL("widgets_crd.yaml", import.meta.url).pathname;
  const config = new URL("../../../deno.json", import.meta.url).pathname;
  const start = async (permissions: string[], file: string, input: string) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-prompt", "--config", config, ...permissions, main, "types", file],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      env: { NO_COLOR: "1" },
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  };
  const [fromFile, fromInput, missing] = await Promise.all([
    start([`--allow-read=${path}`], path, ""),
    start([], "-", CRD),
    start(["--allow-read"], `${path}.missing`, ""),
  ]);
  assertEquals(fromFile, { code: 0, stdout: WIDGETS, stderr: "" });
  assertEquals(fromInput, { code: 0, stdout: WIDGETS, stderr: "" });
  assertEquals(missing.code, 1);
  assertStringIncludes(missing.stderr, "error: Cannot read ");
  assertStringIncludes(missing.stderr, ": there is no such file");
});

Deno.test("kubeloop types loads neither the client nor the cache", async () => {
  const src = new URL("../../../src/kubectl/", import.meta.url);
  const seen = new Set<string>();
  const packages = new Set<string>();
  const visit = async (url: URL): Promise<void> => {
    if (seen.has(url.href)) return;
    seen.add(url.href);
    const text = await Deno.readTextFile(url);
    for (
      const [, path = ""] of text.matchAll(
        /^(?:import|export) (?!type )[^;]*?"((?:[.@]|node:)[^"]+)";/gm,
      )
    ) {
      if (path.startsWith(".")) await visit(new URL(path, url));
      else if (!path.startsWith("node:")) packages.add(path);
    }
  };
  for (const start of ["cli/main.ts", "cli/types_command.ts"]) await visit(new URL(start, src));
  assertEquals([...packages].sort(), [
    "@kubeloop/controller/internal/base",
    "@kubeloop/controller/internal/yaml",
  ]);
});

Deno.test("kubeloop types reads YAML as kubectl does", async () => {
  const crd = (versions: string) =>
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: clusters.db.acme.io}
spec:
  group: db.acme.io
  scope: Namespaced
  names: {kind: Cluster, plural: clusters}
  versions: ${versions}
`;
  const schema =
    "schema: {openAPIV3Schema: {properties: {spec: {type: object, properties: null}}}}";
  const merged = crd(`
  - &v1 {name: v1, served: yes, storage: true, ${schema}}
  - {<<: *v1, name: v1-2-0, storage: no}`);
  const list = "apiVersion: v1\nkind: List\nitems: null\n---\n";
  const { code, stdout, stderr } = await run(["types", "a"], { a: `\ufeff${list}${merged}` });
  assertEquals([code, stderr], [0, []]);
  assertStringIncludes(stdout, 'version: "v1-2-0",');
  const lists = ["x0: &x0 {kind: List, items: []}"];
  for (let i = 1; i < 12; i++) {
    lists.push(`x${i}: &x${i} {kind: List, items: [${Array(10).fill(`*x${i - 1}`).join(", ")}]}`);
  }
  const bomb = `${lists.join("\n")}\nkind: List\nitems: [*x11]\n`;
  const refused = await run(["types", "a"], { a: bomb });
  assertEquals(refused.code, 1);
  assertStringIncludes(refused.stderr[0] ?? "", "its aliases (*) stand for too much");
});
