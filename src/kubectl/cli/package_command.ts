import { Client } from "@kubeloop/controller/client";
import { describeError, isRecord } from "@kubeloop/controller/internal/base";
import { UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import {
  chartFiles,
  type ContainerRuntime,
  declare,
  dockerfile,
  type Files,
  kustomizeFiles,
  type ManagerLike,
  manifestFiles,
  RELEASE_NAMESPACE,
  type Variable,
} from "./package/mod.ts";

const FLAGS = {
  to: {
    value: "FORM",
    values: ["yaml", "kustomize", "helm", "dockerfile"],
    help: "what to make: yaml (default), kustomize, helm or dockerfile",
  },
  image: { value: "IMAGE", help: "the container image of the operator" },
  namespace: { short: "n", value: "NAME", help: "its namespace: default" },
  replicas: { value: "N", help: "the number of replicas: 2 with an election, otherwise 1" },
  runtime: {
    value: "RUNTIME",
    values: ["node", "deno", "bun"],
    help: "the runtime in the image: node (default), deno or bun",
  },
  env: { value: "NAME=VALUE", isRepeated: true, help: "an environment variable of the operator" },
  version: { value: "VERSION", help: "the version of the chart: 0.1.0" },
  output: {
    short: "o",
    value: "FOLDER",
    help: "where to write files; required by kustomize and helm",
  },
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop package FILE --image IMAGE [--to yaml|kustomize|helm] [-o FOLDER]
       kubeloop package FILE --to dockerfile [--runtime node|deno|bun]

Prints or writes what installs an operator, from the Manager that it declares: definitions, rights, Service,
Deployment with probes, PodDisruptionBudget and NetworkPolicy. FILE is a module that exports the function
manager(client), which returns the Manager and does not run it. No cluster is asked.

  kubeloop package operator.ts --image registry.example/widgets:1 -n widgets > widgets.yaml
  kubeloop package operator.ts --image registry.example/widgets:1 --to helm -o chart --version 1.0.0
  kubeloop package operator.ts --to dockerfile --runtime deno > Dockerfile
`;

/** `kubeloop package`: what installs an operator. */
export const PACKAGE: Command = { usage: USAGE, flags: FLAGS, takes: "files", run: makePackage };

/** The folder where the kubelet mounts the service account of a Pod. */
const ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

const VERSION = /^\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$/;

async function makePackage(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "package");
  const { env, folder, form, image, namespace, replicas, runtime, version } = choicesOf(flags);
  const file = fileOf(flags);
  const manager = await managerOf(file, form === "helm" ? RELEASE_NAMESPACE : namespace, host);
  const declaration = declare(manager, {
    namespace: form === "helm" ? RELEASE_NAMESPACE : namespace,
    replicas,
  });
  for (const note of declaration.notes) host.warn(`note: ${note}`);
  if (form === "dockerfile") {
    const text = dockerfile(declaration, file, runtime);
    return await write(new Map([["Dockerfile", text]]), folder, host);
  }
  const files = form === "helm"
    ? chartFiles(declaration, { env, image, runtime, version })
    : form === "kustomize"
    ? kustomizeFiles(declaration, { env, image, runtime })
    : manifestFiles(declaration, { env, image, runtime });
  await write(files, folder, host);
}

function choicesOf(flags: Flags<typeof FLAGS>) {
  const form = flags.text("to") ?? "yaml";
  const folder = flags.text("output");
  if (folder === undefined && (form === "helm" || form === "kustomize")) {
    throw new UsageError(`--to ${form} makes several files: say where with --output FOLDER`);
  }
  const image = flags.text("image") ?? "";
  if (image === "" && form !== "dockerfile") {
    throw new UsageError("No image: give the container image of the operator with --image IMAGE");
  }
  const replicas = flags.text("replicas");
  if (replicas !== undefined && !/^\d{1,4}$/.test(replicas)) {
    throw new UsageError(`--replicas ${replicas} is not a whole number`);
  }
  const version = flags.text("version") ?? "0.1.0";
  if (!VERSION.test(version)) {
    throw new UsageError(`--version ${version} is not a semantic version, such as 1.0.0`);
  }
  return {
    env: flags.all("env").map(variableOf),
    folder,
    form,
    image,
    namespace: flags.text("namespace") ?? "default",
    replicas: replicas === undefined ? undefined : Number(replicas),
    runtime: (flags.text("runtime") ?? "node") as ContainerRuntime,
    version,
  };
}

function variableOf(text: string): Variable {
  const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return { name, value };
  // The text may be a secret.
  throw new UsageError("--env takes NAME=VALUE, such as --env LEVEL=debug");
}

function fileOf({ rest }: Flags<typeof FLAGS>): string {
  const [file] = rest;
  if (file === undefined || rest.length > 1) {
    throw new UsageError("Give one file: the module that exports manager(client)");
  }
  return file;
}

/** Returns the manager that a module declares for the service account of a Pod. */
async function managerOf(
  file: string,
  namespace: string,
  host: CommandHost,
): Promise<ManagerLike> {
  let exports;
  try {
    exports = await host.importModule(file);
  } catch (error) {
    throw new Error(
      `Cannot import ${file}: ${describeError(error)}. TypeScript needs Node.js 22.18, Deno or Bun`,
    );
  }
  const { manager: make } = exports;
  if (typeof make !== "function") {
    throw new TypeError(
      `${file} does not export manager(client): expected a function that returns the Manager of the operator`,
    );
  }
  // It is never called: the manager does not run.
  const client = new Client({
    server: "https://kubernetes.default.svc:443",
    tokenFile: `${ACCOUNT}/token`,
    caFile: `${ACCOUNT}/ca.crt`,
    namespace,
  });
  try {
    const manager: unknown = await make(client);
    if (
      isRecord(manager) && typeof manager["rbac"] === "function" && isRecord(manager["options"])
    ) {
      return manager as unknown as ManagerLike;
    }
  } finally {
    await client.close();
  }
  throw new TypeError(`manager(client) of ${file} does not return a Manager of kubeloop`);
}

async function write(files: Files, folder: string | undefined, host: CommandHost): Promise<void> {
  if (folder === undefined) return await host.printData([...files.values()].join("---\n"));
  for (const [path, text] of files) {
    const target = `${folder}/${path}`;
    await host.writeFile(target, text);
    await host.print(`${target}\n`);
  }
}
