import {
  byteLength,
  dnsLabel,
  dnsSubdomain,
  durationError,
  isIpAddress,
  isLegacyIpAddress,
  parseTime,
} from "../../values/mod.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const HOST =
  /^([a-zA-Z0-9\p{S}\p{L}](-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?|([a-zA-Z0-9\p{S}\p{L}]([a-zA-Z0-9\p{S}\p{L}-]{0,61}[a-zA-Z0-9\p{S}\p{L}])?\.)+[a-zA-Z\p{L}]{2,63})$/u;

/** The time of a day with an offset. Any character separates the fraction of a second. */
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$/;

/** A number of days, as people write it. Text around it does not matter. */
const AMOUNT =
  /[0-9]+\s*(ns|nano[a-zµ]*|us|µs|micro[a-zµ]*|ms|milli[a-zµ]*|s|sec[a-zµ]*|m|min[a-zµ]*|h|hr|hour[a-zµ]*|d|day[a-zµ]*|w|wk|week[a-zµ]*)(?![a-zµ])/i;

/** Six, eight or twenty bytes, apart by colons or dashes, in pairs by dots, or not at all. */
const MAC =
  /^[0-9a-f]{2}(?:(?::[0-9a-f]{2})+|(?:-[0-9a-f]{2})+|[0-9a-f]{2}(?:\.[0-9a-f]{4})+|[0-9a-f]+)$/i;

/** The string formats that the server checks, by their names without dashes. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  datetime: (text) => {
    const [date = "", time = ""] = text.toLowerCase().split("t");
    const [, hour = "", minute = "", second = ""] = TIME.exec(time) ?? [];
    return isDate(date) && hour !== "" && hour <= "23" && minute <= "59" && second <= "59";
  },
  date: isDate,
  duration: (text) => durationError(text) === undefined || AMOUNT.test(text),
  byte: (text) =>
    /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text),
  ipv4: (text) => text.includes(".") && isLegacyIpAddress(text),
  ipv6: (text) => text.includes(":") && isIpAddress(text),
  cidr: (text) => {
    const [address = "", bits = "", ...rest] = text.split("/");
    const limit = address.includes(":") ? 128 : 32;
    return rest.length === 0 && isLegacyIpAddress(address) && /^[0-9]{1,3}$/.test(bits) &&
      Number(bits) <= limit;
  },
  mac: (text) => MAC.test(text) && [12, 16, 40].includes(text.replaceAll(/[:.-]/g, "").length),
  k8sshortname: (text) => dnsLabel(text).length === 0,
  k8slongname: (text) => dnsSubdomain(text).length === 0,
  uuid: (text) => UUID.test(text),
  uuid3: (text) => UUID3.test(text),
  uuid4: (text) => UUID4.test(text),
  uuid5: (text) => UUID5.test(text),
  hostname: (text) =>
    HOST.test(text) && byteLength(text) <= 255 &&
    text.split(".").every((label) => byteLength(label) <= 63),
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) || /^\/\S*$/.test(text),
  hexcolor: (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
};

/** Reports whether `text` has the format `format`; true for formats that the server does not check. */
export function hasFormat(text: string, format: string): boolean {
  const name = format.replaceAll("-", "");
  return !Object.hasOwn(CHECKS, name) || CHECKS[name]!(text);
}

/** The formats of strings that the server knows and does not check. */
const UNCHECKED: ReadonlySet<string> = new Set([
  "bsonobjectid",
  "creditcard",
  "isbn",
  "isbn10",
  "isbn13",
  "password",
  "rgbcolor",
  "ssn",
]);

/** Reports whether the server knows a format of strings. */
export function isKnownFormat(format: string): boolean {
  const name = format.replaceAll("-", "");
  return Object.hasOwn(CHECKS, name) || UNCHECKED.has(name);
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && "text" in parseTime(`${text}T00:00:00Z`);
}
