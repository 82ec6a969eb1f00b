/**
 * Shared code of the examples: the connection flags, the in-process API server if no connection is given, Ctrl-C, and
 * error messages in one line.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "@std/cli/parse-args";
import * as log from "@std/log";
import { stringify } from "@std/yaml/stringify";
import { Client, crd, explainError, loadConfig, type Manager } from "@kubeloop/controller";
import type { DefinedResource } from "@kubeloop/controller/types";
import { ApiServer, type PodProgram, type WebhookHandler } from "@kubeloop/testing";

/** The environment that an example runs in. */
export interface Session {
  /** The client of the cluster or the in-process server. */
  readonly client: Client;
  /** The value of `--namespace`. */
  readonly namespace: string | undefined;
  /** The positional arguments. */
  readonly args: readonly string[];
  /** The value of `--namespace`, for a manager. */
  readonly namespaces: readonly string[] | undefined;
  /** Aborts on Ctrl-C, and at the end of the scenario on the in-process server. */
  readonly signal: AbortSignal;
  /** The logger `default` of @std/log. Components of the library accept it too. */
  readonly logger: log.Logger;
  /** Whether the example runs on a cluster instead of the in-process server. */
  readonly onCluster: boolean;
  /** Where to serve probes and metrics: the port of `--http-port`. */
  readonly http: { readonly port: number } | undefined;
  /** Whether to open the page of `Manager.see`: the value of `--see`. */
  readonly see: boolean;
  /** Where the API server finds webhooks: the Service of `--webhooks`, in front of the port of `--webhook-port`. */
  readonly webhooks:
    | {
      readonly service: { readonly namespace: string; readonly name: string };
      readonly port: number | undefined;
    }
    | undefined;
  /** The value of `--print`: `rbac`, `crd` or `permissions`, which the example prints instead of running. */
  readonly print: string | undefined;
}

/** The in-process server, as seen by a scenario. */
export interface World {
  readonly client: Client;
  readonly server: ApiServer;
  readonly signal: AbortSignal;
  /** Whether a person looks at a page, so that the scenario leaves something to look at. */
  readonly isSeen: boolean;
}

/** A scenario on the in-process server. */
export interface Life {
  /** The arguments of the example in this scenario. Without them, an example takes no arguments. */
  readonly args?: readonly string[];
  /** Runs before the example starts. */
  readonly before?: (world: World) => Promise<unknown>;
  /** Runs while the example runs. The example is stopped when this function ends, and the other way round. */
  readonly during: (world: World) => Promise<void>;
  /** The programs of the containers. */
  readonly programs?: readonly PodProgram[];
  /** Answers the webhooks that the server calls. */
  readonly webhooks?: WebhookHandler;
}

const USAGE = `
Connection (without any of these, an in-process API server is used):
  --kubeconfig FILE        a kubeconfig file, of which the current context is used
  --server URL, --master   the API server, as in https://10.0.0.1:6443 or http://127.0.0.1:8001
  --token TOKEN            the bearer token for --server; or the environment variable KUBE_TOKEN
  --token-file FILE        a file that holds the bearer token
  --service-account FOLDER in a Pod: where its service account is mounted
  --namespace NAME         only this namespace

In a Pod, where an example has them:
  --http-port PORT         serves /healthz, /readyz, /metrics and /debug/reconciles
  --webhooks NAMESPACE/NAME  serves webhooks behind this Service
  --webhook-port PORT      the port that webhooks are served on: 9443

To look at, where an example has a manager:
  --see                    serves a page on 127.0.0.1, which the log names, and runs until Ctrl-C

Instead of running, where an example has a manager:
  --print WHAT             prints what it needs: rbac, crd or permissions
`;

const CONNECTION_FLAGS = [
  "kubeconfig",
  "server",
  "master",
  "token",
  "token-file",
  "service-account",
] as const;
const FLAGS = [
  ...CONNECTION_FLAGS,
  "namespace",
  "http-port",
  "webhooks",
  "webhook-port",
  "print",
] as const;

/**
 * Runs an example. The process exits with code 0 after success or Ctrl-C. If the example fails, this function prints
 * one line to standard error and sets the exit code to 1.
 */
export async function runExample(
  about: string,
  life: Life,
  main: (session: Session) => Promise<void>,
): Promise<void> {
  log.setup({
    handlers: {
      console: new log.ConsoleHandler("INFO", { formatter: (r) => r.msg, useColors: false }),
    },
    loggers: { default: { level: "INFO", handlers: ["console"] } },
  });
  const stop = new AbortController();
  const onSignal = () => stop.abort(new DOMException("Stopped by a signal", "AbortError"));
  for (const name of ["SIGINT", "SIGTERM"] as const) process.on(name, onSignal);
  try {
    const flags = parseFlags(process.argv.slice(2), life.args !== undefined);
    if (flags.help) console.log(`${about}\n${USAGE}`);
    else if (wantsCluster(flags)) await onCluster(flags, main, stop.signal);
    else await inProcess(flags, life, main, stop);
  } catch (error) {
    if (!stop.signal.aborted || error !== stop.signal.reason) {
      console.error(`Error: ${explainError(error)}`);
      process.exitCode = 1;
    }
  } finally {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.off(name, onSignal);
  }
}

type Flags = ReturnType<typeof parseFlags>;

function parseFlags(args: string[], takesArguments: boolean) {
  return parseArgs(args, {
    string: [...FLAGS, "_"],
    boolean: ["help", "see"],
    unknown(argument) {
      if (takesArguments && !argument.startsWith("-")) return true;
      // The value of a flag may be a token.
      const [flag = ""] = /^-[\w-]{0,20}/.exec(argument) ?? [];
      const shown = flag === "" ? "an argument that is no flag" : `the unknown flag "${flag}"`;
      throw new TypeError(`Cannot use ${shown}: --help lists the flags`);
    },
  });
}

function wantsCluster(flags: Flags): boolean {
  return CONNECTION_FLAGS.some((flag) => flags[flag] !== undefined);
}

function portOf(flags: Flags, flag: "http-port" | "webhook-port"): number | undefined {
  const text = flags[flag];
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new RangeError(`Cannot serve HTTP: --${flag} must be a number up to 65535`);
}

function webhooksOf(flags: Flags): Session["webhooks"] {
  if (flags.webhooks === undefined) return undefined;
  const [namespace, name, ...more] = flags.webhooks.split("/");
  if (namespace && name && more.length === 0) {
    return { service: { namespace, name }, port: portOf(flags, "webhook-port") };
  }
  throw new TypeError("Cannot serve webhooks: --webhooks must be NAMESPACE/NAME of a Service");
}

/** Returns the parts of a session that do not depend on the cluster. */
function partsOf(flags: Flags) {
  const { namespace, print, see } = flags;
  const port = portOf(flags, "http-port");
  return {
    namespace,
    args: flags._.map(String),
    namespaces: namespace === undefined ? undefined : [namespace],
    logger: log.getLogger(),
    http: port === undefined ? undefined : { port },
    webhooks: webhooksOf(flags),
    see,
    print,
  };
}

/** Resolves when a signal is aborted. */
async function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  console.log("\n# The end of the scenario. The page stays open until Ctrl-C.");
  await new Promise<void>((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true })
  );
}

/** Runs a manager, or prints what it needs. */
export async function runManager(
  manager: Manager,
  { print, signal }: Session,
  definitions: readonly DefinedResource[],
): Promise<void> {
  switch (print) {
    case undefined:
      return await manager.run({ signal });
    case "rbac":
      return console.log(manager.rbac({ namespace: manager.name }).trimEnd());
    case "crd":
      return console.log(definitions.map((one) => stringify(crd(one))).join("---\n").trimEnd());
    case "permissions":
      return console.log(manager.permissions().join("\n"));
    default:
      throw new TypeError("Cannot print that: --print takes rbac, crd or permissions");
  }
}

async function onCluster(
  flags: Flags,
  main: (session: Session) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const config = await loadConfig({
    kubeconfig: flags.kubeconfig,
    server: flags.server ?? flags.master,
    token: flags.token ?? tokenFromEnvironment(flags),
    tokenFile: flags["token-file"],
    serviceAccountFolder: flags["service-account"],
  });
  await using client = new Client(config);
  // Reports a wrong address or token immediately. Informers would retry forever.
  await client.getRaw("/version", { signal, timeoutMs: 10_000 });
  await main({ client, ...partsOf(flags), signal, onCluster: true });
}

/** Returns KUBE_TOKEN for `--server`; the other ways to connect bring their credentials. */
function tokenFromEnvironment(flags: Flags): string | undefined {
  const needsToken = (flags.server ?? flags.master) !== undefined &&
    flags["token-file"] === undefined && flags["service-account"] === undefined;
  return needsToken && mayRead("KUBE_TOKEN") ? process.env.KUBE_TOKEN : undefined;
}

/** Whether the process may read an environment variable. Deno would ask the user about another one, or throw. */
function mayRead(variable: string): boolean {
  return typeof Deno === "undefined" ||
    Deno.permissions.querySync({ name: "env", variable }).state === "granted";
}

async function inProcess(
  flags: Flags,
  life: Life,
  main: (session: Session) => Promise<void>,
  stop: AbortController,
): Promise<void> {
  const { signal } = stop;
  await using server = new ApiServer({ webhooks: life.webhooks, programs: life.programs });
  await using client = new Client(server.clientOptions);
  const parts = partsOf(flags);
  const args = parts.args.length === 0 ? life.args ?? [] : parts.args;
  const session = { client, ...parts, args, signal, onCluster: false };
  if (session.print !== undefined) return await main(session);
  const world = { client, server, signal, isSeen: session.see };
  await life.before?.(world);
  const living = life.during(world).then(() => session.see ? stopped(signal) : undefined).finally(
    () => stop.abort(new DOMException("The scenario has ended", "AbortError")),
  );
  const running = main(session);
  // When the example ends or fails, the scenario ends too. The call above does the same in the other direction.
  running.then(
    () => stop.abort(new DOMException("The example has ended", "AbortError")),
    (error) => stop.abort(error),
  );
  const results = await Promise.allSettled([living, running]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
