/** A field of a schedule: the numbers that it can have, and names for them. */
interface CronField {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MONTHS = [
  "",
  "jan",
  "feb",
  "mar",
  "apr",
  "may",
  "jun",
  "jul",
  "aug",
  "sep",
  "oct",
  "nov",
  "dec",
];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const FIELDS: readonly CronField[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const DESCRIPTORS: ReadonlySet<string> = new Set([
  "@yearly",
  "@annually",
  "@monthly",
  "@weekly",
  "@daily",
  "@midnight",
  "@hourly",
]);

const EVERY = "@every ";

/** A duration in Go, as in `1h30m`. */
const DURATION = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?(?:ns|us|µs|μs|ms|s|m|h))+$/;

/** Returns what is wrong with a schedule in cron format; undefined if nothing is. */
export function scheduleError(schedule: string): string | undefined {
  if (schedule === "") return "empty spec string";
  let text = schedule;
  if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
    const space = text.indexOf(" ");
    text = space < 0 ? "" : text.slice(space).trim();
  }
  if (text.startsWith("@")) return descriptorError(text);
  const fields = text.split(/\s+/).filter((field) => field !== "");
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(" ")}]`;
  }
  for (const [index, field] of fields.entries()) {
    const error = fieldError(field, FIELDS[index]!);
    if (error !== undefined) return error;
  }
  return undefined;
}

function descriptorError(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined;
  if (!text.startsWith(EVERY)) return `unrecognized descriptor: ${text}`;
  const duration = text.slice(EVERY.length);
  if (DURATION.test(duration)) return undefined;
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`;
}

function fieldError(text: string, field: CronField): string | undefined {
  for (const range of text.split(",").filter((part) => part !== "")) {
    const error = rangeError(range, field);
    if (error !== undefined) return error;
  }
  return undefined;
}

function rangeError(text: string, field: CronField): string | undefined {
  const [range = "", step, ...tooManySteps] = text.split("/");
  const [low = "", high, ...tooManyEnds] = range.split("-");
  const whole = low === "*" || low === "?";
  const start = whole ? field.min : numberOf(low, field, text);
  if (typeof start === "string") return start;
  let end: number | string = whole ? field.max : start;
  if (!whole && tooManyEnds.length > 0) return `too many hyphens: ${text}`;
  if (!whole && high !== undefined) end = numberOf(high, field, text);
  if (typeof end === "string") return end;
  if (tooManySteps.length > 0) return `too many slashes: ${text}`;
  const by = step === undefined ? 1 : integerOf(step, text);
  if (typeof by === "string") return by;
  if (step !== undefined && high === undefined) end = field.max;
  if (start < field.min) {
    return `beginning of range (${start}) below minimum (${field.min}): ${text}`;
  }
  if (end > field.max) return `end of range (${end}) above maximum (${field.max}): ${text}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`;
  return by === 0 ? `step of range should be a positive number: ${text}` : undefined;
}

function numberOf(text: string, { names = [] }: CronField, range: string): number | string {
  const index = text === "" ? -1 : names.indexOf(text.toLowerCase());
  return index >= 0 ? index : integerOf(text, range);
}

/** Returns an integer, or Go's error for a text that is none. */
function integerOf(text: string, range: string): number | string {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    const parsing = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    return `failed to parse int from ${text}: ${parsing}`;
  }
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${range}` : number;
}
