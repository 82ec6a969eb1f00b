/** Random objects of the kinds that a table describes. */

import { LIST, MAP, type Message, OP } from "../../src/protobuf/table.ts";
import type { SeededRandom } from "../../src/testing/mod.ts";

type Json = Record<string, unknown>;

const TEXTS = [
  "a",
  "web-1",
  "registry.example.com/team/app:v1",
  "é",
  "x".repeat(90),
  "\0",
];
const KEYS = ["app", "__proto__", "constructor", "kubernetes.io/name", "1", "0", "é"];
const RAW = [{ a: [1, null] }, [], "x", 5, { "f:metadata": { "k:{}": {} } }, {
  b: { __proto_: 1 },
}];

/** Makes objects that JSON and protobuf can both express: what JSON omits if it is empty is absent or not empty. */
export class RandomObject {
  readonly #random: SeededRandom;

  constructor(random: SeededRandom) {
    this.#random = random;
  }

  below(limit: number): number {
    return Math.floor(this.#random.next() * limit);
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  /** Returns an object with about half of the fields of a message, fewer the deeper it is. */
  object(message: Message, depth = 0): Json {
    const object: Json = new message.Create();
    for (const field of message.fields ?? message.resolve()) {
      if (field === undefined) continue;
      const { name, code, message: inner } = field;
      if (code === OP.INLINE) {
        Object.assign(object, this.object(inner!, depth));
        continue;
      }
      if (this.below(depth + 2) > 0 || depth > 5 && inner !== undefined) continue;
      if (code >= MAP) object[name] = this.#map(code - MAP, inner, depth);
      else if (code >= LIST) {
        object[name] = Array.from(
          { length: 1 + this.below(2) },
          () => this.#value(code - LIST, inner, depth),
        );
      } else object[name] = this.#value(code, inner, depth);
    }
    for (const name of message.nulls) object[name] ??= null;
    return object;
  }

  #map(op: number, message: Message | undefined, depth: number): Json {
    const map: Json = {};
    for (let entries = 1 + this.below(3); entries > 0; entries--) {
      const value = this.#value(op, message, depth);
      Object.defineProperty(map, this.pick(KEYS), {
        value,
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
    return map;
  }

  #value(op: number, message: Message | undefined, depth: number): unknown {
    switch (op) {
      case OP.TEXT:
        return this.pick(TEXTS);
      case OP.BOOL:
        return true;
      case OP.INT32:
        return this.pick([1, -1, 300, 2 ** 31 - 1, -(2 ** 31)]);
      case OP.INT64:
        return this.pick([1, -1, 127, 128, 2 ** 53 - 1, -(2 ** 53 - 1)]);
      case OP.DOUBLE:
        return this.pick([0.5, -1e300, 7]);
      case OP.BYTES:
        return this.pick(["AA==", "AP8=", btoa("kubernetes")]);
      case OP.QUANTITY:
        return this.pick(["0", "5Gi", "100m"]);
      case OP.INT_OR_STRING:
        return this.pick<unknown>([80, 0, "web", "50%"]);
      case OP.TIME:
        return this.pick(["2026-01-02T03:04:05Z", "1969-12-31T23:59:59Z", "9999-12-31T23:59:59Z"]);
      case OP.MICRO_TIME:
        return this.pick(["2026-01-02T03:04:05.000006Z", "2026-01-02T03:04:05.999999Z"]);
      case OP.RAW:
        return this.pick<unknown>(RAW);
      case OP.MESSAGE:
        return this.object(message!, depth + 1);
      case OP.UNION_OR_BOOL:
        return this.pick([true, false, this.#alternative(message!, depth)]);
      default:
        return this.#alternative(message!, depth);
    }
  }

  /** Returns one of the alternatives of a union. */
  #alternative(union: Message, depth: number): unknown {
    const fields = union.fields ?? union.resolve();
    const choices = fields.filter((one) => one?.name === "schema" || one?.name === "list");
    const { code, message } = this.pick(choices)!;
    if (code < LIST) return this.object(message!, depth + 1);
    return [this.#value(code - LIST, message, depth + 1)];
  }
}
