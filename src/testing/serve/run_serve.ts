import {
  type Logger,
  onAbort,
  type Random,
  realClock,
  realRandom,
} from "@kubeloop/controller/internal/base";
import type { TlsMaterial } from "@kubeloop/controller/serving";
import type { Actors, StartActorsOptions } from "../actors/mod.ts";
import {
  ApiServer,
  type ServedApi,
  type ServerState,
  type WebhookHandler,
} from "../api_server/mod.ts";
import type { ClusterSource } from "../see/mod.ts";
import { SeededRandom } from "../seeded_random.ts";
import { applyManifests } from "./apply_manifests.ts";
import { writeLines } from "./atomic_file.ts";
import { setFault } from "./fault_spec.ts";
import { isLoopback, KUBECONFIG_MARK, kubeconfigText, reachableUrl } from "./kubeconfig_text.ts";
import { readManifests } from "./manifest.ts";
import { readText } from "./read_file.ts";
import { readLives } from "./read_lives.ts";
import { parseServeCommand, type ServeCommand, USAGE } from "./serve_options.ts";
import { SavedState } from "./saved_state.ts";
import { servingCertificate } from "./serving_certificate.ts";

/** The maximum size of a kubeconfig that this program overwrites. */
const KUBECONFIG_BYTES_MAX = 1024 * 1024;

/** The environment of the program. */
export interface ServeHost {
  /** Prints to standard output. */
  readonly print: (text: string) => void;
  /** Prints to standard error. */
  readonly warn: (text: string) => void;
  /** Stops the program when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * Runs the program: serves until the signal aborts. An error is printed as one line on standard error.
 *
 * @returns The exit code: 0, or 1 when the program could not start or could not save the state.
 */
export async function runServe(args: readonly string[], host: ServeHost): Promise<number> {
  try {
    const command = parseServeCommand(args);
    if (command.help) host.print(USAGE);
    else await serveCommand(command, host);
    return 0;
  } catch (error) {
    const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    host.warn(`error: ${line}`);
    return 1;
  }
}

async function serveCommand(command: ServeCommand, host: ServeHost): Promise<void> {
  const { signal } = host;
  const logger = lineLogger(host);
  let saved: SavedState | undefined;
  let server: ApiServer | undefined;
  let actors: Actors | undefined;
  let page: AsyncDisposable | undefined;
  try {
    const lives = command.lives === undefined ? [] : await readLives(command.lives);
    if (command.save !== undefined) {
      saved = await SavedState.open(command.save, { logger, fsync: command.fsync, signal });
    }
    server = createServer(command, logger, saved?.restored);
    const source = command.see ? await sourceOf(server) : undefined;
    await saved?.keep(server);
    await applyManifests(server, await readManifests(command.load), command.token, signal);
    if (command.latencyMs > 0) server.faults.delay(command.latencyMs);
    const random = randomOf(command.seed, "faults");
    for (const fault of command.faults) setFault(fault, server.faults, random);
    const tls = command.tls
      ? await servingCertificate([command.hostname, ...command.acceptHosts], realClock.wallNow())
      : undefined;
    if (command.nodes !== 0) {
      // A server without nodes starts sooner without the modules of the actors.
      const { clusterOutcome, missingObjects, nodeInfoOf } = await import("./cluster_defaults.ts");
      await applyManifests(server, missingObjects(server), command.token, signal);
      const rootCertificate = tls?.authority;
      const nodeInfo = nodeInfoOf(command.kubernetes);
      const kubelet = { lives, nodeInfo, outcome: clusterOutcome };
      actors = await startNodes(server, command, {
        logger,
        rootCertificate,
        events: true,
        kubelet,
      });
    }
    const served = await listen(server, command, tls);
    await announce(served, command, tls?.authority, host);
    if (source !== undefined) page = await showPage(source, served, command, host);
    await stopped(signal);
    host.warn("stopping");
  } catch (error) {
    if (!signal.aborted || error !== signal.reason) throw error;
  } finally {
    try {
      await page?.[Symbol.asyncDispose]();
      await actors?.stop();
      await server?.close();
    } finally {
      await saved?.close();
    }
  }
}

/** Starts the nodes and the controllers. They stop before the server does. */
async function startNodes(
  server: ApiServer,
  { nodes, seed, token }: ServeCommand,
  options: StartActorsOptions,
): Promise<Actors> {
  const { startActors } = await import("../actors/mod.ts");
  return startActors(server, { ...options, nodes, token, random: randomOf(seed, "actors") });
}

/** Calls a webhook. The modules for it are loaded with the first call. */
const callWebhook: WebhookHandler = async (request, connection) => {
  const { callHttps } = await import("./https_webhooks.ts");
  return await callHttps(request, connection);
};

function createServer(
  { featureGates, kubernetes, save, seed, token }: ServeCommand,
  logger: Logger,
  state: ServerState | undefined,
): ApiServer {
  const user = { user: "kubeloop-admin", groups: ["system:masters"] };
  try {
    return new ApiServer({
      kubernetes,
      featureGates,
      logger,
      webhooks: callWebhook,
      random: randomOf(seed, "server"),
      ...(token === undefined ? {} : { tokens: { [token]: user } }),
      ...(state === undefined ? {} : { state }),
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`${error.message} (file ${save}, which was not changed)`, {
      cause: error,
    });
  }
}

/** Returns the random source of the machine. With a seed, the source is repeatable and differs for each `purpose`. */
function randomOf(seed: number | undefined, purpose: string): Random {
  return seed === undefined ? realRandom : new SeededRandom(seed).fork(purpose);
}

async function listen(
  server: ApiServer,
  { acceptHosts, hostname, port }: ServeCommand,
  tls: TlsMaterial | undefined,
): Promise<ServedApi> {
  try {
    return await server.serve({
      acceptHosts,
      hostname,
      port,
      ...(tls === undefined ? {} : { tls }),
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Cannot listen on ${hostname} port ${port}: ${reason}`, { cause: error });
  }
}

/** Returns what the user has to be warned of: who can reach the server, and what clients make of its token. */
export function warningsOf({ hostname, tls, token }: ServeCommand): string[] {
  const warnings: string[] = [];
  if (!isLoopback(hostname)) {
    const who = token === undefined
      ? ", and every client is an administrator"
      : tls
      ? ""
      : ", without encryption";
    warnings.push(`warning: ${hostname} is reachable from other machines${who}`);
  }
  if (token !== undefined && !tls) {
    warnings.push(
      "warning: kubectl and client-go send a token over TLS only; to use them, add --tls",
    );
  }
  return warnings;
}

async function announce(
  { port }: ServedApi,
  command: ServeCommand,
  authority: string | undefined,
  { print, warn }: ServeHost,
): Promise<void> {
  for (const warning of warningsOf(command)) warn(warning);
  const { hostname, kubeconfigOut, tls, token } = command;
  const url = reachableUrl(tls ? "https" : "http", hostname, port);
  const text = kubeconfigText(url, token, authority);
  if (kubeconfigOut === undefined) {
    print(text.trimEnd());
    print(`# Serving ${url}; save the text above as FILE, then run: export KUBECONFIG=FILE`);
    return;
  }
  const present = await readText(kubeconfigOut, KUBECONFIG_BYTES_MAX);
  if (present !== undefined && !present.startsWith(KUBECONFIG_MARK)) {
    throw new Error(
      `Cannot overwrite ${kubeconfigOut}: this program did not write it; choose another file`,
    );
  }
  await writeLines(kubeconfigOut, [text.trimEnd()]);
  print(`# Serving ${url}`);
  print(`export KUBECONFIG=${shellWord(kubeconfigOut)}`);
}

/** Starts to record what the clients of the server do. */
async function sourceOf(server: ApiServer): Promise<ClusterSource> {
  const { ClusterSource } = await import("../see/mod.ts");
  return new ClusterSource(server, { title: "kubeloop serve" });
}

/** Serves the page of the cluster, and prints its URL to standard error: a kubeconfig may be read from standard output. */
async function showPage(
  source: ClusterSource,
  { port }: ServedApi,
  { hostname, tls }: ServeCommand,
  { warn }: ServeHost,
): Promise<AsyncDisposable> {
  const { serveCluster } = await import("../see/mod.ts");
  source.address = reachableUrl(tls ? "https" : "http", hostname, port);
  const page = await serveCluster(source, {});
  warn(`See what its clients do: ${page.url}`);
  return page;
}

function shellWord(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    onAbort(signal, () => resolve());
  });
}

function lineLogger({ warn }: ServeHost): Logger {
  const tell = (message: string, ...rest: unknown[]) => {
    const details = rest.map((one) => one instanceof Error ? one.message : String(one));
    warn([message, ...details].join(": "));
  };
  return { debug: () => {}, info: () => {}, warn: tell, error: tell };
}
