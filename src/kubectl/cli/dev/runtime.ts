import { createRequire } from "node:module";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";

/** The program of the testing package that serves a cluster. */
const SERVE = "@kubeloop/testing/serve";

/** Starts programs with the runtime of this process. */
export interface Runtime {
  /** Returns the arguments that run a file, after the module `preload`. */
  readonly run: (preload: string, file: string) => readonly string[];
  /** Returns what a program at `file` can import as a package, for a module elsewhere; undefined if it is not there. */
  readonly resolve: (specifier: string, file: string) => string | undefined;
  /** Returns the arguments that run the cluster, of the packages that the program at `file` has. */
  readonly serve: (preload: string, file: string) => readonly string[];
}

/**
 * Returns the runtime of this process.
 *
 * @throws {Error} If it does not run TypeScript.
 */
export function currentRuntime(): Runtime {
  if ("Deno" in globalThis) return deno();
  if ("Bun" in globalThis) return bun();
  return node(process.versions.node);
}

function deno(): Runtime {
  const run = (preload: string, file: string) => ["run", "-A", "--preload", preload, file];
  // The import map of the project holds for all modules.
  return { run, resolve: (name) => name, serve: (preload) => run(preload, denoSpecifier()) };
}

/** Returns the program in this repository, or in the import map of the project. */
function denoSpecifier(): string {
  const own = import.meta.resolve("../../../testing/serve/main.ts");
  return own.startsWith("file:") ? own : SERVE;
}

function bun(): Runtime {
  const run = (preload: string, file: string) => ["--preload", preload, resolve(file)];
  return { run, resolve: resolved, serve: (preload, file) => run(preload, installed(file)) };
}

/** Returns Node, with the flag that its version needs for TypeScript. */
export function node(version: string): Runtime {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major < 22) {
    throw new Error(
      `kubeloop dev needs Node 22.18 or newer, which runs TypeScript; this is Node ${version}`,
    );
  }
  const strips = major > 23 || (major === 23 && minor >= 6) || (major === 22 && minor >= 18);
  const flags = strips ? [] : ["--experimental-strip-types"];
  const run = (preload: string, file: string) => [
    ...flags,
    "--disable-warning=ExperimentalWarning",
    "--import",
    pathToFileURL(preload).href,
    resolve(file),
  ];
  return { run, resolve: resolved, serve: (preload, file) => run(preload, installed(file)) };
}

function resolved(specifier: string, file: string): string | undefined {
  try {
    return pathToFileURL(createRequire(resolve(file)).resolve(specifier)).href;
  } catch {
    return undefined;
  }
}

/** Returns the installed program that serves a cluster. */
function installed(file: string): string {
  try {
    return createRequire(resolve(file)).resolve(SERVE);
  } catch {
    throw new Error(
      "The cluster in memory is part of @kubeloop/testing, which is not installed: npm install --save-dev @kubeloop/testing",
    );
  }
}
