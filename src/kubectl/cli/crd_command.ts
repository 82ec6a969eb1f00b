import { visibleText } from "@kubeloop/controller/internal/base";
import type { CustomResourceDefinition } from "@kubeloop/controller/types";
import { CommandError, EXIT, UsageError } from "./exits.ts";
import { type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { loadTesting } from "./load_testing.ts";
import { readDefinitions } from "./read_definitions.ts";

const FLAGS = {
  allow: {
    value: "RULE",
    isRepeated: true,
    help: 'check: accept a change: a rule, such as description, or "RULE PATH"',
  },
  runs: {
    value: "N",
    help: "check: the number of objects of each old version to try; default is 500",
  },
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop crd check OLD NEW
       kubeloop crd docs FILE...

check compares the CustomResourceDefinitions in two YAML or JSON files, and prints what can break clients or
stored objects: by rules, which are those of crdify, and by trying valid objects of the old versions with the
new schemas and CEL rules. docs prints a page of Markdown for each kind: fields, defaults, rules in words, and
an example that a server in this process has accepted. - is standard input. No cluster is needed.

  kubeloop crd check old.yaml new.yaml --allow description --allow "maximum spec.size"
  git show main:crd.yaml | kubeloop crd check - crd.yaml
  kubeloop crd docs crd.yaml > widgets.md

Exit codes of check: 0 compatible, 1 something can break.
`;

/** `kubeloop crd`: compares and documents CustomResourceDefinitions. */
export const CRD: Command = { usage: USAGE, flags: FLAGS, takes: "files", run };

/** The most objects of a version. */
const MAX_RUNS = 1_000_000;

type Definitions = ReadonlyMap<string, CustomResourceDefinition>;

async function run(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "crd");
  const [action, ...paths] = flags.rest;
  if (paths.filter((path) => path === "-").length > 1) {
    throw new UsageError("Standard input (-) can be read only once");
  }
  if (action === "check") {
    const [old, now, ...more] = paths;
    if (old === undefined || now === undefined || more.length > 0) {
      throw new UsageError("crd check takes two files: OLD NEW");
    }
    const runs = countOf("--runs", flags.text("runs"));
    return await check({ old, now }, { allow: flags.all("allow"), runs }, host);
  }
  if (action !== "docs") throw new UsageError("crd takes check or docs, and files");
  if (paths.length === 0) throw new UsageError("crd docs takes files with definitions");
  await docs(paths, host);
}

async function check(
  { now, old }: { readonly old: string; readonly now: string },
  options: { readonly allow: readonly string[]; readonly runs: number | undefined },
  host: CommandHost,
): Promise<void> {
  const before = await definitionsIn([old], host);
  const after = await definitionsIn([now], host);
  const { compareDefinitions } = await loadEvolve();
  const broken: string[] = [];
  for (const [name, definition] of before) {
    const next = after.get(name);
    if (next === undefined) {
      broken.push(name);
      await host.print(`${name} is missing in ${now}\n`);
      continue;
    }
    const compatibility = compareDefinitions(definition, next, options);
    if (!compatibility.isCompatible) broken.push(name);
    await host.print(`${compatibility}\n`);
  }
  if (broken.length === 0) return;
  const names = visibleText(broken.join(", "), 500);
  throw new CommandError(`not compatible: ${names}`, EXIT.failed);
}

async function docs(paths: readonly string[], host: CommandHost): Promise<void> {
  const definitions = await definitionsIn(paths, host);
  const { crdDocs } = await loadEvolve();
  let isFirst = true;
  for (const definition of definitions.values()) {
    const page = await crdDocs(definition);
    // Texts of the definition are escaped.
    await host.printData(isFirst ? page : `\n${page}`);
    isFirst = false;
  }
}

async function loadEvolve() {
  return await loadTesting("crd", () => import("@kubeloop/testing/evolve"));
}

/** Returns the definitions of files by their names. */
async function definitionsIn(paths: readonly string[], host: CommandHost): Promise<Definitions> {
  const found = new Map<string, CustomResourceDefinition>();
  for (const path of paths) {
    const text = await (path === "-" ? host.readInput() : host.readFile(path));
    const name = path === "-" ? "standard input" : path;
    const { definitions } = await readDefinitions(text, name);
    for (const { object, where } of definitions) {
      const definition = object as unknown as CustomResourceDefinition;
      found.set(definition.metadata?.name ?? where, definition);
    }
    if (definitions.length === 0) {
      throw new Error(`There is no CustomResourceDefinition in ${name}`);
    }
  }
  return found;
}

function countOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^\d+$/.test(text) && count <= MAX_RUNS) return count;
  throw new UsageError(`${flag} takes a whole number up to ${MAX_RUNS}`);
}
