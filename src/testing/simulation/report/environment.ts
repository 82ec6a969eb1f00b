/** The parts of the runtimes' global scopes that are used, declared here so that their types are not needed. */
interface Runtime {
  readonly Deno?: {
    readonly stderr: { isTerminal(): boolean; writeSync(bytes: Uint8Array): number };
    readonly env: { get(name: string): string | undefined };
    readonly permissions: { querySync(of: Query): { readonly state: string } };
  };
  readonly process?: {
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly stderr?: { readonly isTTY?: boolean; write(text: string): unknown };
  };
}

type Query =
  | { readonly name: "env"; readonly variable: string }
  | { readonly name: "write"; readonly path: string };

const runtime = globalThis as unknown as Runtime;

/** Returns a variable of the environment, or undefined if it is not set or may not be read. It never asks. */
export function readVariable(name: string): string | undefined {
  const { Deno, process } = runtime;
  if (Deno === undefined) return process?.env?.[name] || undefined;
  return isGranted({ name: "env", variable: name }) ? Deno.env.get(name) || undefined : undefined;
}

/** Reports whether files may be written to a folder without a question to the user. */
export function mayWrite(path: string): boolean {
  return runtime.Deno === undefined || isGranted({ name: "write", path });
}

function isGranted(query: Query): boolean {
  return runtime.Deno?.permissions.querySync(query).state === "granted";
}

/** Reports whether stderr is a terminal. */
export function isWatched(): boolean {
  const { Deno, process } = runtime;
  return Deno === undefined ? process?.stderr?.isTTY === true : Deno.stderr.isTerminal();
}

/** Writes a line to stderr, where the runtime has one. */
export function writeLine(text: string): void {
  const { Deno, process } = runtime;
  if (Deno === undefined) process?.stderr?.write(`${text}\n`);
  else Deno.stderr.writeSync(new TextEncoder().encode(`${text}\n`));
}
