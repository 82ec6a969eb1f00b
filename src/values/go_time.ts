/** The result of parsing a time: the time in UTC, or an error message of Go's time package. */
export type ParsedTime = { readonly text: string } | { readonly error: string };

const SECONDS_LAYOUT = "2006-01-02T15:04:05Z07:00";
const MICRO_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";

/** The elements that both layouts share, up to the seconds: element, pattern, name, minimum and maximum. */
const ELEMENTS: readonly (readonly [string, RegExp, string, number, number])[] = [
  ["2006", /^\d{4}/, "year", 0, 9999],
  ["-", /^-/, "", 0, 0],
  ["01", /^\d{2}/, "month", 1, 12],
  ["-", /^-/, "", 0, 0],
  ["02", /^\d{2}/, "day", 1, 31],
  ["T", /^T/, "", 0, 0],
  ["15", /^\d{2}/, "hour", 0, 23],
  [":", /^:/, "", 0, 0],
  ["04", /^\d{2}/, "minute", 0, 59],
  [":", /^:/, "", 0, 0],
  ["05", /^\d{2}/, "second", 0, 59],
];

/** Parses a `metav1.Time` in RFC 3339 format. A fraction of a second is accepted and dropped. The result is in UTC. */
export function parseTime(text: string): ParsedTime {
  return isUsual(text) ? { text } : parse(text, SECONDS_LAYOUT, false);
}

/** Whether a text is what toISOString() writes, without the milliseconds. Most times are, which need no closer look. */
function isUsual(text: string): boolean {
  const ms = text.length === 20 && text.endsWith("Z") ? Date.parse(text) : NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
}

/** Parses a `metav1.MicroTime` in RFC 3339 format with exactly six fraction digits. The result is in UTC. */
export function parseMicroTime(text: string): ParsedTime {
  return parse(text, MICRO_LAYOUT, true);
}

function parse(text: string, layout: string, micro: boolean): ParsedTime {
  const head = `parsing time ${JSON.stringify(text)}`;
  const cannot = (rest: string, element: string): ParsedTime => ({
    error: `${head} as ${JSON.stringify(layout)}: cannot parse ${JSON.stringify(rest)} as ${
      JSON.stringify(element)
    }`,
  });
  const numbers: number[] = [];
  let rest = text;
  for (const [element, pattern, name, min, max] of ELEMENTS) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined) return cannot(rest, element);
    rest = rest.slice(found.length);
    if (name === "") continue;
    const value = Number(found);
    if (value < min || value > max) return { error: `${head}: ${name} out of range` };
    numbers.push(value);
  }
  const [year, month, day, hour, minute, second] = numbers as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  let fraction = "";
  if (micro) {
    const found = /^\.\d{6}/.exec(rest)?.[0];
    if (found === undefined) return cannot(rest, ".000000");
    fraction = found;
    rest = rest.slice(found.length);
  } else {
    rest = rest.replace(/^[.,]\d+/, "");
  }
  const zone = /^(?:Z|([+-])(\d{2}):(\d{2}))/.exec(rest);
  if (zone === null) return cannot(rest, "Z07:00");
  rest = rest.slice(zone[0].length);
  if (rest !== "") return { error: `${head}: extra text: ${JSON.stringify(rest)}` };
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCDate() !== day) return { error: `${head}: day out of range` };
  const offset = (Number(zone[2] ?? 0) * 60 + Number(zone[3] ?? 0)) * (zone[1] === "-" ? -1 : 1);
  date.setUTCHours(hour, minute - offset, second);
  return { text: `${date.toISOString().slice(0, 19)}${fraction}Z` };
}

/** Returns a time that the server wrote as milliseconds since the Unix epoch; NaN if `text` is empty. */
export function timeMs(text: string): number {
  return text === "" ? NaN : Date.parse(text);
}
