import { evaluateRules } from "@kubeloop/controller/internal/cel";
import {
  applyStructuralDefaults,
  compileStructural,
  prune,
  type Structural,
  TooLargeError,
  validateStructural,
} from "@kubeloop/controller/internal/structural";
import {
  type FieldError,
  getPath,
  isObject,
  type Json,
  type JsonObject,
  withPath,
} from "../values/mod.ts";

/** How a server of the newest version checks numbers. */
const NUMBERS = { inRange: true, rounded: true };

/** The work of a server on the objects of one version: it drops unknown fields, sets defaults, and checks the schema and the rules. */
export class SchemaChecks {
  /** The compiled schema. */
  readonly schema: Structural;

  /** @param raw The `openAPIV3Schema` of the version. */
  constructor(raw: JsonObject) {
    this.schema = compileStructural(raw);
  }

  /** Returns the errors of a new object; empty if a server stores it. */
  errorsOf(object: JsonObject): readonly FieldError[] {
    try {
      const stored = this.stored(object);
      const errors = validateStructural(stored, this.schema, { numbers: NUMBERS });
      return errors.length > 0 ? errors : evaluateRules(this.schema, stored).errors;
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      return [{ reason: "TooLarge", message: error.message, field: "" }];
    }
  }

  /**
   * Returns an object as a server stores it: without unknown fields, and with the defaults.
   *
   * @throws {TooLargeError} If the defaults make it too large to be stored.
   */
  stored(object: JsonObject): JsonObject {
    return applyStructuralDefaults(prune(withoutEmpty(object), this.schema).object, this.schema);
  }
}

/** Returns an object without empty labels and annotations, which a server drops. */
function withoutEmpty(object: JsonObject): JsonObject {
  const empty = ["labels", "annotations"].filter((name) => {
    const part = getPath(object, "metadata", name);
    return isObject(part) && Object.keys(part).length === 0;
  });
  return empty.reduce((rest, name) => withPath(rest, ["metadata", name], undefined), object);
}

/** Reports whether a value is valid for a schema by itself, without its rules. */
export function isValidFor(value: Json, schema: Structural): boolean {
  return validateStructural(value, schema, { numbers: NUMBERS, field: "value" }).length === 0;
}
