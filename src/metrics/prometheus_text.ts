import { isRecord, type MetricLabels } from "../base/mod.ts";

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Label names that the text format uses itself. */
const RESERVED: ReadonlySet<string> = new Set(["le", "quantile"]);
/** The longest label value, in characters. */
const MAX_VALUE = 256;

/**
 * Checks the name of a metric.
 *
 * @throws {TypeError} If Prometheus does not accept the name.
 */
export function requireMetricName(name: string): void {
  if (typeof name === "string" && METRIC_NAME.test(name)) return;
  throw new TypeError(
    `The name of a metric must match ${METRIC_NAME}: received ${JSON.stringify(name)}`,
  );
}

/**
 * Returns labels as in the text format: `a="x",b="y"`, sorted by name.
 *
 * @throws {TypeError} If there are no labels, or Prometheus does not accept the name of one.
 */
export function labelsText(metric: string, labels: MetricLabels): string {
  if (!isRecord(labels)) {
    throw new TypeError(`The labels of ${metric} must be an object, as in {} or { region: "eu" }`);
  }
  const names = Object.keys(labels);
  if (names.length > 1) names.sort();
  let text = "";
  for (const name of names) {
    if (!LABEL_NAME.test(name) || name.startsWith("__") || RESERVED.has(name)) {
      throw new TypeError(
        `A label of ${metric} must match ${LABEL_NAME}, and not be "le", "quantile" or start with "__": ` +
          `received ${JSON.stringify(name)}`,
      );
    }
    text += `${text === "" ? "" : ","}${name}="${escapeValue(String(labels[name]))}"`;
  }
  return text;
}

/** Characters that are escaped in label values. */
const SPECIAL = /[\\"\n]/g;

function escapeValue(value: string): string {
  // A half of a surrogate pair cannot be sent: all would become the same replacement character, in lines of their own.
  const shown = value.length <= MAX_VALUE ? value : `${value.slice(0, MAX_VALUE)}…`;
  return shown.toWellFormed().replace(SPECIAL, (char) => char === "\n" ? "\\n" : `\\${char}`);
}

/** Returns a help text as in the text format, where quotes are not escaped. */
export function helpText(help: string): string {
  return help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** Returns a number as in the text format. */
export function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}

/** Returns one line of the text format. */
export function sampleLine(name: string, labels: string, value: number): string {
  return labels === ""
    ? `${name} ${numberText(value)}\n`
    : `${name}{${labels}} ${numberText(value)}\n`;
}

/** Returns `labels` with one more label at their end. */
export function withLabel(labels: string, name: string, value: string): string {
  return `${labels}${labels === "" ? "" : ","}${name}="${value}"`;
}
