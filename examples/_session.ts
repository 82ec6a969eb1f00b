/**
 * What the examples share, so that each can be about its own thing: the connection flags, the in-process API server when
 * none is given, Ctrl-C, and failures in one line.
 *
 * @module
 */

import process from "node:process";
import { parseArgs } from "@std/cli/parse-args";
import * as log from "@std/log";
import { Client, explainError, loadConfig } from "@kubeloop/controller";
import { ApiServer } from "@kubeloop/testing";

/** Where an example runs. */
export interface Session {
  /** Talks to the cluster, or to the in-process server. */
  readonly client: Client;
  /** `--namespace`, if it was given. */
  readonly namespace: string | undefined;
  /** Aborts on Ctrl-C, and when what happens on the in-process server is over. */
  readonly signal: AbortSignal;
  /** The logger `default` of @std/log, which the library's components take too. */
  readonly logger: log.Logger;
  /** Whether this is a cluster, not the in-process server. */
  readonly onCluster: boolean;
  /** `--health-port`, if it was given: where probes ask, for an example that is deployed. */
  readonly healthPort: number | undefined;
}

/** The in-process server, as what happens on it sees it. */
export interface World {
  readonly client: Client;
  readonly server: ApiServer;
  readonly signal: AbortSignal;
}

/** What happens on the in-process server. */
export interface Life {
  /** Before the example starts. */
  readonly before?: (world: World) => Promise<unknown>;
  /** While it runs; when this is over, so is the example. */
  readonly during: (world: World) => Promise<void>;
}

const USAGE = `
Connection (without any of these, an in-process API server is used):
  --kubeconfig FILE        a kubeconfig file, of which the current context is used
  --server URL, --master   the API server, as in https://10.0.0.1:6443 or http://127.0.0.1:8001
  --token TOKEN            the bearer token; or the environment variable KUBE_TOKEN
  --token-file FILE        a file that holds the bearer token
  --service-account FOLDER in a Pod: where its service account is mounted
  --namespace NAME         only this namespace

In a Pod:
  --health-port PORT       serves /healthz and /readyz to probes, where an example has them
`;

const CONNECTION_FLAGS = [
  "kubeconfig",
  "server",
  "master",
  "token",
  "token-file",
  "service-account",
] as const;
const FLAGS = [...CONNECTION_FLAGS, "namespace", "health-port"] as const;

/**
 * Runs an example to its end, and the process with it: exit code 0 when it ended well or by Ctrl-C, 1 with one line on
 * standard error when it failed.
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
    const flags = parseFlags(process.argv.slice(2));
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

function parseFlags(args: string[]) {
  return parseArgs(args, {
    string: FLAGS,
    boolean: ["help"],
    unknown(argument) {
      throw new TypeError(`Unknown argument "${argument}": --help lists the flags`);
    },
  });
}

function wantsCluster(flags: Flags): boolean {
  return CONNECTION_FLAGS.some((flag) => flags[flag] !== undefined);
}

function healthPortOf(flags: Flags): number | undefined {
  const text = flags["health-port"];
  if (text === undefined) return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new RangeError(`Cannot serve probes on port "${text}": must be a number up to 65535`);
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
  // A wrong address or token is told at once here; informers would try again for ever.
  await client.getRaw("/version", { signal, timeoutMs: 10_000 });
  const { namespace } = flags;
  const healthPort = healthPortOf(flags);
  await main({ client, namespace, signal, logger: log.getLogger(), onCluster: true, healthPort });
}

function tokenFromEnvironment(flags: Flags): string | undefined {
  const hasOwn = flags["token-file"] !== undefined || flags["service-account"] !== undefined;
  return hasOwn ? undefined : process.env.KUBE_TOKEN;
}

async function inProcess(
  flags: Flags,
  life: Life,
  main: (session: Session) => Promise<void>,
  stop: AbortController,
): Promise<void> {
  const { signal } = stop;
  await using server = new ApiServer();
  await using client = new Client(server.clientOptions);
  const world = { client, server, signal };
  await life.before?.(world);
  const living = life.during(world).finally(() =>
    stop.abort(new DOMException("The story is over", "AbortError"))
  );
  const running = main({
    client,
    namespace: flags.namespace,
    signal,
    logger: log.getLogger(),
    onCluster: false,
    healthPort: healthPortOf(flags),
  });
  // An example that fails ends the life around it, and the other way round.
  running.catch((error) => stop.abort(error));
  const results = await Promise.allSettled([living, running]);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
