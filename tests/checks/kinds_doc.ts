/**
 * Writes the table of `docs/kinds.md` from the records of the built-in kinds: what the API server knows of each. Run it
 * after a kind has changed: `deno run --allow-read --allow-write tests/checks/kinds_doc.ts`.
 *
 * @module
 */

import { BUILTIN_KINDS } from "../../src/testing/api_server/kinds/builtin_kinds.ts";
import type { KindRecord } from "../../src/testing/api_server/kinds/record/kind_record.ts";

const PAGE = new URL("../../docs/kinds.md", import.meta.url);
const START = "<!-- kinds -->\n";
const END = "\n<!-- /kinds -->";

/** Returns a row of the table as cells. */
function cells(record: KindRecord): readonly string[] {
  const { definition, ...own } = record;
  const { group, version, kind } = definition;
  const whole = own.validateWhole !== undefined;
  const change = [
    own.validatesAgain && (whole || own.validate !== undefined) && "as a create",
    own.validateChange !== undefined && "what must not change",
    own.validateStatus !== undefined && "status",
  ].filter((one) => one !== false);
  return [
    kind,
    group === "" ? version : `${group}/${version}`,
    whole || own.validate !== undefined || own.validateCreate !== undefined ? "yes" : "",
    change.join(", "),
    own.table === undefined ? "" : "yes",
  ];
}

/** Returns the page with the table as it should be. */
export function withTable(page: string): string {
  const [before = "", rest = ""] = page.split(START);
  const after = rest.split(END)[1] ?? "";
  const head = ["kind", "version", "create", "update", "columns"];
  const rows = [head, ...BUILTIN_KINDS.map(cells).sort((a, b) => order(a) < order(b) ? -1 : 1)];
  const widths = head.map((_, i) => Math.max(3, ...rows.map((row) => row[i]!.length)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i]!)).join(" | ")} |`;
  const rule = line(widths.map((width) => "-".repeat(width)));
  const [first, ...others] = rows.map(line);
  return `${before}${START}\n${[first, rule, ...others].join("\n")}\n${END}${after}`;
}

function order([kind = "", version = ""]: readonly string[]): string {
  return `${version.includes("/") ? version : ""} ${kind}`;
}

/** Reads the page. */
export async function readPage(): Promise<string> {
  return await Deno.readTextFile(PAGE);
}

if (import.meta.main) await Deno.writeTextFile(PAGE, withTable(await readPage()));
