import {
  byteLength,
  dnsLabel,
  dnsSubdomain,
  durationError,
  isIpAddress,
  isLegacyIpAddress,
  parseTime,
} from "../values/mod.ts";

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID3 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const UUID4 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
const UUID5 = /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i;
/** A host name of one label: it may have a dash, as its second character. */
const SINGLE_LABEL = /^[a-zA-Z0-9\p{S}\p{L}]-?[a-zA-Z0-9\p{S}\p{L}]*$/u;
/** A label of a host name that has several, but for the last of them. */
const LABEL = /^[a-zA-Z0-9\p{S}\p{L}](?:[a-zA-Z0-9\p{S}\p{L}-]*[a-zA-Z0-9\p{S}\p{L}])?$/u;
const LAST_LABEL = /^[a-zA-Z\p{L}]+$/u;
const MAX_LABEL = 63;
const MAX_HOST_BYTES = 255;

/** The time of a day with an offset. Any character separates the fraction of a second. */
const TIME = /^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|[+-][0-9]{2}:[0-9]{2})$/;

/** Units of time, as people write them after a number. Text around the two does not matter. */
const WORD = /[a-zµ]+/gi;
const UNITS: ReadonlySet<string> = new Set("ns us µs ms s m h hr d w wk".split(" "));
const UNIT_STEMS = ["nano", "micro", "milli", "sec", "min", "hour", "day", "week"];

/** Six, eight or twenty bytes, apart by colons or dashes, in pairs by dots, or not at all. */
const MAC =
  /^[0-9a-f]{2}(?:(?::[0-9a-f]{2})+|(?:-[0-9a-f]{2})+|[0-9a-f]{2}(?:\.[0-9a-f]{4})+|[0-9a-f]+)$/i;

/** A color of three amounts, each without a zero at its beginning. */
const RGB =
  /^rgb\(\s*(0|[1-9][0-9]{0,2})\s*,\s*(0|[1-9][0-9]{0,2})\s*,\s*(0|[1-9][0-9]{0,2})\s*\)$/;

/** The numbers of the credit cards of some companies. */
const CREDIT_CARD =
  /^(?:4(?:[0-9]{12}|[0-9]{15})|5[1-5][0-9]{14}|6(?:011|5[0-9]{2})[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11})$/;

/** The string formats that the server knows, by their names without dashes. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  datetime: (text) => {
    const [date = "", time = ""] = text.toLowerCase().split("t");
    const [, hour = "", minute = "", second = ""] = TIME.exec(time) ?? [];
    return isDate(date) && hour !== "" && hour <= "23" && minute <= "59" && second <= "59";
  },
  date: isDate,
  duration: (text) => durationError(text) === undefined || hasAmount(text),
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
  hostname: isHost,
  email: (text) => /^[^@\s]+@[^@\s]+$/.test(text),
  uri: (text) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text) || /^\/\S*$/.test(text),
  hexcolor: (text) => /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text),
  rgbcolor: (text) => {
    const [, ...amounts] = RGB.exec(text) ?? [];
    return amounts.length === 3 && amounts.every((amount) => Number(amount) <= 255);
  },
  ssn: (text) => /^[0-9]{3}[- ][0-9]{2}[- ][0-9]{4}$/.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  bsonobjectid: (text) => /^[0-9a-f]{24}$/i.test(text),
  password: () => true,
};

/** Reports whether `text` has the format `format`; true for formats that the server does not check. */
export function hasFormat(text: string, format: string): boolean {
  const name = format.replaceAll("-", "");
  return !Object.hasOwn(CHECKS, name) || CHECKS[name]!(text);
}

/** Reports whether the server knows a format of strings. */
export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(CHECKS, format.replaceAll("-", ""));
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index + 1) * (digit === "X" ? 10 : Number(digit)),
    0,
  );
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]/g, "");
  if (!/^[0-9]{13}$/.test(digits)) return false;
  const sum = [...digits].reduce(
    (total, digit, index) => total + (index % 2 === 0 ? 1 : 3) * Number(digit),
    0,
  );
  return sum % 10 === 0;
}

/** Reports whether the digits are a number of a credit card, whose last one checks the others. */
function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, "");
  if (!CREDIT_CARD.test(digits)) return false;
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const amount = Number(digit) * (index % 2 === 0 ? 1 : 2);
    return total + (amount > 9 ? amount - 9 : amount);
  }, 0);
  return sum % 10 === 0;
}

/** Reports whether there is a number with a unit of time. */
function hasAmount(text: string): boolean {
  return [...text.matchAll(WORD)].some(({ 0: word, index }) => {
    const unit = word.toLowerCase();
    if (!UNITS.has(unit) && !UNIT_STEMS.some((stem) => unit.startsWith(stem))) return false;
    let end = index;
    while (end > 0 && text[end - 1]!.trim() === "") end--;
    return end > 0 && /[0-9]/.test(text[end - 1]!);
  });
}

function isHost(text: string): boolean {
  const labels = text.split(".");
  if (byteLength(text) > MAX_HOST_BYTES || labels.some((one) => byteLength(one) > MAX_LABEL)) {
    return false;
  }
  if (labels.length === 1) return SINGLE_LABEL.test(text);
  const last = labels.pop()!;
  return labels.every((label) => LABEL.test(label)) && LAST_LABEL.test(last) &&
    [...last].length > 1;
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && "text" in parseTime(`${text}T00:00:00Z`);
}
