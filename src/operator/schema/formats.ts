/** The formats of strings that API servers check: those of apiextensions-apiserver, which all its versions know. */
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

/** The formats of numbers. They are for clients: the server does not check them. */
const NUMBERS: ReadonlySet<string> = new Set(["int32", "int64", "float", "double"]);

/** Reports whether API servers know a format. They ignore others, with a warning. */
export function isKnownFormat(format: string): boolean {
  return CHECKED.has(format) || NUMBERS.has(format);
}
