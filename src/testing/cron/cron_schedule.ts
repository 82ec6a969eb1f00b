const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A schedule without a time within five years has none: the 30th of February. */
const MAX_DAYS = 5 * 366;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** The range of one field, and names for its numbers from `min` on. */
interface FieldRange {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const RANGES: readonly FieldRange[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: MONTHS },
  { min: 0, max: 6, names: DAYS },
];

const SHORTHANDS: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

/** The values of one field that match; `isStar` if the field begins with a star. */
interface Field {
  readonly values: ReadonlySet<number>;
  readonly isStar: boolean;
}

/** The wall clock of a time zone. */
interface Local {
  readonly minute: number;
  readonly hour: number;
  readonly day: number;
  readonly month: number;
  readonly weekday: number;
}

/**
 * The schedule of a CronJob: five fields, or a shorthand such as `@hourly` or `@every 90m`, in a time zone.
 */
export class CronSchedule {
  readonly #everyMs: number | undefined;
  readonly #fields: readonly Field[];
  readonly #format: Intl.DateTimeFormat;

  /**
   * Parses a schedule.
   *
   * @param text The schedule, such as `30 4 * * MON-FRI`.
   * @param timeZone The name of the time zone, such as `Europe/Paris`. Default UTC.
   * @throws {SyntaxError} If the schedule cannot be read.
   * @throws {RangeError} If there is no such time zone.
   */
  constructor(text: string, timeZone = "Etc/UTC") {
    this.#format = new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      weekday: "short",
    });
    if (text === "") throw new SyntaxError("empty spec string");
    const schedule = text.replace(/^(?:TZ|CRON_TZ)=[^ ]*/, "").trim();
    const every = /^@every (.*)$/.exec(schedule)?.[1];
    if (every !== undefined) {
      this.#everyMs = durationMs(every);
      this.#fields = [];
      return;
    }
    if (schedule.startsWith("@") && !Object.hasOwn(SHORTHANDS, schedule)) {
      throw new SyntaxError(`unrecognized descriptor: ${schedule}`);
    }
    const words = (SHORTHANDS[schedule] ?? schedule).split(/\s+/).filter(Boolean);
    if (words.length !== RANGES.length) {
      throw new SyntaxError(
        `expected exactly 5 fields, found ${words.length}: [${words.join(" ")}]`,
      );
    }
    this.#fields = words.map((word, index) => parseField(word, RANGES[index]!));
  }

  /** Returns the first time after `wallMs`, in milliseconds since the Unix epoch; undefined if there is none. */
  next(wallMs: number): number | undefined {
    if (this.#everyMs !== undefined) return Math.floor(wallMs / 1000) * 1000 + this.#everyMs;
    let atMs = Math.floor(wallMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    const endMs = atMs + MAX_DAYS * DAY_MS;
    while (atMs < endMs) {
      const local = this.#localOf(atMs);
      if (!this.#matchesDay(local)) atMs = this.#nextDay(atMs, local);
      else if (!this.#has(1, local.hour)) atMs += HOUR_MS - local.minute * MINUTE_MS;
      else if (!this.#has(0, local.minute)) atMs += MINUTE_MS;
      else return atMs;
    }
    return undefined;
  }

  #has(field: number, value: number): boolean {
    return this.#fields[field]?.values.has(value) === true;
  }

  /** With both a day of the month and a weekday, one of them is enough. */
  #matchesDay({ day, month, weekday }: Local): boolean {
    if (!this.#has(3, month)) return false;
    const [hasDay, hasWeekday] = [this.#has(2, day), this.#has(4, weekday)];
    const isEither = this.#fields[2]?.isStar === false && this.#fields[4]?.isStar === false;
    return isEither ? hasDay || hasWeekday : hasDay && hasWeekday;
  }

  /** Returns the start of the next day, which a change of the clocks may shift by an hour. */
  #nextDay(atMs: number, { hour, minute }: Local): number {
    const nextMs = atMs + DAY_MS - hour * HOUR_MS - minute * MINUTE_MS;
    const { hour: shifted } = this.#localOf(nextMs);
    if (shifted === 0) return nextMs;
    if (shifted > 12) return nextMs + (24 - shifted) * HOUR_MS;
    const midnightMs = nextMs - shifted * HOUR_MS;
    // Where the clocks go forward at midnight, the day begins later.
    return this.#localOf(midnightMs).hour === 0 ? midnightMs : nextMs;
  }

  #localOf(wallMs: number): Local {
    const parts = this.#format.formatToParts(wallMs);
    const get = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
    return {
      minute: Number(get("minute")),
      hour: Number(get("hour")) % 24,
      day: Number(get("day")),
      month: Number(get("month")),
      weekday: DAYS.indexOf(get("weekday").toLowerCase()),
    };
  }
}

function parseField(text: string, field: FieldRange): Field {
  const values = new Set<number>();
  for (const range of text.split(",").filter(Boolean)) addRange(values, range, field);
  return { values, isStar: text.startsWith("*") || text.startsWith("?") };
}

function addRange(values: Set<number>, text: string, field: FieldRange): void {
  const { min, max } = field;
  const [range = "", step, ...moreSteps] = text.split("/");
  const [low = "", high, ...moreEnds] = range.split("-");
  const isStar = low === "*" || low === "?";
  if (!isStar && moreEnds.length > 0) throw new SyntaxError(`too many hyphens: ${text}`);
  const start = isStar ? min : numberOf(low, field, text);
  const end = isStar || (step !== undefined && high === undefined)
    ? max
    : high === undefined
    ? start
    : numberOf(high, field, text);
  if (moreSteps.length > 0) throw new SyntaxError(`too many slashes: ${text}`);
  const by = step === undefined ? 1 : integerOf(step, text);
  if (start < min) {
    throw new SyntaxError(`beginning of range (${start}) below minimum (${min}): ${text}`);
  }
  if (end > max) throw new SyntaxError(`end of range (${end}) above maximum (${max}): ${text}`);
  if (start > end) {
    throw new SyntaxError(`beginning of range (${start}) beyond end of range (${end}): ${text}`);
  }
  if (by === 0) throw new SyntaxError(`step of range should be a positive number: ${text}`);
  for (let value = start; value <= end; value += by) values.add(value);
}

function numberOf(text: string, { min, names = [] }: FieldRange, range: string): number {
  const index = names.indexOf(text.toLowerCase());
  return index >= 0 ? index + min : integerOf(text, range);
}

/** Returns an integer, or throws Go's error for another text. */
function integerOf(text: string, range: string): number {
  if (!/^[+-]?[0-9]+$/.test(text)) {
    const parsing = `strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`;
    throw new SyntaxError(`failed to parse int from ${text}: ${parsing}`);
  }
  const number = Number(text);
  if (number < 0) throw new SyntaxError(`negative number (${number}) not allowed: ${range}`);
  return number;
}

const UNITS_MS: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  m: MINUTE_MS,
  s: 1000,
  ms: 1,
  us: 1e-3,
  "µs": 1e-3,
  "μs": 1e-3,
  ns: 1e-6,
};

/** Parses a duration of Go, such as `1h30m`; at least a second. */
function durationMs(text: string): number {
  if (!/^[+-]?(?:[0-9]+(?:\.[0-9]*)?(?:ns|us|µs|μs|ms|s|m|h))+$/.test(text)) {
    const why = `time: invalid duration ${JSON.stringify(text)}`;
    throw new SyntaxError(`failed to parse duration @every ${text}: ${why}`);
  }
  let totalMs = 0;
  // Numbers and units take turns.
  const parts = text.match(/[0-9.]+|[a-zµμ]+/g) ?? [];
  for (let i = 0; i < parts.length; i += 2) {
    totalMs += Number(parts[i]) * UNITS_MS[parts[i + 1]!]!;
  }
  return text.startsWith("-") ? 1000 : Math.max(1000, Math.floor(totalMs / 1000) * 1000);
}
