import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { stringifyJson } from "../../../src/base/mod.ts";
import { runCrd } from "../../../src/testing/evolve/command/run_crd.ts";
import { widgetsOf } from "./_definitions.ts";

const integer = { type: "integer" };
const OLD = widgetsOf({ size: integer });
const NEW = widgetsOf({ size: { ...integer, maximum: 5 } });

interface Result {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the command in a folder with files. */
async function run(
  args: readonly string[],
  files: Readonly<Record<string, unknown>> = {},
  input = "",
): Promise<Result & { readonly written: Readonly<Record<string, string>> }> {
  const folder = await Deno.makeTempDir({ prefix: "kubeloop-crd-" });
  try {
    for (const [name, content] of Object.entries(files)) {
      const text = typeof content === "string" ? content : stringifyJson(content);
      await Deno.writeTextFile(`${folder}/${name}`, text!);
    }
    let [out, err] = ["", ""];
    const known = [...Object.keys(files), "pages"];
    const code = await runCrd(args.map((arg) => known.includes(arg) ? `${folder}/${arg}` : arg), {
      print: (text) => out += text,
      warn: (line) => err += `${line}\n`,
      input: (async function* () {
        yield await Promise.resolve(input);
      })(),
    });
    const written: Record<string, string> = {};
    const entries = await Array.fromAsync(Deno.readDir(`${folder}/pages`)).catch(() => []);
    for (const { name } of entries) {
      written[name] = await Deno.readTextFile(`${folder}/pages/${name}`);
    }
    const here = (text: string) => text.replaceAll(`${folder}/`, "");
    return { code, out: here(out), err: here(err), written };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("kubeloop-crd check prints the changes and a counterexample, and exits with 1", async () => {
  const { code, err, out } = await run(["check", "old.yaml", "new.yaml"], {
    "old.yaml": OLD,
    "new.yaml": NEW,
  });
  assertEquals([code, err], [1, ""]);
  assertStringIncludes(out, "- v1 spec.size: maximum: added: 5\n");
  assertStringIncludes(out, '"spec":{"size":6}}\n');
});

Deno.test("kubeloop-crd check exits with 0 for a compatible definition and for allowed changes", async () => {
  const same = await run(["check", "old.yaml", "old.yaml"], { "old.yaml": OLD });
  assertEquals(same, { code: 0, out: "widgets.acme.io is compatible\n", err: "", written: {} });
  const files = { "old.yaml": OLD, "new.yaml": NEW };
  for (const allow of ["description, maximum spec.size", "maximum"]) {
    const { code } = await run(["check", "--allow", allow, "old.yaml", "new.yaml"], files);
    assertEquals(code, 0);
  }
});

Deno.test("kubeloop-crd check reads standard input, lists and several definitions", async () => {
  const other = structuredClone(OLD) as {
    metadata: { name: string };
    spec: { names: { plural: string } };
  };
  other.metadata.name = "gadgets.acme.io";
  other.spec.names.plural = "gadgets";
  const { kind: _, ...item } = OLD as unknown as Record<string, unknown>;
  const list = {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinitionList",
    items: [item],
  };
  const bundle = [list, { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }, other]
    .map((object) => stringifyJson(object)).join("\n---\n");
  const { code, out } = await run(["check", "-", "new.yaml"], { "new.yaml": OLD }, bundle);
  assertEquals(code, 1);
  assertEquals(out, "widgets.acme.io is compatible\ngadgets.acme.io is not in new.yaml any more\n");
});

Deno.test("kubeloop-crd docs prints pages, or writes a file for each kind", async () => {
  const page = await run(["docs", "old.yaml"], { "old.yaml": OLD });
  assertEquals([page.code, page.err], [0, ""]);
  assertStringIncludes(page.out, "# Widget\n");
  assertStringIncludes(page.out, "| `spec.size` | integer |");
  const { out, written } = await run(["docs", "old.yaml", "--out", "pages"], { "old.yaml": OLD });
  assertEquals([out, written], ["", { "widgets.acme.io.md": page.out }]);
});

Deno.test("kubeloop-crd says what is wrong, and exits with 2", async () => {
  const fails = async (args: readonly string[], text: string, files = {}) => {
    const { code, err } = await run(args, files);
    assertEquals(code, 2);
    assertStringIncludes(err, `error: ${text}`);
    assertEquals(err.split("\n").length, 2);
  };
  await fails([], "No command: expected check or docs; see --help");
  await fails(["chek"], "Unknown command chek");
  await fails(["check", "a"], "check takes two files, OLD and NEW: received 1");
  await fails(["check", "-", "-"], "Standard input (-) can be read only once");
  await fails(["check", "--alow", "a", "b"], "Unknown option '--alow'");
  await fails(["check", "no.yaml", "b"], "Cannot read no.yaml: there is no such file");
  const old = { "old.yaml": OLD };
  await fails(
    ["check", "old.yaml", "old.yaml", "--runs", "many"],
    '--runs must be a whole number: received "many"',
    old,
  );
  await fails(
    ["check", "old.yaml", "old.yaml", "--allow", "maximun"],
    'allow has no rule "maximun"',
    old,
  );
  await fails(["check", "a.yaml", "a.yaml"], "There is no CustomResourceDefinition in a.yaml", {
    "a.yaml": "kind: Pod\n",
  });
  await fails(["docs", "a.yaml"], "Cannot read a.yaml: ", { "a.yaml": "a: [\n" });
  await fails(["docs"], "docs takes files with definitions");
  await fails(["docs", "a.yaml"], "definition.spec must be an object: received undefined", {
    "a.yaml": { kind: "CustomResourceDefinition", metadata: { name: "a" } },
  });
  const evil = structuredClone(OLD) as unknown as { metadata: { name: string } };
  evil.metadata.name = "../../evil";
  const { code, err, written } = await run(["docs", "a.yaml", "--out", "pages"], {
    "a.yaml": evil,
  });
  assertEquals([code, written], [2, {}]);
  assert(err.startsWith("error: "));
});

Deno.test("kubeloop-crd --help prints the usage", async () => {
  const { code, out } = await run(["check", "--help"]);
  assertEquals(code, 0);
  assertStringIncludes(out, "Usage: kubeloop-crd check OLD NEW");
});
