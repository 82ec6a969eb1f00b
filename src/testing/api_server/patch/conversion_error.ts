import type { DecodeError, Mismatch } from "../schema/mod.ts";
import { type Json, jsonTypeName, type ScalarType } from "../../values/mod.ts";
import { goTypeOf } from "./strategic_patch_error.ts";

/**
 * Returns the message for the result of a strategic merge that cannot be decoded. The code with which the server
 * converts the merged maps into an object has other messages than its JSON decoder.
 */
export function conversionError({ message, mismatch }: DecodeError): string {
  if (mismatch === undefined) {
    return message.startsWith("illegal base64") ? `error decoding from json: ${message}` : message;
  }
  const { value, type } = mismatch;
  switch (type.kind) {
    case "map":
      return `cannot restore map from ${kindOf(value)}`;
    case "list":
      return `cannot restore slice from ${kindOf(value)}`;
    case "struct":
      return `cannot restore struct from: ${kindOf(value)}`;
    case "scalar":
      return scalarError(mismatch, type) ?? message;
    default:
      return message;
  }
}

function scalarError({ value, goType }: Mismatch, { name }: ScalarType): string | undefined {
  switch (name) {
    case "time":
    case "microTime":
      return `json: cannot unmarshal ${jsonTypeName(value)} into Go value of type string`;
    case "quantity":
      return undefined;
    case "intOrString": {
      const shown = typeof value === "number" ? `number ${value}` : jsonTypeName(value);
      return `json: cannot unmarshal ${shown} into Go value of type int32`;
    }
    case "bytes":
      return Array.isArray(value)
        ? "unrecognized type: uint8"
        : `cannot restore slice from ${kindOf(value)}`;
  }
  // In Go, numbers convert to each other and integers to strings. Only these get the message `cannot convert`.
  const whole = Number.isInteger(value);
  const converts = typeof value === "number" && (name === "string" ? whole : name !== "bool");
  if (converts) return `cannot convert ${kindOf(value)} to ${goType}`;
  return `unrecognized type: ${name === "float" ? "float64" : name}`;
}

/** Returns the kind of a value in Go. */
function kindOf(value: Json): string {
  if (Array.isArray(value)) return "slice";
  return typeof value === "object" ? "map" : goTypeOf(value)!;
}
