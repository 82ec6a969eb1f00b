import { isRecord, type MetricLabels } from "../base/mod.ts";

const METRIC_NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const LABEL_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;
/** Reserved label names of the text format. */
const RESERVED: ReadonlySet<string> = new Set(["le", "quantile"]);
/** Maximum length of a label value, in characters. */
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
 * Returns labels in the text format, sorted by name: `a="x",b="y"`.
 *
 * @throws {TypeError} If `labels` is not an object, or Prometheus does not accept the name of a label.
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

/** Characters to escape in label values. */
const SPECIAL = /[\\"\n]/g;

function escapeValue(value: string): string {
  // Lone surrogates are replaced first, or distinct labels would collide.
  const shown = value.length <= MAX_VALUE ? value : `${value.slice(0, MAX_VALUE)}…`;
  return shown.toWellFormed().replace(SPECIAL, (char) => char === "\n" ? "\\n" : `\\${char}`);
}

/** Returns a help text in the text format, which does not escape quotes there. */
export function helpText(help: string): string {
  return help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

/** Returns a number in the text format. */
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

/** Appends a label. */
export function withLabel(labels: string, name: string, value: string): string {
  return `${labels}${labels === "" ? "" : ","}${name}="${value}"`;
}
