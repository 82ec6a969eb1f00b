import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { parseAnswers } from "../../src/create/answers.ts";
import { namesOf } from "../../src/create/project_names.ts";
import { defineResource } from "../../src/types/mod.ts";
import { assertProperty } from "../support/seeded_runs.ts";
import { validAnswers } from "./_answers.ts";

const RIGHT = { kind: "acme.io/v1/Widget", owns: "ConfigMap", outside: "no", runtime: "node" };

/** Wrong answers, and the beginnings of their errors. */
const WRONG: readonly (readonly [Partial<typeof RIGHT>, string])[] = [
  [{ kind: "Widget" }, "The kind must be GROUP/VERSION/KIND, as in acme.io/v1/Widget"],
  [{ kind: "acme.io/v1/Widget/more" }, "The kind must be GROUP/VERSION/KIND"],
  [{ kind: "acme/v1/Widget" }, "The group must be a DNS subdomain with a dot"],
  [{ kind: "Acme.io/v1/Widget" }, "The group must be a DNS subdomain"],
  [{ kind: "acme_.io/v1/Widget" }, "The group must be a DNS subdomain"],
  [{ kind: `${"a.".repeat(100)}io/v1/Widget` }, "The group must be a DNS subdomain"],
  [{ kind: "apps.k8s.io/v1/Widget" }, 'The group "apps.k8s.io" belongs to Kubernetes'],
  [{ kind: "acme.io/1/Widget" }, 'The version must be like v1, v1beta1 or v1alpha1, not "1"'],
  [{ kind: "acme.io/v0/Widget" }, "The version must be like v1"],
  [{ kind: "acme.io/v1/widget" }, "The kind must be CamelCase"],
  [{ kind: "acme.io/v1/My-Widget" }, "The kind must be CamelCase"],
  [{ kind: 'acme.io/v1/W"; rm -rf' }, "The kind must be CamelCase"],
  [{ kind: `acme.io/v1/W${"i".repeat(50)}` }, "The kind must be CamelCase, of at most 50"],
  [{ kind: "acme.io/v1/Manager" }, 'The kind "Manager" is a name in the generated code'],
  [{ kind: "acme.io/v1/ConfigMap" }, "A ConfigMap cannot own a ConfigMap"],
  [{ owns: "Deploymnet" }, "The owned kinds must be of ConfigMap, "],
  [{ owns: "none" }, "The controller would have nothing to do"],
  [{ outside: "maybe" }, 'Outside must be yes or no, not "maybe"'],
  [{ runtime: "python" }, 'The runtime must be node, deno, bun, not "python"'],
];

for (const [part, message] of WRONG) {
  Deno.test(`parseAnswers() refuses ${JSON.stringify(part).slice(0, 60)}`, () => {
    assertThrows(() => parseAnswers({ ...RIGHT, ...part }), SyntaxError, message);
  });
}

Deno.test("parseAnswers() takes lists with spaces and repetitions, and none", () => {
  const kindsOf = (owns: string) =>
    parseAnswers({ ...RIGHT, owns, outside: "y" }).owns.map(({ kind }) => kind);
  assertEquals(kindsOf(" Secret, ConfigMap,Secret"), ["Secret", "ConfigMap"]);
  assertEquals(kindsOf("none"), []);
});

Deno.test("namesOf() has the plural that the library guesses", () => {
  assertProperty(fc.property(validAnswers, (given) => {
    const answers = parseAnswers(given);
    const { group, version, kind } = answers;
    const resource = defineResource({ group, version, kind, spec: { type: "object" } });
    assertEquals(namesOf(answers).plural, resource.plural);
  }));
});
