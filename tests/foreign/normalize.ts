/**
 * Removes the parts of kubectl's output that differ between runs.
 *
 * @module
 */

import type { Output } from "./kubectl.ts";

const RULES: readonly (readonly [RegExp, string])[] = [
  [/eyJhbGciOi[\w-]+\.[\w-]+\.[\w-]+/g, "<token>"],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/https?:\/\/(127\.0\.0\.1|localhost):[0-9]+/g, "<server>"],
  [/\b[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z/g, "<time>"],
  [/[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} [+-][0-9]{4}/g, "<date>"],
  [/(resourceVersion\\*"?: *\\*"?)[0-9]+/g, "$1<rv>"],
  [/(Resource Version: +)[0-9]+/g, "$1<rv>"],
  // Events of the real server's repair loops about a Service depend on timing.
  [/^.*\b(IPAddress|ClusterIP|Port)(WrongReference|NotAllocated|AlreadyAllocated)\b.*\n/gm, ""],
  [/^Events:\n +Type +Reason .*\n(?: +-+)+ *\n(?! )/gm, "Events:  <none>\n"],
  [/"git(Commit|TreeState)": ".*"/g, '"git$1": "<build>"'],
  // Whether kubectl's watch is already open when its time is up is random.
  [/^E[0-9]{4} .*reflector\.go.*context deadline exceeded.*\n/gm, ""],
  [/^W[0-9]{4} [0-9:.]+ +[0-9]+ /gm, "W "],
  [/\/tmp\/(LIVE|MERGED)-[0-9]+/g, "/tmp/$1"],
  [/^(---|\+\+\+) (\S+)\t.*$/gm, "$1 $2"],
  [/\b10\.0\.0\.[0-9]{1,3}\b/g, "<ip>"],
  // Ages are at the end of a line or before more columns.
  [/(?<=\s)(?:[0-9]+[smhdy])+(?=\s|$|\))/g, "<age>"],
  [/<invalid>/g, "<age>"],
];

/** Joins standard output, standard error and exit code, and replaces the parts that must differ. */
export function normalize({ code, stdout, stderr }: Output): string {
  const text = `${stdout}${stderr === "" ? "" : `[stderr]\n${stderr}`}[exit ${code}]\n`;
  const replaced = RULES.reduce((rest, [pattern, by]) => rest.replace(pattern, by), text)
    .replace("[stderr]\n[exit", "[exit");
  // The width of a column depends on its widest value.
  return replaced.replace(/(?<=\S) {2,}/g, "  ").replace(/ +$/gm, "");
}
