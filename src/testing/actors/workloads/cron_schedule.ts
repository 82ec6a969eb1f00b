const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** A schedule without a time within five years has none: the 30th of February. */
const MAX_DAYS = 5 * 366;

const MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
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
    if (text.startsWith("@every ")) {
      this.#everyMs = durationMs(text.slice("@every ".length).trim());
      this.#fields = [];
      return;
    }
    const words = (SHORTHANDS[text] ?? text).split(" ").filter(Boolean);
    if (words.length !== 5) {
      throw new SyntaxError(
        `expected exactly 5 fields, found ${words.length}: [${words.join(" ")}]`,
      );
    }
    const [minute = "", hour = "", day = "", month = "", weekday = ""] = words;
    this.#fields = [
      parseField(minute, 0, 59),
      parseField(hour, 0, 23),
      parseField(day, 1, 31),
      parseField(month, 1, 12, MONTHS),
      parseField(weekday, 0, 6, DAYS),
    ];
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
      weekday: DAYS.indexOf(get("weekday").toUpperCase()),
    };
  }
}

function parseField(text: string, min: number, max: number, names: readonly string[] = []): Field {
  const values = new Set<number>();
  const number = (word: string) => {
    const named = names.indexOf(word.toUpperCase());
    const value = named >= 0 ? named + min : /^[0-9]{1,4}$/.test(word) ? Number(word) : NaN;
    if (value >= min && value <= max) return value;
    throw new SyntaxError(
      `failed to parse ${JSON.stringify(text)}: not a number from ${min} to ${max}`,
    );
  };
  for (const part of text.split(",")) {
    const [range = "", step, ...rest] = part.split("/");
    if (rest.length > 0) throw new SyntaxError(`too many slashes: ${part}`);
    const isStar = range === "*" || range === "?";
    const [from, to, ...more] = isStar ? [String(min), String(max)] : range.split("-");
    if (more.length > 0) throw new SyntaxError(`too many hyphens: ${part}`);
    const first = number(from ?? "");
    const last = to !== undefined ? number(to) : step === undefined ? first : max;
    const by = step === undefined ? 1 : Number(step);
    if (!(by >= 1) || first > last) throw new SyntaxError(`failed to parse the range ${part}`);
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return { values, isStar: text.startsWith("*") || text.startsWith("?") };
}

/** Parses a duration of Go, such as `1h30m`; at least a second. */
function durationMs(text: string): number {
  const units: Readonly<Record<string, number>> = { h: HOUR_MS, m: MINUTE_MS, s: 1000, ms: 1 };
  let [totalMs, rest] = [0, text];
  while (rest !== "") {
    const [, digits = "", unit = ""] = /^([0-9.]{1,12})(ms|h|m|s)/.exec(rest) ?? [];
    if (unit === "") throw new SyntaxError(`failed to parse duration @every ${text}`);
    totalMs += Number(digits) * (units[unit] ?? NaN);
    rest = rest.slice(digits.length + unit.length);
  }
  if (!(totalMs >= 0)) throw new SyntaxError(`failed to parse duration @every ${text}`);
  return Math.max(1000, Math.floor(totalMs / 1000) * 1000);
}
