import { isRecord } from "@kubeloop/controller/internal/base";
import { requireRecord } from "./definition.ts";
import { about, describeField, summarized } from "./descriptions.ts";
import { literalOf } from "./literals.ts";
import { singular, upperCamel } from "./names.ts";
import { type Place, shown } from "./problem.ts";
import type { Member, NamedNode, ObjectNode, TypeNode } from "./type_node.ts";

/** The maximum depth of a schema. Real schemas have up to about 30 levels. */
const MAX_DEPTH = 100;

/** The maximum number of schemas in one definition. Real definitions have up to about 10,000. */
const MAX_SCHEMAS = 200_000;

/** The maximum length of a union without a name of its own, in characters. */
const MAX_INLINE = 50;

const STRING: TypeNode = { is: "plain", text: "string" };
const NUMBER: TypeNode = { is: "plain", text: "number" };
const BOOLEAN: TypeNode = { is: "plain", text: "boolean" };
const NULL: TypeNode = { is: "plain", text: "null" };
const UNKNOWN: TypeNode = { is: "plain", text: "unknown" };
/** The types that include null. */
const NULLISH: ReadonlySet<string> = new Set(["null", "unknown"]);
const INT_OR_STRING: TypeNode = { is: "union", members: [NUMBER, STRING] };
const NO_FIELDS: TypeNode = { is: "plain", text: "Record<string, never>" };
const ANY_FIELDS: TypeNode = { is: "record", value: UNKNOWN };

/** The fields that an embedded object requires. In `KubeObject` they are optional. */
const TYPE_META: readonly Member[] = ["apiVersion", "kind"].map((name) => ({
  name,
  optional: false,
  description: undefined,
  type: STRING,
}));

/** The fields of `KubeObject`. */
const KUBE_OBJECT: ReadonlySet<string> = new Set(["apiVersion", "kind", "metadata"]);

/** Reads the schemas of a custom resource. */
export class SchemaReader {
  readonly #isOpen: boolean;
  #known = new Map<string, NamedNode>();
  #schemas = 0;

  /** Creates a reader for the versions of one definition. `isOpen`: fields without a schema are preserved. */
  constructor(isOpen: boolean) {
    this.#isOpen = isOpen;
  }

  /**
   * Returns the type of the custom resource.
   *
   * @throws {TypeError} If the schema is not structural, or does not describe an object.
   */
  readRoot(given: unknown, place: Place): ObjectNode {
    // Versions do not share types: adding a version must not change the types of another.
    this.#known = new Map();
    const schema = requireSchema(given, place);
    // The root may omit its type, which is always `object`.
    if ((schema["type"] || "object") !== "object") {
      throw place.at("type").error(`found ${shown(schema["type"])}, expected "object"`);
    }
    const members = this.#members(schema, place, 0).filter(({ name }) => !KUBE_OBJECT.has(name));
    const open = this.#isOpenObject(schema);
    return {
      is: "object",
      id: 0,
      segment: "",
      ...about(schema),
      members,
      open,
      isKubeObject: true,
    };
  }

  #read(given: unknown, place: Place, segment: string, depth: number): TypeNode {
    if (depth > MAX_DEPTH) {
      throw place.error(`the schema is nested more than ${MAX_DEPTH} levels deep: flatten it`);
    }
    if (++this.#schemas > MAX_SCHEMAS) {
      throw place.error(
        `there are more than ${MAX_SCHEMAS} schemas (aliases of YAML count as often as they are used): make it smaller`,
      );
    }
    const schema = requireSchema(given, place);
    const type = this.#typeOf(schema, place, segment, depth);
    const members = type.is === "union" ? type.members : [type];
    const hasNull = members.some((one) => one.is === "plain" && NULLISH.has(one.text));
    return schema["nullable"] === true && !hasNull
      ? { is: "union", members: [...members, NULL] }
      : type;
  }

  #typeOf(
    schema: Record<string, unknown>,
    place: Place,
    segment: string,
    depth: number,
  ): TypeNode {
    if (schema["$ref"] !== undefined) {
      throw place.at("$ref").error(
        "a CustomResourceDefinition cannot refer to other schemas: put the schema in its place",
      );
    }
    const literals = literalsOf(schema);
    if (literals !== undefined) return this.#literals(literals, segment);
    if (schema["x-kubernetes-int-or-string"] === true) return INT_OR_STRING;
    switch (schema["type"]) {
      case "string":
        return STRING;
      case "integer":
      case "number":
        return NUMBER;
      case "boolean":
        return BOOLEAN;
      case "array":
        return this.#array(schema, place, segment, depth);
      case "object":
        return this.#object(schema, place, segment, depth);
      case undefined:
      case "":
        // The API server requires a type, but schemas from other sources may omit it.
        if (schema["properties"] !== undefined) return this.#object(schema, place, segment, depth);
        if (schema["items"] !== undefined) return this.#array(schema, place, segment, depth);
        return UNKNOWN;
      default:
        throw place.at("type").error(
          `found ${
            shown(schema["type"])
          }, expected "array", "boolean", "integer", "number", "object" or "string"`,
        );
    }
  }

  #array(
    { items }: Record<string, unknown>,
    place: Place,
    segment: string,
    depth: number,
  ): TypeNode {
    if (items === undefined) return { is: "array", item: UNKNOWN };
    return {
      is: "array",
      item: this.#read(items, place.at("items"), singular(segment), depth + 1),
    };
  }

  #object(
    schema: Record<string, unknown>,
    place: Place,
    segment: string,
    depth: number,
  ): TypeNode {
    const { additionalProperties: others } = schema;
    const isKubeObject = schema["x-kubernetes-embedded-resource"] === true;
    const fields = this.#members(schema, place, depth);
    const members = isKubeObject
      ? [...TYPE_META, ...fields.filter(({ name }) => !KUBE_OBJECT.has(name))]
      : fields;
    const open = this.#isOpenObject(schema);
    if (members.length === 0) {
      if (isRecord(others)) {
        const at = place.at("additionalProperties");
        return { is: "record", value: this.#read(others, at, singular(segment), depth + 1) };
      }
      return open ? ANY_FIELDS : NO_FIELDS;
    }
    return this.#named({ is: "object", segment, ...about(schema), members, open, isKubeObject });
  }

  #isOpenObject(schema: Record<string, unknown>): boolean {
    const { additionalProperties: others } = schema;
    return this.#isOpen || others === true || isRecord(others) ||
      schema["x-kubernetes-preserve-unknown-fields"] === true;
  }

  #members(schema: Record<string, unknown>, place: Place, depth: number): Member[] {
    const { properties = {}, required = [] } = schema;
    const fields = requireRecord(properties, place.at("properties"), "the schemas of fields");
    if (!Array.isArray(required)) {
      throw place.at("required").error(`found ${shown(required)}, expected a list of fields`);
    }
    const present = new Set<unknown>(required);
    return Object.entries(fields).map(([name, field]) => {
      const at = place.at("properties").at(name);
      return {
        name,
        optional: !present.has(name),
        type: this.#read(summarized(field), at, upperCamel(name) || "Value", depth + 1),
        description: isRecord(field) ? describeField(field) : undefined,
      };
    });
  }

  #literals(literals: readonly string[], segment: string): TypeNode {
    if (literals.join(" | ").length > MAX_INLINE) {
      return this.#named({ is: "literals", segment, literals });
    }
    const [first = "never", ...rest] = literals;
    const members = [first, ...rest].map((text): TypeNode => ({ is: "plain", text }));
    return rest.length === 0 ? { is: "plain", text: first } : { is: "union", members };
  }

  /** Returns the existing equal node, or else adds this one. */
  #named(node: Omit<ObjectNode, "id"> | Omit<NamedNode & { is: "literals" }, "id">): NamedNode {
    const key = JSON.stringify(
      node.is === "literals" ? node : { ...node, members: node.members.map(keyOfMember) },
    );
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { ...node, id: this.#known.size + 1 };
      this.#known.set(key, known);
    }
    return known;
  }
}

/** Returns a schema without keywords that are null, as the API server does. Throws if it is not a mapping. */
function requireSchema(given: unknown, place: Place): Record<string, unknown> {
  const schema = requireRecord(given, place, "a schema");
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== null));
}

function keyOfMember({ name, optional, description, type }: Member): unknown {
  return [name, optional, description, keyOf(type)];
}

function keyOf(type: TypeNode): unknown {
  switch (type.is) {
    case "plain":
      return type.text;
    case "union":
      return type.members.map(keyOf);
    case "array":
      return { array: keyOf(type.item) };
    case "record":
      return { record: keyOf(type.value) };
    default:
      return type.id;
  }
}

/** Returns the literals of `enum`, also within `allOf`; undefined without an `enum`, or if it has other values. */
function literalsOf(schema: Record<string, unknown>): string[] | undefined {
  const { allOf } = schema;
  let literals: string[] | undefined;
  for (const part of [schema, ...(Array.isArray(allOf) ? allOf : [])]) {
    const values: unknown = isRecord(part) ? part["enum"] : undefined;
    if (!Array.isArray(values) || values.length === 0) continue;
    const found = new Set<string>();
    for (const value of values) {
      const literal = literalOf(value);
      if (literal === undefined) return undefined;
      found.add(literal);
    }
    literals = literals?.filter((literal) => found.has(literal)) ?? [...found];
  }
  return literals;
}
