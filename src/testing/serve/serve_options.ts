import { parseArgs } from "@std/cli/parse-args";
import {
  canonicalHost,
  DEFAULT_MINOR,
  isMinor,
  type KubernetesMinor,
  MINOR_VERSIONS,
  releaseOf,
} from "../api_server/mod.ts";
import { type FaultSpec, parseFaultSpec } from "./fault_spec.ts";

/** The parsed command line. */
export interface ServeCommand {
  /** The port; 0 for any free port. */
  readonly port: number;
  /** The address to listen on. */
  readonly hostname: string;
  /** More hosts at which clients call the server. */
  readonly acceptHosts: readonly string[];
  /** The minor version of Kubernetes. */
  readonly kubernetes: KubernetesMinor;
  /** The feature gates to turn on or off. */
  readonly featureGates: Readonly<Record<string, boolean>>;
  /** The seed of uids, generated names and faults; undefined for the random source of the machine. */
  readonly seed: number | undefined;
  /** The manifest files to apply at start. */
  readonly load: readonly string[];
  /** The file that keeps the state. */
  readonly save: string | undefined;
  /** Whether each write is on the disk before its response. */
  readonly fsync: boolean;
  /** The administrator's token; undefined makes every client an administrator. */
  readonly token: string | undefined;
  /** Whether to use TLS, with a self-signed certificate. */
  readonly tls: boolean;
  /** The number of nodes; 0 for an API without a cluster behind it. */
  readonly nodes: number;
  /** The file that says how Pods live. */
  readonly lives: string | undefined;
  /** The delay of every request, in milliseconds. */
  readonly latencyMs: number;
  /** The faults to inject. */
  readonly faults: readonly FaultSpec[];
  /** Whether to serve a page that shows what the clients do. */
  readonly see: boolean;
  /** The file to write the kubeconfig to; undefined prints the kubeconfig. */
  readonly kubeconfigOut: string | undefined;
  /** Whether to print the help and exit. */
  readonly help: boolean;
}

/** The text that `--help` prints. */
export const USAGE: string = `Serves a throw-away Kubernetes API until Ctrl-C.

  --port PORT            port to listen on; 0 for any free port (default 8001)
  --hostname ADDRESS     address to listen on (default 127.0.0.1, reachable from this machine only)
  --accept-hosts NAME,…  accept requests for these hosts too, such as host.docker.internal; without this only for
                         localhost and for the address of --hostname, so that no web page can use the server
  --kubernetes VERSION   the minor version to serve: ${
  MINOR_VERSIONS.join(", ")
} (default ${DEFAULT_MINOR})
  --feature-gates NAME=true|false,…
                         turn feature gates of the API server on or off
  --seed N               make uids, generated names and faults repeatable
  --load FILE …          apply YAML or JSON files at start, namespaces and CustomResourceDefinitions first
  --save FILE            keep the state in FILE and in a log next to it; if FILE exists, start from it. What was
                         answered survives the end of the process, also kill -9
  --fsync                with --save: wait for the disk before each answer to a write, so that it survives a loss of
                         power too; writes are slower
  --token TOKEN          require this bearer token of an administrator (default: every client is an administrator)
  --tls                  serve TLS with a certificate that the kubeconfig trusts; kubectl sends a token over TLS only
  --nodes N              run N simulated nodes, a scheduler and the controllers of a cluster, so that Pods run and
                         rollouts finish (default 0: the API only)
  --lives FILE           with --nodes: a YAML or JSON list that says how Pods live: when they crash, what they log, what
                         commands and probes answer; see docs/testing.md
  --latency MS           delay every request by MS milliseconds
  --fault SPEC           make requests fail: [METHOD ]PATH:CODE[:PERCENT%], * in PATH matches any characters;
                         for example "GET /api/v1/pods:503:10%"; may be repeated
  --see                  print the URL of a page that shows the clients, the writes of each object, and what needs
                         attention; on 127.0.0.1 only, with a token in the URL
  --kubeconfig-out FILE  write the kubeconfig to FILE instead of printing it
  --help                 print this help`;

const FLAGS = [
  "port",
  "hostname",
  "kubernetes",
  "seed",
  "save",
  "token",
  "latency",
  "nodes",
  "lives",
  "kubeconfig-out",
] as const;
const LISTS = ["load", "fault", "accept-hosts", "feature-gates"] as const;

const MAX_LATENCY_MS = 600_000;
const MAX_NODES = 250;

/**
 * Parses the command line.
 *
 * @throws {SyntaxError} When a flag is unknown or its value is invalid; the message is one line.
 */
export function parseServeCommand(args: readonly string[]): ServeCommand {
  const flags = parseArgs(repeatLoad(args), {
    string: [...FLAGS, ...LISTS],
    boolean: ["fsync", "help", "see", "tls"],
    collect: LISTS,
    alias: { help: "h" },
    unknown: (arg, key) => {
      const what = key === undefined ? "argument" : "flag";
      throw new SyntaxError(`Unknown ${what} ${arg}: see --help`);
    },
  });
  for (const flag of [...FLAGS, ...LISTS]) {
    const value = flags[flag];
    if (value === "" || (Array.isArray(value) && value.includes(""))) {
      throw new SyntaxError(`--${flag} needs a value: see --help`);
    }
  }
  const { hostname = "127.0.0.1", token } = flags;
  if (flags.fsync && flags.save === undefined) {
    throw new SyntaxError("--fsync needs --save: without it, nothing is written");
  }
  if (flags.lives !== undefined && Number(flags.nodes ?? "0") === 0) {
    throw new SyntaxError("--lives needs --nodes: without nodes, no Pod runs");
  }
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new SyntaxError("--token must be printable ASCII without spaces");
  }
  const kubernetes = minor(flags.kubernetes);
  const featureGates = Object.fromEntries(flags["feature-gates"].flatMap(parseGates));
  requireGates(kubernetes, featureGates);
  return {
    port: number("port", flags.port ?? "8001", 65_535),
    hostname,
    acceptHosts: flags["accept-hosts"].flatMap(parseHosts),
    kubernetes,
    featureGates,
    seed: flags.seed === undefined ? undefined : number("seed", flags.seed, 2 ** 32 - 1),
    load: flags.load,
    save: flags.save,
    fsync: flags.fsync,
    token,
    tls: flags.tls,
    nodes: number("nodes", flags.nodes ?? "0", MAX_NODES),
    lives: flags.lives,
    latencyMs: number("latency", flags.latency ?? "0", MAX_LATENCY_MS),
    faults: flags.fault.map(parseFaultSpec),
    see: flags.see,
    kubeconfigOut: flags["kubeconfig-out"],
    help: flags.help,
  };
}

/** Repeats `--load` before each of its files, because the shell expands `--load *.yaml` to several arguments. */
function repeatLoad(args: readonly string[]): string[] {
  let loading = false;
  return args.flatMap((arg, index) => {
    const next = args[index + 1];
    if (arg === "--load" && next !== undefined && !next.startsWith("-")) {
      loading = true;
      return [];
    }
    if (arg.startsWith("-")) loading = arg.startsWith("--load=");
    return loading && !arg.startsWith("-") ? ["--load", arg] : [arg];
  });
}

function parseHosts(list: string): string[] {
  return list.split(",").map((host) => {
    const canonical = canonicalHost(host.trim());
    if (canonical !== undefined) return canonical;
    throw new SyntaxError(
      `--accept-hosts must be host names or IP addresses without ports, not ${
        JSON.stringify(host)
      }`,
    );
  });
}

function minor(text: string = DEFAULT_MINOR): KubernetesMinor {
  if (isMinor(text)) return text;
  throw new SyntaxError(
    `--kubernetes must be one of ${MINOR_VERSIONS.join(", ")}, not ${JSON.stringify(text)}`,
  );
}

function parseGates(list: string): [string, boolean][] {
  return list.split(",").map((text) => {
    const [, name, value] = /^([A-Za-z0-9]+)=(true|false)$/.exec(text.trim()) ?? [];
    if (name !== undefined) return [name, value === "true"];
    throw new SyntaxError(
      `--feature-gates must be like Name=true,Other=false, not ${JSON.stringify(text)}`,
    );
  });
}

function requireGates(
  kubernetes: KubernetesMinor,
  gates: Readonly<Record<string, boolean>>,
): void {
  try {
    releaseOf(kubernetes, gates);
  } catch (error) {
    throw new SyntaxError(`--feature-gates: ${(error as Error).message}`, { cause: error });
  }
}

function number(flag: string, text: string, max: number): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value <= max)) {
    throw new SyntaxError(
      `--${flag} must be a whole number from 0 to ${max}, not ${JSON.stringify(text)}`,
    );
  }
  return value;
}
