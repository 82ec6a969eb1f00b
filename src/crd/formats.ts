import { cannotExpress } from "./cannot_express.ts";
import { isObject, type Json, type JsonObject } from "./json.ts";

/** The formats of strings that every version of apiextensions-apiserver checks. */
const CHECKED: ReadonlySet<string> = new Set([
  "bsonobjectid",
  "byte",
  "cidr",
  "creditcard",
  "date",
  "date-time",
  "datetime",
  "duration",
  "email",
  "hexcolor",
  "hostname",
  "ipv4",
  "ipv6",
  "isbn",
  "isbn10",
  "isbn13",
  "mac",
  "password",
  "rgbcolor",
  "ssn",
  "uri",
  "uuid",
  "uuid3",
  "uuid4",
  "uuid5",
]);

/** The formats of numbers, for clients. The server does not check them. */
const NUMBERS: ReadonlySet<string> = new Set(["int32", "int64", "float", "double"]);

/** Reports whether API servers know a format. They ignore other formats, with a warning. */
function isKnownFormat(format: string): boolean {
  return CHECKED.has(format) || NUMBERS.has(format);
}

/** Refuses a format that API servers ignore; drops it if the field has a pattern. */
export function checkFormat(node: JsonObject, path: string): void {
  const { format } = node;
  if (typeof format !== "string" || isKnownFormat(format)) return;
  if (node["pattern"] === undefined && !hasPattern(node["allOf"])) {
    throw cannotExpress(path, `the format "${format}"`, "API servers ignore it: use a pattern");
  }
  delete node["format"];
}

function hasPattern(parts: Json | undefined): boolean {
  return Array.isArray(parts) &&
    parts.some((part) => isObject(part) && part["pattern"] !== undefined);
}
