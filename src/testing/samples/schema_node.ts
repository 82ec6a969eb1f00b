import { isRecord, own } from "@kubeloop/controller/internal/base";

/** Fields at the top of an object in which users wish for nothing. */
const NOT_WISHED: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata", "status"]);

/** A node of the schema of a custom resource. Its keywords are checked when they are read. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Returns the schemas of the fields of an object, by name. */
export function propertiesOf(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  const properties = node["properties"];
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, schema]) =>
    isRecord(schema) && name !== "__proto__" ? [[name, schema] as const] : []
  );
}

/** Returns the schema of the items of a list, or of the values of a map. */
export function partsOf(
  node: SchemaNode,
  keyword: "items" | "additionalProperties",
): SchemaNode | undefined {
  const schema = own(node, keyword);
  if (keyword === "additionalProperties" && schema === true) return { type: "string" };
  return isRecord(schema) ? schema : undefined;
}

/** Returns the schemas of the fields of an object of a cluster in which users have wishes, by name. */
export function wishesOf(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  return propertiesOf(node).filter(([name]) => !NOT_WISHED.has(name));
}

/** Returns the names of the required fields of an object. */
export function requiredOf(node: SchemaNode): readonly string[] {
  const names = node["required"];
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

/** Returns the number of a keyword. */
export function numberIn(node: SchemaNode, keyword: string): number | undefined {
  const value = node[keyword];
  return typeof value === "number" ? value : undefined;
}

/** Returns the values of an enumeration; none if there is none. */
export function enumOf(node: SchemaNode): readonly unknown[] {
  const values = node["enum"];
  return Array.isArray(values) ? values.filter((value) => value !== null) : [];
}

/** Reports whether a value is an integer or a string. */
export function isIntOrString(node: SchemaNode): boolean {
  return node["x-kubernetes-int-or-string"] === true || node["format"] === "int-or-string";
}
