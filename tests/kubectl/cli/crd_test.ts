import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { stringifyJson } from "../../../src/base/mod.ts";
import { widgetsOf } from "../../testing/evolve/_definitions.ts";
import { cli } from "./_cli.ts";

const integer = { type: "integer" };
const OLD = widgetsOf({ size: integer });
const NEW = widgetsOf({ size: { ...integer, maximum: 5 } });

function run(args: readonly string[], files: Readonly<Record<string, unknown>> = {}) {
  const texts = Object.entries(files).map(([name, content]) =>
    [name, typeof content === "string" ? content : stringifyJson(content)!] as const
  );
  return cli(["crd", ...args], { files: Object.fromEntries(texts) });
}

Deno.test("kubeloop crd check prints the changes and a counterexample, and exits with 1", async () => {
  const { code, stderr, stdout } = await run(["check", "old.yaml", "new.yaml"], {
    "old.yaml": OLD,
    "new.yaml": NEW,
  });
  assertEquals([code, stderr], [1, ["error: not compatible: widgets.acme.io"]]);
  assertStringIncludes(stdout, "- v1 spec.size: maximum: added: 5\n");
  assertStringIncludes(stdout, '"spec":{"size":6}}\n');
});

Deno.test("kubeloop crd check exits with 0 for a compatible definition and for allowed changes", async () => {
  const same = await run(["check", "old.yaml", "old.yaml"], { "old.yaml": OLD });
  assertEquals([same.code, same.stdout, same.stderr], [0, "widgets.acme.io is compatible\n", []]);
  const files = { "old.yaml": OLD, "new.yaml": NEW };
  for (const allow of [["maximum spec.size"], ["description", "maximum"]]) {
    const flags = allow.flatMap((rule) => ["--allow", rule]);
    assertEquals((await run(["check", ...flags, "old.yaml", "new.yaml"], files)).code, 0);
  }
  const rulesOnly = await run(["check", "--runs", "0", "old.yaml", "new.yaml"], files);
  assert(!rulesOnly.stdout.includes("is refused"));
});

Deno.test("kubeloop crd check reads standard input, lists and several definitions", async () => {
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
  const { code, stderr, stdout } = await run(["check", "-", "new.yaml"], {
    "-": bundle,
    "new.yaml": OLD,
  });
  assertEquals(
    [code, stdout],
    [1, "widgets.acme.io is compatible\ngadgets.acme.io is missing in new.yaml\n"],
  );
  assertEquals(stderr, ["error: not compatible: gadgets.acme.io"]);
});

Deno.test("kubeloop crd docs prints a page for each kind", async () => {
  const { code, stderr, stdout } = await run(["docs", "old.yaml"], { "old.yaml": OLD });
  assertEquals([code, stderr], [0, []]);
  assert(stdout.startsWith("# Widget\n"));
  assertStringIncludes(stdout, "| `spec.size` | integer |");
});

Deno.test("kubeloop crd says what is wrong", async () => {
  const fails = async (exit: number, args: readonly string[], text: string, files = {}) => {
    const { code, stderr } = await run(args, files);
    assertEquals([code, stderr.length], [exit, 1], stderr.join("\n"));
    assertStringIncludes(stderr[0]!, `error: ${text}`);
  };
  await fails(2, [], "crd takes check or docs, and files");
  await fails(2, ["chek", "a", "b"], "crd takes check or docs, and files");
  await fails(2, ["check", "a"], "crd check takes two files: OLD NEW");
  await fails(2, ["check", "-", "-"], "Standard input (-) can be read only once");
  await fails(2, ["check", "--alow", "a", "b"], "Unknown flag --alow");
  await fails(2, ["docs"], "crd docs takes files with definitions");
  await fails(1, ["check", "no.yaml", "b"], "no no.yaml");
  const old = { "old.yaml": OLD };
  const twice = ["check", "old.yaml", "old.yaml"];
  await fails(2, [...twice, "--runs", "many"], "--runs takes a whole number up to 1000000", old);
  await fails(1, [...twice, "--allow", "maximun"], 'allow has no rule "maximun"', old);
  const pod = { "a.yaml": "kind: Pod\n" };
  await fails(
    1,
    ["check", "a.yaml", "a.yaml"],
    "There is no CustomResourceDefinition in a.yaml",
    pod,
  );
  await fails(1, ["docs", "a.yaml"], "Cannot read a.yaml: ", { "a.yaml": "a: [\n" });
  await fails(1, ["docs", "a.yaml"], "definition.spec must be an object: received undefined", {
    "a.yaml": { kind: "CustomResourceDefinition", metadata: { name: "a" } },
  });
});
