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
import { entryPoints, readDoc } from "../support/public_docs.ts";
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

function firstSentence(doc = ""): string {
  const [paragraph = ""] = doc.split("\n\n");
  const text = paragraph.replaceAll("\n", " ").replace(/\{@linkcode ([^}\s]+)\}/g, "`$1`");
  return (/^.*?[.:](?=\s+[A-Z]|$)/.exec(text)?.[0] ?? text).replaceAll("|", "\\|");
}

/** Returns the public interfaces of options, by name. */
async function optionInterfaces(): Promise<Map<string, OptionsInterface>> {
  const entries = await entryPoints();
  const found = new Map<string, OptionsInterface>();
  const { nodes } = await readDoc<Declaration>(entries.keys());
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
    const page = pages.get(name);
    const place = page ?? `#${name.toLowerCase()}`;
    for (const option of own.keys()) {
      index.set(option, [...index.get(option) ?? [], `[${name}](${place})`]);
    }
    // A page that explains the options has a table of them.
    if (page !== undefined) continue;
    const inherited = bases.map((base) =>
      interfaces.has(base)
        ? `[${base}](${pages.get(base) ?? `#${base.toLowerCase()}`})`
        : `\`${base}\``
    );
    sections.push(
      `### ${name}\n\n\`${entry}\`. ${about}` +
        (inherited.length > 0 ? ` Also the options of ${inherited.join(", ")}.` : "") + "\n\n" +
        (own.size === 0 ? "" : "| name | meaning |\n| --- | --- |\n" +
          [...own].map(([option, text]) => `| \`${option}\` | ${text} |\n`).join("")),
    );
  }
  const lines = [...index].sort(byName).map(([option, links]) =>
    `- \`${option}\`: ${links.join(", ")}\n`
  );
  const text = "# Options\n\n" +
    "Every option of the three packages, and the page or the table that explains it. " +
    "`tests/checks/options_page.ts` writes this page from the docstrings.\n\n" +
    `## From an option to its page\n\n${lines.join("")}\n` +
    `## Interfaces without a page\n\n${sections.join("\n")}`;
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
