import type { Field, StructType } from "../../../values/mod.ts";

/** The meaning of a field number: a field, or a message whose fields are inlined in JSON. */
export type Numbered = Field | NumberedFields;

/** The fields of a message by their numbers. */
export type NumberedFields = ReadonlyMap<number, Numbered>;

const known = new WeakMap<StructType["fields"], NumberedFields>();

/** Returns the fields of a struct by their numbers. */
export function fieldsByNumber(struct: StructType): NumberedFields {
  const cached = known.get(struct.fields);
  if (cached !== undefined) return cached;
  const out = new Map<number, Numbered>();
  for (const field of struct.fields.values()) {
    let message = out;
    field.numbers?.forEach((number, index, { length }) => {
      if (index === length - 1) {
        message.set(number, field);
        return;
      }
      const inner = message.get(number) ?? new Map();
      message.set(number, inner);
      message = inner as Map<number, Numbered>;
    });
  }
  known.set(struct.fields, out);
  return out;
}
