import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { hostname, tmpdir, userInfo } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { randomBytes } from "node:crypto";
import { Client, loadConfig } from "@kubeloop/controller/client";
import { redactOf } from "@kubeloop/controller/internal/base";
import { readAll } from "./apply_command.ts";
import { hostLogger } from "./connect.ts";
import {
  type Account,
  AccountToken,
  currentRuntime,
  develop,
  importedFiles,
  importedPackages,
  LoadedManifests,
  MemoryCluster,
  preloadModule,
  writeChildConfig,
} from "./dev/mod.ts";
import { UsageError } from "./exits.ts";
import { type Flags, type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import { COLOR_FLAG, painter } from "./terminal/mod.ts";

const FLAGS = {
  context: { value: "NAME", help: "the cluster of this context; default a cluster in memory" },
  kubeconfig: {
    value: "FILE",
    help: "the kubeconfig of the context; default KUBECONFIG, or ~/.kube/config",
  },
  yes: { short: "y", help: "run in the cluster of the context without a question" },
  "as-service-account": {
    value: "NAMESPACE/NAME",
    help: "with a token of this ServiceAccount, and so with its rights only",
  },
  load: {
    short: "f",
    value: "FILE",
    isRepeated: true,
    help: "a file or folder of manifests that the cluster in memory begins with; may be repeated",
  },
  ...COLOR_FLAG,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop dev FILE [-- ARGUMENTS]
       kubeloop dev FILE --context NAME [--as-service-account NAMESPACE/NAME] [-- ARGUMENTS]

Runs the program in FILE, an operator, and restarts it when FILE is saved, or a file that it imports by its path. Each
reconcile of its managers is printed as it ends: its causes, its requests and its result. The program finds the cluster
in KUBECONFIG, as loadConfig() does.

The cluster is one in memory, with a node and the controllers of Kubernetes, until Ctrl-C. With --context it is that of a
context, after you confirm: there, a manager with leader election takes the lease over from the operator in the cluster,
waits until that one must have stopped, and gives the lease back at the end.

With --as-service-account, the program has the rights of that ServiceAccount, so that a missing right shows before it is
deployed. You need the right to create its tokens.

  kubeloop dev src/main.ts
  kubeloop dev src/main.ts --load deploy/sample.yaml
  kubeloop dev src/main.ts --context kind-dev --as-service-account widgets/widget-operator
`;

/** `kubeloop dev`. */
export const DEV: Command = { usage: USAGE, flags: FLAGS, takes: "files", run: dev };

async function dev(args: readonly string[], host: CommandHost): Promise<void> {
  const end = args.indexOf("--");
  const flags = parseFlags(end < 0 ? args : args.slice(0, end), FLAGS, "dev");
  const programArgs = end < 0 ? [] : args.slice(end + 1);
  const [file, ...more] = flags.rest;
  if (file === undefined) throw new UsageError("dev takes a file, as in kubeloop dev src/main.ts");
  if (more.length > 0) throw new UsageError("dev takes one file; arguments for it come after --");
  if (flags.has("context") && flags.has("load")) {
    throw new UsageError("--load is for the cluster in memory; use kubeloop apply for others");
  }
  if (!flags.has("context") && (flags.has("kubeconfig") || flags.has("yes"))) {
    throw new UsageError("--kubeconfig and --yes need --context NAME, which is never guessed");
  }
  const account = accountOf(flags);
  await host.readFile(file);
  const { texts } = await readAll(flags.all("load"), host);
  const runtime = currentRuntime();
  const folder = await mkdtemp(join(tmpdir(), "kubeloop-dev-"));
  let cluster: MemoryCluster | undefined;
  let access: Access | undefined;
  try {
    const preload = join(folder, "preload.mjs");
    const identity = flags.has("context") ? identityOf() : undefined;
    const packages = importedPackages((await importedFiles(file)).values())
      .flatMap((name) => runtime.resolve(name, file) ?? []);
    await writeFile(preload, preloadModule({ identity, packages }));
    if (!flags.has("context")) {
      cluster = await MemoryCluster.start({
        runtime,
        clock: host.clock,
        preload,
        file,
        folder,
        needsToken: account !== undefined,
        warn: host.warn,
      });
      await host.print(
        `The cluster is in memory. Use it in another terminal:\n\n  export KUBECONFIG=${cluster.kubeconfig}\n\n`,
      );
    }
    access = await accessOf(flags, host, { account, cluster, file, folder, texts });
    const { loaded } = access;
    await develop({
      runtime,
      file,
      args: programArgs,
      preload,
      env: { KUBECONFIG: access.kubeconfig, NODE_COMPILE_CACHE: join(folder, "compiled") },
      paint: painter(flags.text("color"), host),
      takesLeases: identity !== undefined,
      onLeading: () => void loaded.apply(),
    }, host);
  } finally {
    access?.token?.end();
    await access?.client.close();
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The connection of the program to its cluster. */
interface Access {
  /** The value of KUBECONFIG. */
  readonly kubeconfig: string;
  readonly client: Client;
  readonly token: AccountToken | undefined;
  readonly loaded: LoadedManifests;
}

/** Returns how the program connects, after the user has confirmed it. */
async function accessOf(
  flags: Flags<typeof FLAGS>,
  host: CommandHost,
  { account, cluster, file, folder, texts }: {
    readonly account: Account | undefined;
    readonly cluster: MemoryCluster | undefined;
    readonly file: string;
    readonly folder: string;
    readonly texts: readonly string[];
  },
): Promise<Access> {
  const kubeconfig = cluster?.kubeconfig ?? flags.text("kubeconfig");
  const context = flags.text("context") ?? MemoryCluster.context;
  const logger = hostLogger(host);
  const config = await loadConfig({ kubeconfig, context, env: host.env, logger });
  const client = new Client({ ...config, clock: host.clock, logger });
  host.hide(redactOf(client.environment.logger ?? logger));
  try {
    if (cluster === undefined) {
      const who = account === undefined
        ? "the user of the context"
        : `ServiceAccount ${account.namespace}/${account.name}`;
      await confirm(context, host, {
        isConfirmed: flags.has("yes"),
        text:
          `${file} will run in the cluster of the context ${context}, ${config.server}, as ${who}. It takes over the leases of the operators that it replaces.`,
      });
    }
    const { signal, warn } = host;
    const loaded = new LoadedManifests({ client, texts, warn, signal });
    await loaded.apply({ isFirst: true });
    const token = account &&
      await AccountToken.write({ client, account, folder, clock: host.clock, warn });
    return {
      client,
      token,
      loaded,
      kubeconfig: await writeChildConfig({
        folder,
        files: kubeconfig === undefined ? kubeconfigFiles(host) : [resolve(kubeconfig)],
        context,
        account: account && token && { tokenFile: token.path, namespace: account.namespace },
        readFile: host.readFile,
      }),
    };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function confirm(
  context: string,
  { ask, print }: CommandHost,
  { isConfirmed, text }: { readonly isConfirmed: boolean; readonly text: string },
): Promise<void> {
  await print(`${text}\n`);
  if (isConfirmed) return;
  if (ask === undefined) throw new UsageError("Without a terminal, --yes confirms the context");
  const answer = await ask(`Write the name of the context to go on: `);
  if (answer.trim() !== context) throw new UsageError("It was not confirmed: nothing was started");
}

function accountOf(flags: Flags<typeof FLAGS>): Account | undefined {
  const text = flags.text("as-service-account");
  if (text === undefined) return undefined;
  const [, namespace, name] = /^([a-z0-9-]{1,63})\/([a-z0-9.-]{1,253})$/.exec(text) ?? [];
  if (namespace !== undefined && name !== undefined) return { namespace, name };
  throw new UsageError("--as-service-account takes NAMESPACE/NAME, as in widgets/widget-operator");
}

/** Returns the paths of the user's kubeconfig: the list in KUBECONFIG, or `~/.kube/config`. */
function kubeconfigFiles({ env }: CommandHost): string[] {
  const listed = (env("KUBECONFIG") ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return listed.map((path) => resolve(path));
  return [join(env("HOME") ?? env("USERPROFILE") ?? "", ".kube", "config")];
}

/** Returns a name of this session for leases: the same after each restart of the program. */
function identityOf(): string {
  let person = "user";
  try {
    person = `${userInfo().username}@${hostname()}`;
  } catch {
    // Deno does not allow it without --allow-sys. The name only tells others who holds the lease.
  }
  return `kubeloop-dev_${person}_${randomBytes(4).toString("hex")}`;
}
