/** A line of a log whose server was asked for times. */
export interface TimedLine {
  /** The time as the server wrote it. */
  readonly time: string;
  /** The whole seconds of the time since the Unix epoch. */
  readonly second: number;
  /** The nanoseconds within the second, nine digits. */
  readonly nanos: string;
  /** The line, without the time. */
  readonly line: string;
}

/** RFC 3339, and the space after it. A node whose time zone is not UTC writes its offset. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)(?: |$)/;

/** Splits a line after its time. Returns undefined if it does not begin with one: then a kubelet has written it, as an error. */
export function readTime(text: string): TimedLine | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [prefix, whole, fraction = "", zone] = match;
  const second = Date.parse(`${whole}${zone}`) / 1000;
  if (Number.isNaN(second)) return undefined;
  const time = prefix.trimEnd();
  return { time, second, nanos: fraction.padEnd(9, "0"), line: text.slice(prefix.length) };
}
