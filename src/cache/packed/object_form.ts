import { describeError, noteIncomplete } from "../../base/mod.ts";
import { hasSameBytesAt, type ObjectBytes, parseRange, valueAt } from "../../bytes/mod.ts";
import {
  decodeObject,
  hasUnknownFields,
  ProtobufError,
  type Table,
  valueInMessage,
} from "../../protobuf/mod.ts";
import { type KubeObject, withType } from "../../types/mod.ts";

/** The form in which the objects of one kind are stored as bytes. A cache knows three: JSON, protobuf and parsed objects. */
export interface ObjectForm {
  /** The kind of the objects; undefined if neither the object nor its list names it. */
  readonly kind: string | undefined;
  /** The API version of the objects; undefined like the kind. */
  readonly apiVersion: string | undefined;
  /** Parses the whole object. */
  parse(bytes: Uint8Array, start: number, end: number): unknown;
  /** Returns the value at a path, and parses nothing else; undefined if there is none. */
  valueAt(object: ObjectBytes, path: readonly string[]): unknown;
  /** Reports whether two objects of this form have the same bytes at a path, if that is faster than to read both values. */
  hasSameBytesAt?(a: ObjectBytes, b: ObjectBytes, path: readonly string[]): boolean;
}

/** Objects as JSON. */
export class JsonForm implements ObjectForm {
  readonly kind: string | undefined;
  readonly apiVersion: string | undefined;

  constructor(kind: string | undefined, apiVersion: string | undefined) {
    this.kind = kind;
    this.apiVersion = apiVersion;
  }

  parse(bytes: Uint8Array, start: number, end: number): unknown {
    const parsed = parseRange(bytes, start, end) as KubeObject;
    return this.kind && this.apiVersion ? withType(parsed, this.kind, this.apiVersion) : parsed;
  }

  valueAt(
    { bytes, start, end, metadataStart }: ObjectBytes,
    path: readonly string[],
  ): unknown {
    const value = valueAt(bytes, start, end, path, metadataStart);
    if (value || path.length !== 1) return value;
    const [name] = path;
    return name === "kind" || name === "apiVersion" ? this[name] ?? value : value;
  }

  hasSameBytesAt(a: ObjectBytes, b: ObjectBytes, path: readonly string[]): boolean {
    return hasSameBytesAt(a, b, path);
  }
}

/** Objects as messages of Kubernetes' protobuf. */
export class ProtobufForm implements ObjectForm {
  readonly kind: string;
  readonly apiVersion: string;
  readonly #table: Table;

  /** @param table Tells how the objects are encoded. */
  constructor(kind: string, apiVersion: string, table: Table) {
    this.kind = kind;
    this.apiVersion = apiVersion;
    this.#table = table;
  }

  parse(bytes: Uint8Array, start: number, end: number): unknown {
    try {
      const object = decodeObject(this.#table, bytes, start, end, this) as KubeObject;
      if (hasUnknownFields) noteIncomplete(object.metadata);
      return object;
    } catch (error) {
      throw new Error(
        `Cannot decode a ${this.kind} that a server has sent: ${describeError(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  valueAt({ bytes, start, end }: ObjectBytes, path: readonly string[]): unknown {
    const [name] = path;
    if (path.length === 1 && (name === "kind" || name === "apiVersion")) return this[name];
    try {
      return valueInMessage(this.#table, bytes, start, end, path);
    } catch (error) {
      // A malformed field must not keep the object out of the cache. Its reader gets the error.
      if (error instanceof ProtobufError) return undefined;
      throw error;
    }
  }
}
