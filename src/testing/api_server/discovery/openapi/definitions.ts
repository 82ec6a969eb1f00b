import type { Field, Json, JsonObject, ScalarType, StructType, Type } from "../../../values/mod.ts";
import type { Release } from "../../release/mod.ts";
import { type Schemas, schemasOf } from "../../schema/mod.ts";
import type { Dialect } from "./dialect.ts";
import { definitionName, INT_OR_STRING, metaName, QUANTITY, RAW_EXTENSION } from "./names.ts";

/** Where a schema stands. */
interface Place {
  /** The name of the struct in the tables. */
  readonly owner: string;
  /** The name of the field; empty in a list. */
  readonly field: string;
  /** Returns a reference there. */
  readonly refer: Dialect["item"];
}

const APIEXTENSIONS = "apiextensions.";

/** Collects the definitions of structs, and of all that they consist of. */
export class Definitions {
  /** The definitions by name, without descriptions. */
  readonly all: JsonObject = {};
  readonly #dialect: Dialect;
  /** Whether items of lists and maps have Go's zero values as defaults. */
  readonly #hasZeros: boolean;
  readonly #schemas: Schemas;

  /** Creates an empty collection for one version of OpenAPI and one release of Kubernetes. */
  constructor(dialect: Dialect, release: Release) {
    this.#dialect = dialect;
    this.#hasZeros = release.has({ until: "1.36" });
    this.#schemas = schemasOf(release.minor);
  }

  /** Adds a definition that is not a struct. */
  addOther(name: string, definition: JsonObject): string {
    this.all[name] ??= definition;
    return name;
  }

  /** Adds the definitions that every document has: metadata, options, errors and patches. */
  addMeta(): void {
    for (const name of ["DeleteOptions", "Status", "ObjectMeta", "ListMeta"]) {
      this.add(this.#schemas.struct(`meta.${name}`));
    }
    this.addOther(metaName("Patch"), { type: "object" });
  }

  /** Adds a struct and what it consists of. Returns the name of its definition. */
  add(struct: StructType): string {
    const name = definitionName(struct.id ?? "");
    if (Object.hasOwn(this.all, name)) return name;
    const definition: JsonObject = { type: "object" };
    this.all[name] = definition;
    const fields = [...struct.fields.values()];
    const required = fields.filter((field) => field.required).map((field) => field.name);
    if (required.length > 0) definition["required"] = required;
    const properties: JsonObject = {};
    for (const field of fields.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      properties[field.name] = this.#property(field, struct.id ?? "");
    }
    if (fields.length > 0) definition["properties"] = properties;
    // The type of a field can differ from its struct in this.
    const { atomic } = struct.id === undefined ? struct : this.#schemas.struct(struct.id);
    if (atomic) definition["x-kubernetes-map-type"] = "atomic";
    const kind = this.#schemas.kindOf(struct.id ?? "");
    if (kind !== undefined) definition["x-kubernetes-group-version-kind"] = [{ ...kind }];
    return name;
  }

  #property(field: Field, owner: string): JsonObject {
    const { type } = field;
    const rest: JsonObject = {};
    if (field.default !== undefined) rest["default"] = field.default;
    else if (field.presence === "always") Object.assign(rest, zeroOf(type));
    if (field.mergeKey !== undefined) rest["x-kubernetes-patch-merge-key"] = field.mergeKey;
    const strategies = [field.merge && "merge", field.retainKeys && "retainKeys"];
    const strategy = strategies.filter((one) => one !== false).join(",");
    if (strategy !== "") rest["x-kubernetes-patch-strategy"] = strategy;
    if (field.mapType !== undefined) rest["x-kubernetes-map-type"] = field.mapType;
    if (!this.#dialect.isRich) delete rest["default"];
    return this.#schema(type, rest, { owner, field: field.name, refer: this.#dialect.property });
  }

  #schema(type: Type, rest: JsonObject, place: Place): JsonObject {
    const { owner, field, refer } = place;
    const inside = { ...place, refer: this.#dialect.item };
    switch (type.kind) {
      case "scalar":
        return this.#scalar(type, rest, refer);
      case "any":
        return refer(this.#raw(owner, field), rest);
      case "struct":
        if (type.orBool === true) return refer(this.#schemaOr("Bool"), rest);
        if (type.orList === true) return refer(this.#schemaOr("Array"), rest);
        return refer(this.add(type), rest);
      case "map":
        return {
          ...rest,
          type: "object",
          additionalProperties: this.#schema(type.value, this.#element(type.value), inside),
        };
      case "list": {
        const items = this.#schema(type.item, this.#element(type.item), { ...inside, field: "" });
        const list: JsonObject = { ...rest, type: "array", items };
        if (type.listType === "map") {
          list["x-kubernetes-list-map-keys"] = type.keys.map(({ name }) => name);
        }
        if (type.declared === true) list["x-kubernetes-list-type"] = type.listType;
        return list;
      }
    }
  }

  /** Returns the default of an item of a list or map. */
  #element(type: Type): JsonObject {
    return this.#dialect.isRich && this.#hasZeros ? zeroOf(type) : {};
  }

  #raw(owner: string, field: string): string {
    if (owner === "meta.ManagedFieldsEntry") {
      return this.addOther(metaName("FieldsV1"), { type: "object" });
    }
    if (!owner.startsWith(APIEXTENSIONS)) {
      return this.addOther(RAW_EXTENSION, { type: "object" });
    }
    const name = field === "dependencies" ? "JSONSchemaPropsOrStringArray" : "JSON";
    return this.addOther(definitionName(`${APIEXTENSIONS}${name}`), {});
  }

  #schemaOr(what: string): string {
    return this.addOther(definitionName(`${APIEXTENSIONS}JSONSchemaPropsOr${what}`), {});
  }

  #scalar(type: ScalarType, rest: JsonObject, refer: Dialect["item"]): JsonObject {
    const { quantity, intOrString, isRich } = this.#dialect;
    switch (type.name) {
      case "quantity":
        return refer(this.addOther(QUANTITY, quantity), rest);
      case "intOrString":
        return refer(this.addOther(INT_OR_STRING, intOrString), rest);
      case "time":
      case "microTime": {
        const name = metaName(type.name === "time" ? "Time" : "MicroTime");
        return refer(this.addOther(name, { type: "string", format: "date-time" }), rest);
      }
      case "string": {
        const values = isRich && type.enum !== undefined ? { enum: [...type.enum] } : {};
        return { ...rest, type: "string", ...values };
      }
    }
    return { ...rest, ...PLAIN[type.name] };
  }
}

const PLAIN: Readonly<Record<"bool" | "int32" | "int64" | "float" | "bytes", JsonObject>> = {
  bool: { type: "boolean" },
  int32: { type: "integer", format: "int32" },
  int64: { type: "integer", format: "int64" },
  float: { type: "number", format: "double" },
  bytes: { type: "string", format: "byte" },
};

const ZERO: Readonly<Record<string, Json>> = {
  string: "",
  bool: false,
  int32: 0,
  int64: 0,
  float: 0,
};

/** Returns the default that follows from Go's zero value, for types that are always encoded. */
function zeroOf(type: Type): JsonObject {
  if (type.kind === "struct" && type.orBool !== true) return { default: {} };
  if (type.kind !== "scalar" || !Object.hasOwn(ZERO, type.name)) return {};
  return { default: ZERO[type.name]! };
}
