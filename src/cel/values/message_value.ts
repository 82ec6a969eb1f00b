import type { CelType } from "../types/mod.ts";
import { celEqual } from "./compare.ts";
import type { Opaque, Value } from "./value.ts";

/** A message that an expression has created to make a patch, such as `Object.spec{replicas: 3}`. */
export class MessageValue implements Opaque {
  /** The type. */
  readonly opaque: CelType;
  /** The given fields. */
  readonly fields: ReadonlyMap<string, Value>;

  /** Creates the message. */
  constructor(type: CelType, fields: ReadonlyMap<string, Value>) {
    this.opaque = type;
    this.fields = fields;
  }

  /** Reports whether two messages of one type have equal fields. */
  equals(other: Opaque): boolean {
    if (!(other instanceof MessageValue) || other.fields.size !== this.fields.size) return false;
    return [...this.fields].every(([name, value]) => {
      const theirs = other.fields.get(name);
      return theirs !== undefined && celEqual(value, theirs);
    });
  }
}
