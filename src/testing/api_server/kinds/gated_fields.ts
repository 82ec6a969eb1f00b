import { isObject, type Json, type JsonObject, setOwn, type Type } from "../../values/mod.ts";
import type { Release } from "../release/mod.ts";
import { GATED_FIELDS, type KindInfo, reaching } from "../schema/mod.ts";

/** Returns an object of a built-in kind without the fields whose feature gates are off. */
export function withoutGatedFields({ schema, release }: KindInfo, object: JsonObject): JsonObject {
  const fields = known.get(release) ?? new GatedFields(release);
  known.set(release, fields);
  return fields.drop(object, schema) as JsonObject;
}

const known = new WeakMap<Release, GatedFields>();

/** The structs whose fields are not dropped by themselves: a real server keeps them, or drops more than the field. */
const OTHERS: ReadonlySet<string> = new Set(["core.TypedObjectReference"]);

/** The fields whose gates the Go types do not name. */
const UNNAMED: Readonly<Record<string, string>> = {
  "core.VolumeProjection": "podCertificate PodCertificateRequest",
};

/** The fields that a release drops. */
class GatedFields {
  readonly #structs = new Map<string, readonly string[]>();
  readonly #reaches = reaching(this.#structs);

  constructor(release: Release) {
    for (const [name, text] of Object.entries(GATED_FIELDS)) {
      if (OTHERS.has(name)) continue;
      const off = `${text}; ${UNNAMED[name] ?? ""}`.split(";").map((field) =>
        field.trim().split(/\s+/)
      )
        .filter(([field, ...gates]) => field !== "" && !gates.every((gate) => release.isOn(gate)))
        .map(([field]) => field!);
      if (off.length > 0) this.#structs.set(name, off);
    }
  }

  /** Returns a value without the fields. */
  drop(value: Json, type: Type): Json {
    if (!this.#reaches(type)) return value;
    if (Array.isArray(value)) {
      return type.kind === "list" ? value.map((one) => this.drop(one, type.item)) : value;
    }
    if (!isObject(value)) return value;
    if (type.kind !== "struct" && type.kind !== "map") return value;
    const copy = { ...value };
    if (type.kind === "struct") {
      for (const name of this.#structs.get(type.id ?? "") ?? []) delete copy[name];
    }
    for (const name of Object.keys(copy)) {
      const own = type.kind === "map" ? type.value : type.fields.get(name)?.type;
      if (own !== undefined) setOwn(copy, name, this.drop(copy[name]!, own));
    }
    return copy;
  }
}
