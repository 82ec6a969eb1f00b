/**
 * What building and trying the npm package needs from outside: packages in a cache folder of their own, and runtimes.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** Exact versions, so that a build today and one in a year are the same. */
const PACKAGES = {
  "@arethetypeswrong/cli": "0.18.5",
  "@peculiar/x509": "1.14.3",
  "@types/node": "22.19.1",
  "deno-std": "1.4.0",
  "fast-check": "4.10.2",
  publint: "0.3.25",
  rollup: "4.68.7",
  "rollup-plugin-dts": "6.5.1",
  typescript: "5.9.3",
};

/** The folder of this repository. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** A package on npm, and where it comes from. */
export interface NpmPackage {
  readonly name: string;
  /** Its name on JSR, by which the sources import it. */
  readonly jsrName: string;
  readonly description: string;
  /** The folder of its deno.json and README. */
  readonly source: string;
  /** The folder that it is built in. */
  readonly folder: string;
  /** The entry point that is a program. */
  readonly program?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The packages that its users install beside it. */
  readonly peers?: readonly NpmPackage[];
}

/** What controllers are written with. */
export const LIBRARY: NpmPackage = {
  name: "kubeloop",
  jsrName: "@kubeloop/controller",
  description: "The machinery for Kubernetes controllers in TypeScript",
  source: ROOT,
  folder: `${ROOT}dist/npm`,
  dependencies: { undici: "^7.30.2" },
};

/** What controllers are tested with. */
export const TESTING: NpmPackage = {
  name: "@kubeloop/testing",
  jsrName: "@kubeloop/testing",
  description:
    "A Kubernetes API server in your process, and a virtual clock, to test controllers with",
  source: `${ROOT}src/testing/`,
  folder: `${ROOT}dist/npm-testing`,
  program: "serve",
  peers: [LIBRARY],
};

/** All packages, those first that others need. */
export const NPM_PACKAGES: readonly NpmPackage[] = [LIBRARY, TESTING];

/** What a command printed. */
export interface Output {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** How a command is run. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the command after this time, as a failure. Default: ten minutes, for slow machines and networks. */
  readonly timeoutMs?: number;
}

/** Runs a command to its end and keeps what it prints. */
export async function capture(
  command: readonly string[],
  options: RunOptions = {},
): Promise<Output> {
  const { timeoutMs = 600_000, ...rest } = options;
  const [program = "", ...args] = command;
  const decoder = new TextDecoder();
  const { success, stdout, stderr } = await new Deno.Command(program, {
    ...rest,
    args,
    stdin: "null",
    signal: AbortSignal.timeout(timeoutMs),
  }).output();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/**
 * Runs a command that must succeed, and gives what it printed to standard output.
 *
 * @throws {Error} With everything that it printed, when it fails.
 */
export async function run(
  command: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { success, stdout, stderr } = await capture(command, options);
  if (success) return stdout;
  throw new Error(`Failed: ${command.join(" ")}\n${stdout}${stderr}`);
}

/** The cache folder `name`, made when it is not there. */
async function cacheFolder(name: string): Promise<string> {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  const folder = `${base}/kubeloop-package/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}

/** The folder `node_modules` that holds `PACKAGES`; they are installed when they are not there yet. */
export async function toolsFolder(): Promise<string> {
  const names = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(names.join()));
  const key = [...new Uint8Array(digest.slice(0, 6))].map((byte) => byte.toString(16)).join("");
  const folder = await cacheFolder(`tools-${key}`);
  const done = `${folder}/installed`;
  try {
    await Deno.stat(done);
  } catch {
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }\n');
    await npm(["install", "--save-exact", ...names], folder);
    await Deno.writeTextFile(done, "");
  }
  return `${folder}/node_modules`;
}

/** Runs npm, quietly. */
export function npm(args: readonly string[], cwd: string): Promise<string> {
  return run(["npm", ...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd });
}

/** A runtime that users of the npm package have. */
export interface Runtime {
  /** As in `node 22.23.3`. */
  readonly name: string;
  /** The path of the program. */
  readonly path: string;
}

const RUNTIMES = [
  ["node", "22"],
  ["node", "24"],
  ["bun", "1.4.4"],
] as const;

/** Node 22, Node 24 and Bun, which npm installs when they are not there yet. */
export async function runtimes(): Promise<Runtime[]> {
  const found: Runtime[] = [];
  // One after another: npx does not like company while it installs.
  for (const [name, version] of RUNTIMES) {
    const print = `console.log(process.execPath, process.versions.${name})`;
    const output = await run(["npx", "-y", `${name}@${version}`, "-e", print]);
    const [path = "", exact = ""] = output.trim().split(" ");
    found.push({ name: `${name} ${exact}`, path });
  }
  return found;
}
