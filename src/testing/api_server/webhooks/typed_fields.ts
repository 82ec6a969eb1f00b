import { getOwn, isObject, type Json, type JsonObject, jsonTypeName } from "../../values/mod.ts";
import { WebhookCallError } from "./webhook_answer.ts";

/**
 * Reads the fields of a struct in a webhook's answer, as Go does: null and an absent field are the zero value.
 *
 * Each method throws a {@linkcode WebhookCallError} if the field has another type.
 */
export class TypedFields {
  readonly #object: JsonObject;
  readonly #path: string;

  /** Reads the fields of `object`; `path` names it in errors, as in `AdmissionResponse.response`. */
  constructor(object: JsonObject, path: string) {
    this.#object = object;
    this.#path = path;
  }

  /** Returns a text. */
  string(name: string): string {
    const value = this.#value(name);
    if (typeof value === "string") return value;
    return value === null ? "" : this.#refuse(name, value, "string");
  }

  /** Returns a boolean. */
  boolean(name: string): boolean {
    const value = this.#value(name);
    if (typeof value === "boolean") return value;
    return value === null ? false : this.#refuse(name, value, "bool");
  }

  /** Returns an object; undefined if there is none. */
  object(name: string, type: string): JsonObject | undefined {
    const value = this.#value(name);
    if (isObject(value)) return value;
    return value === null ? undefined : this.#refuse(name, value, type);
  }

  /** Returns the elements of a list. */
  list(name: string, type: string): readonly Json[] {
    const value = this.#value(name);
    if (Array.isArray(value)) return value;
    return value === null ? [] : this.#refuse(name, value, type);
  }

  /** Returns a list of texts. */
  strings(name: string): string[] {
    return this.list(name, "[]string").map((value) =>
      typeof value === "string" ? value : this.#refuse(name, value, "string")
    );
  }

  #value(name: string): Json {
    return getOwn(this.#object, name) ?? null;
  }

  #refuse(name: string, value: Json, type: string): never {
    throw new WebhookCallError(
      `json: cannot unmarshal ${
        jsonTypeName(value)
      } into Go struct field ${this.#path}.${name} of type ${type}`,
    );
  }
}
