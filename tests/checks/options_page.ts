/**
 * Writes docs/options.md: a table for each interface of options, and an index from each option to its interfaces. The text is
 * the first sentence of each docstring. A test compares the page with what this program would write.
 *
 * ```sh
 * deno run --allow-read --allow-write --allow-run tests/checks/options_page.ts
 * ```
 *
 * @module
 */

import { fileURLToPath } from "node:url";
import { TABLES } from "./option_tables.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = `${ROOT}docs/options.md`;

/** The parts of the output of `deno doc --json` that the page is made of. */
interface Documented {
  readonly name: string;
  readonly jsDoc?: { readonly doc?: string };
}

/** An interface that another one extends, or `Omit` or `Pick` of it. */
interface Base {
  readonly repr?: string;
  readonly value?: { readonly typeParams?: readonly Base[] };
}

interface Declaration {
  readonly kind: string;
  readonly jsDoc?: { readonly doc?: string };
  readonly def?: {
    readonly properties?: readonly Documented[];
    readonly methods?: readonly Documented[];
    readonly extends?: readonly Base[];
  };
}

/** An interface of options: its entry point, its own options, and the interfaces that it extends. */
interface OptionsInterface {
  readonly entry: string;
  readonly about: string;
  readonly own: ReadonlyMap<string, string>;
  readonly bases: readonly string[];
}

/** Returns the entry points of all packages but `./internal`, by source file. */
async function entryPoints(): Promise<Map<string, string>> {
  const entries = new Map<string, string>();
  for (const folder of ["", "src/kubectl/", "src/testing/"]) {
    const { name, exports } = JSON.parse(await Deno.readTextFile(`${ROOT}${folder}deno.json`));
    for (const [entry, path] of Object.entries<string>(exports)) {
      if (entry.startsWith("./internal") || entry.startsWith("./types/")) continue;
      entries.set(`${folder}${path.slice(2)}`, `${name}${entry.slice(1)}`);
    }
  }
  return entries;
}

function firstSentence(doc = ""): string {
  const [paragraph = ""] = doc.split("\n\n");
  const text = paragraph.replaceAll("\n", " ").replace(/\{@linkcode ([^}\s]+)\}/g, "`$1`");
  return (/^.*?[.:](?=\s+[A-Z]|$)/.exec(text)?.[0] ?? text).replaceAll("|", "\\|");
}

/** Returns the public interfaces of options, by name. */
async function optionInterfaces(): Promise<Map<string, OptionsInterface>> {
  const entries = await entryPoints();
  const found = new Map<string, OptionsInterface>();
  const args = ["doc", "--json", ...entries.keys()];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, cwd: ROOT }).output();
  if (!success) throw new Error("deno doc has failed");
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, { symbols: { name: string; declarations: Declaration[] }[] }>;
  };
  for (const [path, entry] of entries) {
    for (const { name, declarations } of nodes[`file://${ROOT}${path}`]?.symbols ?? []) {
      const declaration = declarations.find(({ kind }) => kind === "interface");
      if (!name.endsWith("Options") || declaration === undefined || found.has(name)) continue;
      const { extends: bases = [], methods = [], properties = [] } = declaration.def ?? {};
      found.set(name, {
        entry,
        about: firstSentence(declaration.jsDoc?.doc),
        own: new Map(
          [...properties, ...methods].map((one) =>
            [one.name, firstSentence(one.jsDoc?.doc)] as const
          ),
        ),
        bases: bases.map(({ repr = "", value }) =>
          /^(?:Omit|Pick)$/.test(repr) ? value?.typeParams?.[0]?.repr ?? repr : repr
        ),
      });
    }
  }
  return found;
}

/** Returns the text of the page, as `deno fmt` leaves it. */
export async function optionsPage(): Promise<string> {
  const interfaces = await optionInterfaces();
  const pages = new Map(
    TABLES.flatMap(({ page, interfaces }) => interfaces.map((name) => [name, page] as const)),
  );
  const index = new Map<string, string[]>();
  const sections: string[] = [];
  for (const [name, { about, bases, entry, own }] of [...interfaces].sort(byName)) {
    for (const option of own.keys()) {
      index.set(option, [...index.get(option) ?? [], `[${name}](#${name.toLowerCase()})`]);
    }
    const page = pages.get(name);
    const inherited = bases.map((base) =>
      interfaces.has(base) ? `[${base}](#${base.toLowerCase()})` : `\`${base}\``
    );
    sections.push(
      `### ${name}\n\n\`${entry}\`. ${about}` +
        (page === undefined ? "" : ` Explained in [${page.replace(".md", "")}](${page}).`) +
        (inherited.length > 0 ? ` Also the options of ${inherited.join(", ")}.` : "") + "\n\n" +
        (own.size === 0 ? "" : "| name | meaning |\n| --- | --- |\n" +
          [...own].map(([option, text]) => `| \`${option}\` | ${text} |\n`).join("")),
    );
  }
  const lines = [...index].sort(byName).map(([option, links]) =>
    `- \`${option}\`: ${links.join(", ")}\n`
  );
  const text = "# Options\n\n" +
    "Every option of the three packages. This page is generated from the docstrings; `tests/checks/options_page.ts` writes it.\n\n" +
    `## From an option to its interfaces\n\n${lines.join("")}\n` +
    `## All interfaces\n\n${sections.join("\n")}`;
  return await formatted(text);
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}

async function formatted(text: string): Promise<string> {
  const args = ["fmt", "--ext", "md", "-"];
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: ROOT,
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
  return new TextDecoder().decode((await child.output()).stdout);
}

/** Returns the page as it is in the repository. */
export function readOptionsPage(): Promise<string> {
  return Deno.readTextFile(PAGE);
}

if (import.meta.main) await Deno.writeTextFile(PAGE, await optionsPage());
