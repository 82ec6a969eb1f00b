/**
 * Compares the tables of options in the documentation with the interfaces of these options, as `deno doc --json` has them: each
 * option is in the table, and each row is an option.
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { entryPoints, readDoc } from "../support/public_docs.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A table, and what it is about. */
interface Described {
  /** The page below `docs/`. */
  readonly page: string;
  /** The text above the table: a heading, or the first cell of its header. */
  readonly after: string;
  /** The interfaces whose options are its rows. */
  readonly interfaces: readonly string[];
  /** Options that are not in the table: callers cannot give them there. */
  readonly without?: readonly string[];
}

/** The options that all parts of a controller inherit from its client. */
export const TABLES: readonly Described[] = [
  { page: "operators.md", after: "## Options of the manager", interfaces: ["ManagerOptions"] },
  {
    page: "operators.md",
    after: "## Options of a controller",
    interfaces: ["ControllerBuilderOptions"],
  },
  { page: "controllers.md", after: "## Options", interfaces: ["ControllerOptions"] },
  { page: "caches.md", after: "## Options", interfaces: ["SharedInformerOptions"] },
  { page: "logs.md", after: "| option", interfaces: ["FollowLogsOptions"] },
  { page: "streams.md", after: "| option", interfaces: ["ExecOptions"] },
  {
    page: "webhooks.md",
    after: "## Options of the server",
    interfaces: ["WebhookServerOptions"],
  },
  { page: "testing.md", after: "| option of `VirtualClock`", interfaces: ["VirtualClockOptions"] },
  { page: "testing.md", after: "| option of `startActors`", interfaces: ["StartActorsOptions"] },
  {
    page: "testing.md",
    after: "| option of `kubelet`",
    interfaces: ["KubeletOptions"],
    without: ["client", "clock", "informers", "logger", "nodeName", "random", "subnet"],
  },
  { page: "testing.md", after: "| option of `lag`", interfaces: ["LagOptions"] },
  {
    page: "simulation.md",
    after: "## Options",
    interfaces: ["SimulationOptions", "ExploreOptions"],
  },
  { page: "campaigns.md", after: "## Campaigns from the schema", interfaces: ["CampaignOptions"] },
];

/** The parts of the output of `deno doc --json` that are read. */
interface DocType {
  readonly repr?: string;
  readonly kind?: string;
  readonly value?: unknown;
}

interface DocDeclaration {
  readonly kind: string;
  readonly def?: {
    readonly properties?: readonly { readonly name: string }[];
    readonly methods?: readonly { readonly name: string }[];
    readonly extends?: readonly DocType[];
    readonly params?: readonly DocParam[];
    readonly returnType?: DocType;
  };
}

interface DocParam {
  readonly kind: string;
  readonly name?: string;
  readonly left?: DocParam;
  readonly tsType?: DocType;
}

/** The public symbols of all packages, by name. */
export type Docs = ReadonlyMap<string, DocDeclaration>;

/** Returns the public interfaces and functions of all packages. */
export async function readDocs(): Promise<Docs> {
  const { nodes } = await readDoc<DocDeclaration>((await entryPoints()).keys());
  const docs = new Map<string, DocDeclaration>();
  for (const { symbols } of Object.values(nodes)) {
    for (const { name, declarations } of symbols) {
      const found = declarations.find(({ kind }) => kind === "interface" || kind === "function");
      if (found !== undefined) docs.set(name, found);
    }
  }
  return docs;
}

/** Returns the names of the options of an interface, with those of the interfaces that it extends. */
export function optionsOf(name: string, docs: Docs): Set<string> {
  const declaration = docs.get(name);
  if (declaration?.kind !== "interface") throw new Error(`There is no public interface ${name}`);
  const { extends: bases = [], methods = [], properties = [] } = declaration.def ?? {};
  const names = new Set([...properties, ...methods].map((one) => one.name));
  for (const base of bases) for (const one of inherited(base, docs)) names.add(one);
  return names;
}

/** Returns the names that `extends` adds: of an interface, or of `Omit` or `Pick` of one. */
function inherited(base: DocType, docs: Docs): Set<string> {
  const { typeName = "", typeParams = [] } = (base.value ?? {}) as {
    typeName?: string;
    typeParams?: readonly DocType[];
  };
  const [of, keys] = typeParams;
  if ((typeName !== "Omit" && typeName !== "Pick") || of === undefined || keys === undefined) {
    return optionsOf(typeName, docs);
  }
  const listed = new Set(literals(keys));
  const isKept = (name: string) => listed.has(name) === (typeName === "Pick");
  return new Set([...inherited(of, docs)].filter(isKept));
}

function literals(type: DocType): string[] {
  if (type.kind === "union") return (type.value as readonly DocType[]).flatMap(literals);
  const { string } = (type.value ?? {}) as { string?: string };
  if (string === undefined) throw new Error(`Cannot read the keys ${JSON.stringify(type)}`);
  return [string];
}

/** Returns the first cells of the table that follows `after` on a page. */
export async function rowsAfter(page: string, after: string): Promise<string[]> {
  const lines = (await Deno.readTextFile(`${ROOT}docs/${page}`)).split("\n");
  const start = lines.findIndex((line) => line === after || line.startsWith(`${after} `));
  const head = lines.findIndex((line, index) => index >= start && line.startsWith("|"));
  if (start < 0 || head < 0) throw new Error(`${page} has no table after "${after}"`);
  const rows: string[] = [];
  for (const line of lines.slice(head + 2)) {
    if (!line.startsWith("|")) break;
    rows.push(line.split("|")[1]?.trim() ?? "");
  }
  return rows;
}

/** Returns the code in a cell, without what is inside of it: `world.actors` is `world`, `explore({ plans })` is `plans`. */
function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) =>
    /^\w+\(\{ (\w+) \}\)$/.exec(code)?.[1] ?? code.replace(/\..*$/, "")
  );
}

/** Returns what is wrong with the tables of options. */
export async function wrongTables(docs: Docs): Promise<string[]> {
  const wrong: string[] = [];
  for (const { after, interfaces, page, without = [] } of TABLES) {
    const options = new Set(interfaces.flatMap((name) => [...optionsOf(name, docs)]));
    for (const name of without) options.delete(name);
    const listed = new Set((await rowsAfter(page, after)).flatMap(namesIn));
    const what = `${page}, "${after}"`;
    for (const name of options) if (!listed.has(name)) wrong.push(`${what}: ${name} is missing`);
    for (const name of listed) if (!options.has(name)) wrong.push(`${what}: ${name} is no option`);
  }
  return wrong;
}

/** Returns the call of each public function that returns a step of a simulation, as in `settle({ quietMs })`. */
export function stepCalls(docs: Docs): string[] {
  const calls: string[] = [];
  for (const [name, { def, kind }] of docs) {
    if (kind !== "function" || def?.returnType?.repr !== "Step") continue;
    calls.push(`${name}(${(def.params ?? []).map(paramText).join(", ")})`);
  }
  return calls.sort();
}

function paramText(param: DocParam): string {
  const { name = "", tsType } = param.left ?? param;
  const { properties } = (tsType?.value ?? {}) as { properties?: readonly { name: string }[] };
  return tsType?.kind === "typeLiteral"
    ? `{ ${properties?.map((one) => one.name).join(", ")} }`
    : name;
}

/** Returns the pages and headings of all tables whose first column is called an option, for a check that all are compared. */
export async function tablesOfOptions(): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir(`${ROOT}docs`)) {
    if (!name.endsWith(".md")) continue;
    const text = await Deno.readTextFile(`${ROOT}docs/${name}`);
    for (const [line] of text.matchAll(/^\| option\b.*$/gm)) {
      const heading = text.slice(0, text.indexOf(line)).match(/^##+ .*$/gm)?.at(-1) ?? "";
      const cell = `| ${line.split("|")[1]?.trim()}`;
      const isKnown = TABLES.some(({ after, page }) =>
        page === name && (after === heading || after === cell)
      );
      if (!isKnown) found.push(`${name}, ${heading}: ${cell}`);
    }
  }
  return found;
}
