import { getOwn, isObject, type Json, type JsonObject } from "./_pure.ts";

/** JSON as YAML, in the style of the API server: sorted keys, lists not indented, double quotes where a text could be read as something else. */
export function yamlText(value: Json): string {
  return isObject(value) && Object.keys(value).length > 0
    ? lines(value, "").join("\n") + "\n"
    : `${scalar(value)}\n`;
}

function lines(value: Json, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => entry(`${indent}- `, `${indent}  `, item));
  }
  return Object.keys(value as JsonObject).sort().flatMap((key) =>
    member(`${indent}${text(key)}:`, indent, getOwn(value as JsonObject, key) ?? null)
  );
}

/** A member of an object: on one line, or with its children below. */
function member(head: string, indent: string, value: Json): string[] {
  if (isLeaf(value)) return block(head, indent, value);
  return [head, ...lines(value, Array.isArray(value) ? indent : `${indent}  `)];
}

/** An item of a list: its first line follows the dash. */
function entry(head: string, indent: string, value: Json): string[] {
  if (isLeaf(value)) return block(head.trimEnd(), indent, value);
  const [first = "", ...rest] = lines(value, indent);
  return [head + first.slice(indent.length), ...rest];
}

function isLeaf(value: Json): boolean {
  return typeof value !== "object" || value === null || Object.keys(value).length === 0;
}

function block(head: string, indent: string, value: Json): string[] {
  if (typeof value !== "string" || !/\n/.test(value) || /[^\n\x20-\x7e]/.test(value)) {
    return [`${head} ${scalar(value)}`];
  }
  const chomp = value.endsWith("\n\n") ? "+" : value.endsWith("\n") ? "" : "-";
  const body = value.replace(/\n$/, "").split("\n");
  return [`${head} |${chomp}`, ...body.map((line) => (line === "" ? "" : `${indent}  ${line}`))];
}

function scalar(value: Json): string {
  if (Array.isArray(value)) return "[]";
  if (isObject(value)) return "{}";
  return typeof value === "string" ? text(value) : String(value);
}

/** Texts that a YAML 1.1 parser reads as something else. */
const AMBIGUOUS =
  /^(|~|null|true|false|yes|no|on|off|y|n|[-+]?[0-9][0-9_]*|[-+]?0[xob][0-9a-f_]+|[-+]?([0-9][0-9_]*\.[0-9_]*|\.[0-9_]+)(e[-+]?[0-9]+)?|[-+]?\.(inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt ].*)?|<<|=)$/i;

/** Texts that need no quotes. */
const PLAIN = /^[^\s\-?:,[\]{}#&*!|>'"%@`=][^\x00-\x1f]*$|^[-?:][^\s,[\]{}]/;

function text(value: string): string {
  if (AMBIGUOUS.test(value) || /[\x00-\x1f\x7f]/.test(value)) return JSON.stringify(value);
  if (PLAIN.test(value) && !/: |\s#|:$|^\s|\s$/.test(value)) return value;
  return `'${value.replaceAll("'", "''")}'`;
}
