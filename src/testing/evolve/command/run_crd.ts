import { mkdir, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { describeError, visibleText } from "@kubeloop/controller/internal/base";
import type { CustomResourceDefinition } from "@kubeloop/controller/types";
import { SeededRandom } from "../../seeded_random.ts";
import { compareDefinitions, compatibilityText, isCompatible } from "../assert_compatible.ts";
import { crdDocs } from "../crd_docs.ts";
import { readDefinitions } from "./read_definitions.ts";

/** The exit codes. */
const EXIT = { done: 0, breaks: 1, trouble: 2 } as const;

/** The longest line of an error, in characters. */
const MAX_ERROR = 2000;

const USAGE = `Usage: kubeloop-crd check OLD NEW [--allow RULE,…] [--runs N] [--seed N]
       kubeloop-crd docs FILE… [--out FOLDER]

check compares CustomResourceDefinitions in two files of YAML or JSON; - is standard input. It prints what
can break clients or stored objects: by rules, which are those of crdify, and by trying valid objects of the
old versions with the new schemas and CEL rules. Exit code 0: compatible; 1: something breaks; 2: trouble.

  --allow RULE,…   accept these changes: a rule, such as description, or a rule and a path, such as
                   "maximum spec.size"
  --runs N         the number of objects of each old version that are tried (default 500)
  --seed N         the seed of the objects (default 1)

docs prints a page of Markdown for each kind: its fields, defaults and rules, and an example that the
in-process API server has accepted.

  --out FOLDER     write a file for each kind, such as FOLDER/widgets.acme.io.md

  git show main:crd.yaml | kubeloop-crd check - crd.yaml
`;

/** The input and output of the command. */
export interface CrdHost {
  /** Writes text to standard output. */
  readonly print: (text: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
  /** Standard input. */
  readonly input: AsyncIterable<Uint8Array | string>;
}

/** Runs `kubeloop-crd` with these arguments. Returns the exit code. */
export async function runCrd(args: readonly string[], host: CrdHost): Promise<number> {
  try {
    const [command, ...rest] = args;
    if (args.includes("--help") || args.includes("-h")) {
      host.print(USAGE);
      return EXIT.done;
    }
    if (command === "check") return await check(rest, host);
    if (command === "docs") return await docs(rest, host);
    const what = command === undefined ? "No command" : `Unknown command ${command}`;
    throw new SyntaxError(`${what}: expected check or docs; see --help`);
  } catch (error) {
    host.warn(`error: ${visibleText(describeError(error), MAX_ERROR)}`);
    return EXIT.trouble;
  }
}

async function check(args: readonly string[], host: CrdHost): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      allow: { type: "string", multiple: true },
      runs: { type: "string" },
      seed: { type: "string" },
    },
  });
  const [old, now, ...more] = positionals;
  if (old === undefined || now === undefined || more.length > 0) {
    throw new SyntaxError(`check takes two files, OLD and NEW: received ${positionals.length}`);
  }
  if (old === "-" && now === "-") throw new SyntaxError("Standard input (-) can be read only once");
  const allow = (values.allow ?? []).flatMap((list) => list.split(",")).map((rule) => rule.trim());
  const before = await readDefinitions(old, host.input);
  const after = byName(await readDefinitions(now, host.input));
  let breaks = false;
  for (const [name, definition] of byName(before)) {
    const next = after.get(name);
    if (next === undefined) {
      breaks = true;
      host.print(`${visibleText(name, 300)} is not in ${visibleText(now, 300)} any more\n`);
      continue;
    }
    const compatibility = compareDefinitions(definition, next, {
      allow: allow.filter((rule) => rule !== ""),
      ...(values.runs === undefined ? {} : { runs: count("--runs", values.runs) }),
      random: new SeededRandom(values.seed === undefined ? 1 : count("--seed", values.seed)),
    });
    breaks ||= !isCompatible(compatibility);
    host.print(`${compatibilityText(compatibility)}\n`);
  }
  return breaks ? EXIT.breaks : EXIT.done;
}

async function docs(args: readonly string[], host: CrdHost): Promise<number> {
  const { positionals, values: { out } } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { out: { type: "string" } },
  });
  if (positionals.length === 0) throw new SyntaxError("docs takes files with definitions");
  if (positionals.filter((path) => path === "-").length > 1) {
    throw new SyntaxError("Standard input (-) can be read only once");
  }
  const definitions: CustomResourceDefinition[] = [];
  for (const path of positionals) definitions.push(...await readDefinitions(path, host.input));
  if (out !== undefined) await mkdir(out, { recursive: true });
  const pages: string[] = [];
  for (const [name, definition] of byName(definitions)) {
    const page = await crdDocs(definition);
    if (out === undefined) pages.push(page);
    else await writeFile(`${out}/${fileName(name)}`, page);
  }
  host.print(pages.join("\n"));
  return EXIT.done;
}

function byName(
  definitions: readonly CustomResourceDefinition[],
): ReadonlyMap<string, CustomResourceDefinition> {
  return new Map(definitions.map((definition) => [String(definition.metadata?.name), definition]));
}

/** Returns the name of a page. A name that could leave the folder is refused. */
function fileName(name: string): string {
  if (/^[a-z0-9][-a-z0-9.]{0,250}$/.test(name)) return `${name}.md`;
  throw new SyntaxError(`Cannot write a page of ${name}: it is no name of a definition`);
}

function count(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new SyntaxError(`${flag} must be a whole number: received "${visibleText(text, 60)}"`);
}
