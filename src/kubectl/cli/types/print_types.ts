import { docComment } from "./doc_comment.ts";
import { fieldName } from "./literals.ts";
import type { Names } from "./names.ts";
import type { Member, NamedNode, ObjectNode, TypeNode } from "./type_node.ts";

/** The line width of `deno fmt`. */
const WIDTH = 80;

/** Descriptions of fields that nearly every custom resource has, for schemas without a description. */
const COMMON_FIELDS: ReadonlyMap<string, string> = new Map([
  ["spec", "The desired state"],
  ["status", "The observed state"],
]);

/** A type with its name and the path of its first use. */
interface Declared {
  readonly node: NamedNode;
  readonly name: string;
  /** The path from the root: the names of the fields. */
  readonly path: string;
}

/**
 * Returns the declarations of a custom resource: its interface, and the interfaces of nested objects in order of use. A type is
 * named after the shortest path to it.
 *
 * @param rootName The name of the interface.
 * @param rootDoc The description of the interface, if the schema has none.
 */
export function printTypes(
  root: ObjectNode,
  rootName: string,
  rootDoc: string,
  tags: readonly string[],
  names: Names,
): string[] {
  const declared = declare(root, rootName, names);
  return inOrderOfUse(root).map((node) => {
    const { name, path } = declared.get(node) as Declared;
    const doc = node === root ? docComment(root.description ?? rootDoc, "", tags) : docComment(
      docOf(node) ?? `${COMMON_FIELDS.get(path) ?? `The value of \`${path}\``} of ${rootName}.`,
    );
    const text = node.is === "literals"
      ? printAlias(name, node.literals)
      : printObject(node, name, (type) => printType(type, (one) => declared.get(one)?.name ?? ""));
    return [...doc, ...text].join("\n");
  });
}

function docOf(node: NamedNode): string | undefined {
  return node.is === "object" ? node.description : undefined;
}

/** Names all types, breadth first. */
function declare(root: ObjectNode, rootName: string, names: Names): Map<NamedNode, Declared> {
  const declared = new Map<NamedNode, Declared>([[root, { node: root, name: rootName, path: "" }]]);
  const queue: { readonly node: NamedNode; readonly path: string; readonly segments: string[] }[] =
    [{ node: root, path: "", segments: [] }];
  for (const { node, path, segments } of queue) {
    if (node.is === "literals") continue;
    for (const { name, type } of node.members) {
      for (const { node: next, suffix } of namedIn(type)) {
        if (declared.has(next)) continue;
        const nextPath = `${path === "" ? "" : `${path}.`}${name}${suffix}`;
        const nextSegments = [...segments, next.segment];
        declared.set(next, {
          node: next,
          name: names.takePath(rootName, nextSegments),
          path: nextPath,
        });
        queue.push({ node: next, path: nextPath, segments: nextSegments });
      }
    }
  }
  return declared;
}

/** Returns all types, depth first. */
function inOrderOfUse(root: NamedNode): NamedNode[] {
  const found = new Set<NamedNode>();
  const visit = (node: NamedNode) => {
    if (found.has(node)) return;
    found.add(node);
    if (node.is === "literals") return;
    for (const { type } of node.members) for (const { node: next } of namedIn(type)) visit(next);
  };
  visit(root);
  return [...found];
}

/** Returns the named types in a type, with the path to their values. */
function namedIn(type: TypeNode): { readonly node: NamedNode; readonly suffix: string }[] {
  switch (type.is) {
    case "plain":
      return [];
    case "union":
      return type.members.flatMap(namedIn);
    case "array":
      return namedIn(type.item).map(({ node, suffix }) => ({ node, suffix: `[]${suffix}` }));
    case "record":
      return namedIn(type.value).map(({ node, suffix }) => ({ node, suffix: `.*${suffix}` }));
    default:
      return [{ node: type, suffix: "" }];
  }
}

function printAlias(name: string, literals: readonly string[]): string[] {
  if (literals.length === 1) return [`export type ${name} =`, `  ${literals[0]};`];
  return [
    `export type ${name} =`,
    ...literals.map((literal, index) =>
      `  | ${literal}${index === literals.length - 1 ? ";" : ""}`
    ),
  ];
}

function printObject(
  { members, open, isKubeObject }: ObjectNode,
  name: string,
  print: (type: TypeNode) => Printed,
): string[] {
  // The linter refuses an interface without members.
  if (members.length === 0 && !open) return [`export type ${name} = KubeObject;`];
  const head = `export interface ${name}`;
  const base = isKubeObject ? " extends KubeObject {" : " {";
  const isLong = isKubeObject && head.length + base.length > WIDTH;
  const lines = isLong ? [head, ` ${base}`] : [head + base];
  for (const member of members) lines.push(...printMember(member, print(member.type)));
  if (open) lines.push("  /** Other fields. */", "  [field: string]: unknown;");
  return [...lines, "}"];
}

/** A type on one line, and its parts for several lines. */
interface Printed {
  readonly text: string;
  /** The members of a union. */
  readonly union?: readonly string[];
  /** The type of the values of a record. */
  readonly value?: string;
}

function printMember({ name, optional, description }: Member, type: Printed): string[] {
  const lines = docComment(description, "  ");
  const head = `  ${fieldName(name)}${optional ? "?" : ""}:`;
  const { text, union, value } = type;
  if (head.length + text.length + 2 <= WIDTH) return [...lines, `${head} ${text};`];
  if (union !== undefined) {
    const last = union.length - 1;
    return [
      ...lines,
      head,
      ...union.map((one, index) => `    | ${one}${index === last ? ";" : ""}`),
    ];
  }
  if (value !== undefined) {
    return [...lines, `${head} Record<`, "    string,", `    ${value}`, "  >;"];
  }
  return [...lines, head, `    ${text};`];
}

function printType(type: TypeNode, nameOf: (node: NamedNode) => string): Printed {
  switch (type.is) {
    case "plain":
      return { text: type.text };
    case "union": {
      const union = type.members.map((member) => printType(member, nameOf).text);
      return { text: union.join(" | "), union };
    }
    case "array": {
      const item = printType(type.item, nameOf);
      return { text: item.union === undefined ? `${item.text}[]` : `(${item.text})[]` };
    }
    case "record": {
      const { text: value } = printType(type.value, nameOf);
      return { text: `Record<string, ${value}>`, value };
    }
    default:
      return { text: nameOf(type) };
  }
}
