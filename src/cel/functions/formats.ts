import {
  dns1035Label,
  dnsLabel,
  dnsSubdomain,
  labelValue,
  maskTrailingDash,
  qualifiedName,
} from "../../values/mod.ts";
import { hasFormat } from "../../structural/mod.ts";
import { type CelType, FORMAT } from "../types/mod.ts";
import { CelList, type Opaque, Optional } from "../values/mod.ts";
import { define, type Overload } from "./overload.ts";
import { parseUrl } from "./url.ts";

/** A named format. */
export class FormatValue implements Opaque {
  readonly opaque: CelType = FORMAT;
  readonly name: string;
  /** The size of the pattern, for costs. */
  readonly patternSize: number;
  readonly #check: (text: string) => string[];

  /** Creates a format. */
  constructor(name: string, patternSize: number, check: (text: string) => string[]) {
    this.name = name;
    this.patternSize = patternSize;
    this.#check = check;
  }

  /** Reports whether this is the other format. */
  equals(other: Opaque): boolean {
    return other === this;
  }

  /** Returns why a text does not have the format; undefined if it has. */
  validate(text: string): Optional {
    const errors = this.#check(text);
    return errors.length === 0 ? new Optional() : new Optional(new CelList(errors));
  }

  /** Returns the name. */
  toString(): string {
    return this.name;
  }
}

const shaped = (format: string, why: string) => (text: string) =>
  hasFormat(text, format) ? [] : [why];
const prefix = (check: (text: string) => string[]) => (text: string) =>
  check(maskTrailingDash(text));

const UUID_SIZE = 77;
const TIME_SIZE = 174;

const FORMATS: readonly (readonly [string, FormatValue])[] = [
  ["dns1123Label", new FormatValue("DNS1123Label", 30, dnsLabel)],
  ["dns1123Subdomain", new FormatValue("DNS1123Subdomain", 60, (text) => dnsSubdomain(text))],
  ["dns1035Label", new FormatValue("DNS1035Label", 30, dns1035Label)],
  ["qualifiedName", new FormatValue("QualifiedName", 60, (text) => qualifiedName(text))],
  ["dns1123LabelPrefix", new FormatValue("DNS1123LabelPrefix", 30, prefix(dnsLabel))],
  [
    "dns1123SubdomainPrefix",
    new FormatValue("DNS1123SubdomainPrefix", 60, prefix((text) => dnsSubdomain(text))),
  ],
  ["dns1035LabelPrefix", new FormatValue("DNS1035LabelPrefix", 30, prefix(dns1035Label))],
  ["labelValue", new FormatValue("LabelValue", 40, labelValue)],
  [
    "uri",
    new FormatValue("URI", 1000, (text) => {
      const url = parseUrl(text);
      return typeof url === "string" ? [url] : [];
    }),
  ],
  [
    "uuid",
    new FormatValue("uuid", UUID_SIZE, shaped("uuid", "does not match the UUID format")),
  ],
  [
    "byte",
    new FormatValue(
      "byte",
      84,
      (text) => text === "" ? [] : shaped("byte", "invalid base64")(text),
    ),
  ],
  ["date", new FormatValue("date", TIME_SIZE, shaped("date", "invalid date"))],
  ["datetime", new FormatValue("datetime", TIME_SIZE, shaped("date-time", "invalid datetime"))],
];

const BY_NAME = new Map(FORMATS);

/** The functions of named formats. */
export const NAMED_FORMATS: readonly Overload[] = [
  define(
    "validate",
    "format-validate",
    "Format.string -> optional(list(string))",
    (format: FormatValue, text: string) => format.validate(text),
  ),
  define(
    "format.named",
    "format-named",
    "string -> optional(Format)",
    (name: string) => new Optional(BY_NAME.get(name)),
  ),
  ...FORMATS.map(([name, format]) =>
    define(`format.${name}`, `format.${name}`, " -> Format", () => format)
  ),
];
