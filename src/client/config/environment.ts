/**
 * Reads a text file. Rejects if the file cannot be read. The signal aborts when a client closes that waits for the file;
 * it may be ignored.
 */
export type ReadFile = (
  path: string,
  options?: { readonly signal?: AbortSignal | undefined },
) => Promise<string>;

/** Returns the value of an environment variable; undefined if the variable is not set. */
export type ReadEnv = (name: string) => string | undefined;

interface RuntimeGlobals {
  readonly Deno?: { readonly env: { get(name: string): string | undefined } };
  readonly process?: { readonly env: Readonly<Record<string, string | undefined>> };
}

/** Reads the environment of the process. A variable without permission (Deno's `--allow-env`) counts as not set. */
export const readEnv: ReadEnv = (name) => {
  const { Deno: deno, process } = globalThis as RuntimeGlobals;
  try {
    return deno !== undefined ? deno.env.get(name) : process?.env[name];
  } catch {
    return undefined;
  }
};
