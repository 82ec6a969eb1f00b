import { assertEquals } from "@std/assert";
import { docComment } from "../../../src/kubectl/cli/types/doc_comment.ts";
import {
  descriptorName,
  Names,
  singular,
  upperCamel,
} from "../../../src/kubectl/cli/types/names.ts";

Deno.test("upperCamel() joins words, and keeps 80 characters", () => {
  for (
    const [text, camel] of [
      ["upper-camel_case", "UpperCamelCase"],
      ["x509Cert", "X509Cert"],
      ["ärger über", "ÄrgerÜber"],
      ["--", ""],
      ["a".repeat(80), `A${"a".repeat(79)}`],
      ["a".repeat(81), `A${"a".repeat(79)}`],
    ] as const
  ) assertEquals(upperCamel(text), camel);
});

Deno.test("singular() changes plurals that are sure", () => {
  const words = {
    ports: "port",
    policies: "policy",
    addresses: "address",
    boxes: "box",
    meshes: "mesh",
    patches: "patch",
    branches: "branch",
    keys: "key",
    dates: "date",
  };
  for (const [plural, one] of Object.entries(words)) assertEquals(singular(plural), one);
  for (
    const word of [
      "series",
      "databases",
      "caches",
      "access",
      "status",
      "analysis",
      "dns",
      "ips",
      "TLS",
      "fooTLS",
      "port",
    ]
  ) assertEquals(singular(word), word);
});

Deno.test("Names gives each name once, with a number where it must", () => {
  const names = new Names(["Taken", "C3"]);
  assertEquals([names.take("A"), names.take("A", "B"), names.take("Taken", "C")], ["A", "B", "C"]);
  assertEquals([names.take("A", "C"), names.take("C"), names.take("C")], ["C2", "C4", "C5"]);
});

Deno.test("Names.takePath() leaves out the beginning of a long path, as far as the name stays free", () => {
  const names = new Names([]);
  assertEquals(names.takePath("Root", []), "Root");
  assertEquals(names.takePath("Root", ["Spec", "Item"]), "RootSpecItem");
  // Fifty characters are not too long.
  const fits = "x".repeat(50 - "RootSpec".length);
  assertEquals(names.takePath("Root", ["Spec", fits]), `RootSpec${fits}`);
  const long = "y".repeat(51 - "RootSpec".length);
  assertEquals(names.takePath("Root", ["Spec", long]), `Root${long}`);
  // The second time, only the whole path is free.
  assertEquals(names.takePath("Root", ["Spec", long]), `RootSpec${long}`);
  assertEquals(names.takePath("Root", ["Spec", long]), `RootSpec${long}2`);
});

Deno.test("descriptorName() has the plural with the capital letters of the kind", () => {
  for (
    const [kind, plural, name] of [
      ["ReplicaSet", "replicasets", "ReplicaSets"],
      ["NetworkPolicy", "networkpolicies", "NetworkPolicies"],
      ["Endpoints", "endpoints", "Endpoints"],
      ["Mouse", "mice", "Mice"],
    ] as const
  ) assertEquals(descriptorName(kind, plural), name);
});

Deno.test("docComment() fills paragraphs to 80 columns, keeps lists and code, and cannot be ended", () => {
  assertEquals(docComment(undefined), []);
  assertEquals(docComment("", "  "), []);
  // With its marks, a comment of one line has 80 characters at most.
  assertEquals(docComment("x".repeat(73)), [`/** ${"x".repeat(73)} */`]);
  assertEquals(docComment("x".repeat(74)), ["/**", ` * ${"x".repeat(74)}`, " */"]);
  assertEquals(docComment("x".repeat(71), "  "), [`  /** ${"x".repeat(71)} */`]);
  const [first, second] = ["a".repeat(40), "b".repeat(36)];
  assertEquals(docComment(`${first}\n${second}`), ["/**", ` * ${first} ${second}`, " */"]);
  assertEquals(docComment(`${first} ${second}b`), [
    "/**",
    ` * ${first}`,
    ` * ${second}b`,
    " */",
  ]);
  assertEquals(
    docComment(
      `One.\n\n\nTwo */ @x.\n@tag\n- item ${first} ${second}\n1. one\n\`\`\`\n  code  \n\n\`\`\`\n\n`,
      "  ",
      [
        "default 5",
        "two",
      ],
    ),
    [
      "  /**",
      "   * One.",
      "   *",
      "   * Two *\\/ @x. \\@tag",
      `   * - item ${first}`,
      `   *   ${second}`,
      "   * 1. one",
      "   * ```",
      "   *   code",
      "   *",
      "   * ```",
      "   *",
      "   * @default 5",
      "   *",
      "   * @two",
      "   */",
    ],
  );
  assertEquals(docComment(`${first} ${second}b @c`).slice(2), [` * ${second}b @c`, " */"]);
  assertEquals(docComment(`${"a".repeat(77)} @c`).slice(1, 3), [` * ${"a".repeat(77)}`, " * \\@c"]);
});
