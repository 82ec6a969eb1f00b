/** Reads a text file; rejects when it cannot. */
export type ReadFile = (path: string) => Promise<string>;

/** The value of an environment variable; undefined when it is not set. */
export type ReadEnv = (name: string) => string | undefined;

/** Reads from the disk, on every runtime. */
export const readTextFile: ReadFile = async (path) => {
  const { readFile } = await import("node:fs/promises");
  return await readFile(path, "utf8");
};

interface RuntimeGlobals {
  readonly Deno?: { readonly env: { get(name: string): string | undefined } };
  readonly process?: { readonly env: Readonly<Record<string, string | undefined>> };
}

/** Reads the process environment; a variable that may not be read (Deno's `--allow-env`) counts as not set. */
export const readEnv: ReadEnv = (name) => {
  const { Deno: deno, process } = globalThis as RuntimeGlobals;
  try {
    return deno !== undefined ? deno.env.get(name) : process?.env[name];
  } catch {
    return undefined;
  }
};
