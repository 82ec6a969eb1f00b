import { parseTime } from "../../values/mod.ts";

const DURATION = /^([0-9]+(\.[0-9]*)?(ns|us|µs|μs|ms|s|m|h|d|w))+$/;
const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const HOST = /^[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?)*$/;

/** The string formats that the server checks. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) => "text" in parseTime(text.toUpperCase().replace(" ", "T")),
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && "text" in parseTime(`${text}T00:00:00Z`),
  duration: (text) => DURATION.test(text.replaceAll(" ", "")),
  byte: (text) => /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: (text) => {
    const [address = "", bits = "x", ...rest] = text.split("/");
    const limit = isIPv4(address) ? 32 : isIPv6(address) ? 128 : -1;
    return rest.length === 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= limit;
  },
  mac: (text) => /^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$/i.test(text),
  uuid: (text) => UUID.test(text),
  uuid3: (text) => UUID.test(text) && text.replaceAll("-", "")[12] === "3",
  uuid4: (text) => UUID.test(text) && text.replaceAll("-", "")[12] === "4",
  uuid5: (text) => UUID.test(text) && text.replaceAll("-", "")[12] === "5",
  hostname: (text) => text.length <= 255 && HOST.test(text),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) || /^\/\S*$/.test(text),
  hexcolor: (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
};

/** Reports whether `text` has the format `format`; true for formats that the server does not know. */
export function hasFormat(text: string, format: string): boolean {
  return !Object.hasOwn(CHECKS, format) || CHECKS[format]!(text);
}

/** The formats of strings that the server knows and does not check. */
const UNCHECKED: ReadonlySet<string> = new Set([
  "bsonobjectid",
  "creditcard",
  "datetime",
  "isbn",
  "isbn10",
  "isbn13",
  "k8s-long-name",
  "k8s-short-name",
  "password",
  "rgbcolor",
  "ssn",
]);

/** Reports whether the server knows a format of strings. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(CHECKS, format) || UNCHECKED.has(format);
}

function isIPv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && +part < 256);
}

function isIPv6(text: string): boolean {
  if (!/^[0-9a-f:.]+$/i.test(text) || !text.includes(":")) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  let groups = 0;
  for (
    const [index, part] of halves.flatMap((half) => half === "" ? [] : half.split(":")).entries()
  ) {
    const last = index === halves.flatMap((half) => half === "" ? [] : half.split(":")).length - 1;
    if (last && isIPv4(part)) groups += 2;
    else if (/^[0-9a-f]{1,4}$/i.test(part)) groups += 1;
    else return false;
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}
