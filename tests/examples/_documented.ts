/**
 * The commands with `deno run` that the documentation prints.
 *
 * @module
 */

const ROOT = new URL("../../", import.meta.url);

/** A command, such as `KUBE_TOKEN=TOKEN deno run --allow-env=KUBE_TOKEN examples/NAME.ts --server URL`. */
export interface DocumentedCommand {
  /** The file that prints it. */
  readonly file: string;
  /** The environment variables before it. */
  readonly env: readonly string[];
  /** The flags between `deno run` and the script. */
  readonly permissions: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
}

const COMMAND =
  /((?:\b[A-Z_]+=\S+ )*)\bdeno run ((?:--\S+ )*)([^\s`-]\S*?)(?:(?= *`)|( [^`\n]*)?$)/gm;

function words(text: string | undefined): string[] {
  return text?.split(" ").filter((word) => word !== "") ?? [];
}

/** Returns the commands that the text of `file` prints. */
export function commandsIn(file: string, text: string): DocumentedCommand[] {
  return [...text.matchAll(COMMAND)].map(([, env, permissions, script = "", args]) => ({
    file,
    env: words(env),
    permissions: words(permissions),
    script,
    args: words(args?.replace(/ #.*$/, "")),
  }));
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(new URL(folder, ROOT))) {
    if (isDirectory) yield* filesBelow(`${folder}${name}/`);
    else if (/\.(ts|md)$/.test(name)) yield `${folder}${name}`;
  }
}

/** Reads a file of this repository. */
export function readText(path: string): Promise<string> {
  return Deno.readTextFile(new URL(path, ROOT));
}

/** Returns all commands that the README, the pages, the examples and the docstrings print. */
export async function documentedCommands(): Promise<DocumentedCommand[]> {
  const files = ["README.md", "mod.ts"];
  for (const folder of ["docs/", "examples/", "src/"]) {
    const below = await Array.fromAsync(filesBelow(folder));
    // tests/create runs the commands of new projects.
    files.push(...below.filter((file) => !file.startsWith("src/create/")));
  }
  const found = await Promise.all(
    files.map(async (file) => commandsIn(file, await readText(file))),
  );
  return found.flat();
}

/** Returns the command of a task in deno.json. */
export async function taskCommand(name: string): Promise<DocumentedCommand> {
  const { tasks } = JSON.parse(await readText("deno.json"));
  const [command] = commandsIn("deno.json", tasks[name].command);
  if (command === undefined) throw new Error(`The task ${name} is no command with deno run`);
  return command;
}

/** Returns the command of the Dockerfile, with its JSON written as a line. */
export async function dockerCommand(): Promise<DocumentedCommand> {
  const text = (await readText("examples/deploy/Dockerfile")).replaceAll("\\\n", "");
  const [, list = "[]"] = /^ENTRYPOINT (\[.*\])$/m.exec(text) ?? [];
  const words: string[] = JSON.parse(list);
  const [command] = commandsIn("examples/deploy/Dockerfile", words.join(" "));
  if (command === undefined) throw new Error("The Dockerfile has no ENTRYPOINT with deno run");
  return command;
}

/** Permissions with one left out. */
export interface Lacking {
  readonly missing: string;
  readonly rest: readonly string[];
}

/** Returns the flags of `permissions` that grant something, each without one of the things that it grants. */
export function withoutOne(
  permissions: readonly string[],
): Lacking[] {
  return permissions.flatMap((flag, index) => {
    const [name = "", list] = flag.split("=");
    if (!name.startsWith("--allow-")) return [];
    const values = list?.split(",") ?? [];
    const others = (kept: readonly string[]) => [
      ...permissions.slice(0, index),
      ...(kept.length === 0 ? [] : [`${name}=${kept.join(",")}`]),
      ...permissions.slice(index + 1),
    ];
    if (values.length === 0) return [{ missing: name, rest: others([]) }];
    return values.map((value) => ({
      missing: `${name}=${value}`,
      rest: others(values.filter((other) => other !== value)),
    }));
  });
}
