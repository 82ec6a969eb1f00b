/**
 * External tools to build and test the npm packages: npm packages in their own cache folder, and runtimes.
 *
 * @module
 */

import { fileURLToPath } from "node:url";

/** npm packages with exact versions. */
type Packages = Readonly<Record<string, string>>;

/** The npm packages that build and check ours, with exact versions, so that builds are reproducible. */
const PACKAGES: Packages = {
  "@arethetypeswrong/cli": "0.18.5",
  "@opentelemetry/api": "1.10.0",
  "@peculiar/x509": "1.14.3",
  "@sinclair/typebox": "0.34.52",
  "@types/node": "22.19.1",
  "@valibot/to-json-schema": "1.8.0",
  arktype: "2.2.9",
  "deno-std": "1.4.0",
  "fast-check": "4.10.2",
  "js-yaml": "5.5.0",
  publint: "0.3.25",
  re2js: "2.10.0",
  rollup: "4.68.7",
  "rollup-plugin-dts": "6.5.1",
  typebox: "1.4.3",
  typescript: "5.9.3",
  "typescript-6": "npm:typescript@6.0.3",
  "typescript-7": "npm:typescript@7.0.2",
  valibot: "1.5.0",
  zod: "4.6.7",
};

/** The packages of the playground, with the versions of deno.json. */
export const PLAYGROUND_PACKAGES: Packages = {
  "@codemirror/commands": "6.11.1",
  "@codemirror/lang-javascript": "6.2.5",
  "@codemirror/language": "6.13.1",
  "@codemirror/state": "6.7.6",
  "@codemirror/view": "6.43.15",
  "@lezer/highlight": "1.2.5",
  "deno-std": PACKAGES["deno-std"]!,
  "js-yaml": PACKAGES["js-yaml"]!,
  preact: "11.2.0",
  re2js: PACKAGES["re2js"]!,
  sucrase: "3.35.1",
};

/** Builders of programs that use our packages. */
export const BUILDERS: Packages = {
  "@rollup/plugin-node-resolve": "16.0.3",
  esbuild: "0.28.2",
  postject: "1.0.0-alpha.6",
  rollup: "4.68.7",
  vite: "8.3.8",
};

/** Builders that take long, which only the nightly run tests. */
export const HEAVY_BUILDERS: Packages = { webpack: "5.113.0", "webpack-cli": "7.3.1" };

/** Next, which wants to be installed in the project. */
export const NEXT: Packages = { next: "16.4.6", react: "19.3.1", "react-dom": "19.3.1" };

/** The folder of this repository. */
export const ROOT: string = fileURLToPath(new URL("../../", import.meta.url));

/** The public repository. npm checks that a package with provenance was built from the repository that it names. */
export const REPOSITORY = "https://github.com/kubeloop/kubeloop";

/** An npm package and its source. */
export interface NpmPackage {
  readonly name: string;
  /** The name on JSR, which the sources import. */
  readonly jsrName: string;
  readonly description: string;
  /** The folder of the deno.json and the README. */
  readonly source: string;
  /** The output folder of the build. */
  readonly folder: string;
  /** The entry point that is a program, and the name of the command that starts it. */
  readonly program?: { readonly entry: string; readonly command: string };
  /** The programs of workers: the source, by the name of the output file. They are not entry points. */
  readonly workers?: Readonly<Record<string, string>>;
  /** The peer dependencies. */
  readonly peers?: readonly NpmPackage[];
  /** The peer dependencies that npm does not install by itself. */
  readonly optionalPeers?: readonly NpmPackage[];
}

/** The library. */
export const LIBRARY: NpmPackage = {
  name: "kubeloop",
  jsrName: "@kubeloop/controller",
  description: "The machinery for Kubernetes controllers in TypeScript",
  source: ROOT,
  folder: `${ROOT}dist/npm`,
};

/** The testing package. */
export const TESTING: NpmPackage = {
  name: "@kubeloop/testing",
  jsrName: "@kubeloop/testing",
  description:
    "A Kubernetes API server in your process, and a virtual clock, to test controllers with",
  source: `${ROOT}src/testing/`,
  folder: `${ROOT}dist/npm-testing`,
  program: { entry: "serve", command: "kubeloop-serve" },
  workers: { "chunks/simulation_worker": "src/testing/simulation/worker_main.ts" },
  peers: [LIBRARY],
};

/** The functions of kubectl, and the command `kubeloop`. */
export const KUBECTL: NpmPackage = {
  name: "@kubeloop/kubectl",
  jsrName: "@kubeloop/kubectl",
  description: "What kubectl does, as functions, and the command kubeloop",
  source: `${ROOT}src/kubectl/`,
  folder: `${ROOT}dist/npm-kubectl`,
  program: { entry: "cli", command: "kubeloop" },
  peers: [LIBRARY],
  optionalPeers: [TESTING],
};

/** The program that writes new projects: `npm create kubeloop`. */
export const CREATE: NpmPackage = {
  name: "create-kubeloop",
  jsrName: "@kubeloop/create",
  description: "Writes the project of a Kubernetes operator in TypeScript: npm create kubeloop",
  source: `${ROOT}src/create/`,
  folder: `${ROOT}dist/npm-create`,
  program: { entry: "index", command: "create-kubeloop" },
};

/** The packages that are built of sources, dependencies first. */
export const NPM_PACKAGES: readonly NpmPackage[] = [LIBRARY, TESTING, KUBECTL, CREATE];

/**
 * The package under the name that JSR and all examples use. It exports what the library of the same version exports, so that
 * there is one copy of each class, whichever name a program imports.
 */
export const ALIAS = {
  name: LIBRARY.jsrName,
  description: `${LIBRARY.description}: the package kubeloop under its name on JSR`,
  folder: `${ROOT}dist/npm-controller`,
} as const;

/** The names and the folders of all packages that are published, dependencies first. */
export const PUBLISHED: readonly { readonly name: string; readonly folder: string }[] = [
  LIBRARY,
  ALIAS,
  TESTING,
  KUBECTL,
  CREATE,
];

/** Returns the path of the tarball that the build makes of a package. */
export function tarballOf({ folder }: { readonly folder: string }): string {
  return `${folder}.tgz`;
}

/** The output of a command. */
export interface Output {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@linkcode capture} and {@linkcode run}. */
export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The time limit, at which the command is killed. Default: ten minutes, for slow machines and networks. */
  readonly timeoutMs?: number;
}

/** Runs a command to its end and returns its output. */
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
 * Runs a command that must succeed, and returns its standard output.
 *
 * @throws {Error} When the command fails; the message contains its whole output.
 */
export async function run(
  command: readonly string[],
  options: RunOptions = {},
): Promise<string> {
  const { success, stdout, stderr } = await capture(command, options);
  if (success) return stdout;
  throw new Error(`Failed: ${command.join(" ")}\n${stdout}${stderr}`);
}

/** Returns the cache folder `name`, and creates it if it is missing. */
async function cacheFolder(name: string): Promise<string> {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  const folder = `${base}/kubeloop-package/${name}`;
  await Deno.mkdir(folder, { recursive: true });
  return folder;
}

/** Returns the folder `node_modules` with npm packages, and installs them if they are missing. Default: `PACKAGES`. */
export function toolsFolder(packages: Packages = PACKAGES): Promise<string> {
  const names = Object.entries(packages).map(([name, version]) => `${name}@${version}`);
  return installed("tools", names.join(), async (folder) => {
    await Deno.writeTextFile(`${folder}/package.json`, '{ "private": true }\n');
    await npm(["install", "--save-exact", ...names], folder);
  });
}

/** Returns the folder `node_modules` with the packages of the package-lock.json in `source`. */
export async function lockedFolder(source: string): Promise<string> {
  const lock = await Deno.readTextFile(`${source}/package-lock.json`);
  return installed("locked", lock, async (folder) => {
    for (const name of ["package.json", "package-lock.json", ".npmrc"]) {
      await Deno.copyFile(`${source}/${name}`, `${folder}/${name}`);
    }
    await npm(["ci"], folder);
  });
}

/** Returns the folder `node_modules` of a cache folder, which `install` fills once for each `content`. */
async function installed(
  name: string,
  content: string,
  install: (folder: string) => Promise<void>,
): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  const key = [...new Uint8Array(digest.slice(0, 6))].map((byte) => byte.toString(16)).join("");
  const folder = await cacheFolder(`${name}-${key}`);
  const done = `${folder}/installed`;
  try {
    await Deno.stat(done);
  } catch {
    await install(folder);
    await Deno.writeTextFile(done, "");
  }
  return `${folder}/node_modules`;
}

/** Runs npm with little output. */
export function npm(args: readonly string[], cwd: string): Promise<string> {
  return run(["npm", ...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd });
}

/** A JavaScript runtime for the npm packages. */
export interface Runtime {
  /** The name and version, such as `node 22.23.3`. */
  readonly name: string;
  /** The path of the program. */
  readonly path: string;
}

const RUNTIMES = [
  ["node", "22"],
  ["node", "24"],
  ["bun", "1.4.4"],
] as const;

/** Returns Node 22, Node 24 and Bun; npm installs them if they are missing. */
export async function runtimes(): Promise<Runtime[]> {
  const found: Runtime[] = [];
  // One after another, because concurrent installations by npx fail.
  for (const [name, version] of RUNTIMES) {
    const print = `console.log(process.execPath, process.versions.${name})`;
    const output = await run(["npx", "-y", `${name}@${version}`, "-e", print]);
    const [path = "", exact = ""] = output.trim().split(" ");
    found.push({ name: `${name} ${exact}`, path });
  }
  return found;
}
