import { type Random, randomInt } from "../../src/base/mod.ts";
import type {
  Field,
  Json,
  JsonObject,
  ScalarType,
  StructType,
  Type,
} from "../../src/testing/values/mod.ts";

/** The depth from which on structs, lists and maps are empty. */
const MAX_DEPTH = 7;

const TEXTS = ["", "a", "name-1", "ä", "\u{1f600}", "<&>", "__proto__", "x".repeat(90)];
const QUANTITIES = ["0", "1", "500m", "64Mi", "10Gi", "1e3"];
const INTEGERS = [0, 1, -1, 127, 128, 300, 2147483647, -2147483648];
const LONGS = [...INTEGERS, 2 ** 40, -(2 ** 40), Number.MAX_SAFE_INTEGER];
const JSON_VALUES: readonly Json[] = [{}, { a: [1, null, "<"] }, "text", 7, false, []];

/** Creates objects of any schema: each field is given or not, and has any value of its type. */
export class RandomObjects {
  readonly #random: Random;

  /** Creates a source of objects that draws from `random`. */
  constructor(random: Random) {
    this.#random = random;
  }

  /** Returns an object with these fields, as a client could send it. */
  struct(schema: StructType, depth: number = 0): JsonObject {
    const object: JsonObject = {};
    for (const field of schema.fields.values()) {
      if (field.numbers !== undefined && this.#chance(depth < 2 ? 0.8 : 0.4)) {
        object[field.name] = this.#field(field, depth);
      }
    }
    return object;
  }

  #field({ goType, type }: Field, depth: number): Json {
    // The server refuses a schema with dependencies.
    return goType === "v1.JSONSchemaDependencies" ? {} : this.#value(type, depth + 1);
  }

  #value(type: Type, depth: number): Json {
    switch (type.kind) {
      case "any":
        return this.#one(JSON_VALUES);
      case "scalar":
        return this.#scalar(type);
      case "struct":
        if (type.orBool === true && this.#chance(0.5)) return this.#chance(0.5);
        return depth > MAX_DEPTH ? {} : this.struct(type, depth);
      case "list":
        return this.#several(depth).map(() => this.#value(type.item, depth + 1));
      case "map":
        return Object.fromEntries(
          this.#several(depth).map((index) => [
            `${this.#one(TEXTS)}${index}`,
            this.#value(type.value, depth + 1),
          ]),
        );
    }
  }

  #scalar({ name, enum: values }: ScalarType): Json {
    switch (name) {
      case "string":
        return this.#one(values ?? TEXTS);
      case "bytes":
        return this.#one(["", "AA==", "AP8=", "YWJj"]);
      case "bool":
        return this.#chance(0.5);
      case "int32":
        return this.#one(INTEGERS);
      case "int64":
        return this.#one(LONGS);
      case "float":
        return this.#one([0, 0.5, -1e300, 3]);
      case "quantity":
        return this.#one(QUANTITIES);
      case "intOrString":
        return this.#one<Json>([0, 80, -1, "", "25%"]);
      case "time":
        return this.#one(["2026-01-02T03:04:05Z", "1969-12-31T23:59:59Z"]);
      case "microTime":
        return this.#one(["2026-01-02T03:04:05.000006Z", "1969-12-31T23:59:59.999999Z"]);
    }
  }

  #several(depth: number): number[] {
    return depth > MAX_DEPTH ? [] : Array.from({ length: randomInt(this.#random, 3) }, (_, i) => i);
  }

  #one<T>(values: readonly T[]): T {
    return values[randomInt(this.#random, values.length)]!;
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }
}
