import { visibleJson } from "@kubeloop/controller/internal/base";
import { UsageError } from "./exits.ts";
import { parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { readDefinitions } from "./read_definitions.ts";
import { typesOf } from "./types/mod.ts";

const USAGE = `Usage: kubeloop types FILE...

Prints a TypeScript module for the CustomResourceDefinitions in YAML or JSON files; - is standard input.
Other objects in the files are skipped.

For each served version there is an interface of the objects, with the interfaces of what is in them, and
the descriptor of the resource, which Client, informers and Manager take. The preferred version, which
kubectl get shows, has the plain names (Widget, Widgets), others have the version in them (WidgetV1beta1).

A field is optional unless the schema requires it, even if it has a default: the server sets the default,
so that whoever creates an object need not. Rules that types cannot express, such as minimum and pattern,
are left to the server.

  kubeloop types crd.yaml > widgets.ts
  kubectl get crd widgets.acme.io -o yaml | kubeloop types - > widgets.ts
`;

/** `kubeloop types`: TypeScript from CustomResourceDefinitions. */
export const TYPES: Command = {
  usage: USAGE,
  flags: {},
  takes: "files",
  run: printTypes,
};

async function printTypes(args: readonly string[], host: CommandHost): Promise<void> {
  const paths = pathsOf(args);
  const definitions = [];
  for (const path of paths) {
    const text = await (path === "-" ? host.readInput() : host.readFile(path));
    const name = path === "-" ? "standard input" : path;
    const { definitions: found, skipped } = await readDefinitions(text, name);
    if (skipped.length > 0) {
      const kinds = [...new Set(skipped)].slice(0, 10).join(", ");
      const what = skipped.length === 1 ? "1 object" : `${skipped.length} objects`;
      host.warn(`note: ${name}: skipped ${what} of other kinds (${kinds})`);
    }
    definitions.push(...found);
  }
  if (definitions.length === 0) {
    throw new Error(`There is no CustomResourceDefinition in ${paths.join(", ")}`);
  }
  const { text, notes } = typesOf(definitions);
  for (const note of notes) host.warn(`note: ${note}`);
  // Texts of the definitions are only in comments, and in string literals, where JSON escapes are valid.
  await host.printData(visibleJson(text));
}

function pathsOf(args: readonly string[]): readonly string[] {
  const { rest: paths } = parseFlags(args, {}, "types");
  if (paths.length === 0) {
    throw new UsageError("No files: give CustomResourceDefinitions, or - for standard input");
  }
  if (paths.filter((path) => path === "-").length > 1) {
    throw new UsageError("Standard input (-) can be read only once");
  }
  return paths;
}
