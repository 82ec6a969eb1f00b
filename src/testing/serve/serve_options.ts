import { parseArgs } from "@std/cli/parse-args";
import { type FaultSpec, parseFaultSpec } from "./fault_spec.ts";

/** What the command line asks for. */
export interface ServeCommand {
  /** The port; 0 for any that is free. */
  readonly port: number;
  /** The address to listen on. */
  readonly hostname: string;
  /** Where uids and names come from; undefined for the machine's chance. */
  readonly seed: number | undefined;
  /** Files of objects to apply at start. */
  readonly load: readonly string[];
  /** The file the state is kept in. */
  readonly save: string | undefined;
  /** The administrator's token; undefined lets everyone in. */
  readonly token: string | undefined;
  /** Whether it speaks TLS, with a certificate of its own. */
  readonly tls: boolean;
  /** How long every request waits, in milliseconds. */
  readonly latencyMs: number;
  /** Requests that fail. */
  readonly faults: readonly FaultSpec[];
  /** Where the kubeconfig is written; undefined prints it. */
  readonly kubeconfigOut: string | undefined;
  /** Whether only the help is wanted. */
  readonly help: boolean;
}

/** What `--help` prints. */
export const USAGE = `Serves a throw-away Kubernetes API until Ctrl-C.

  --port PORT            where to listen; 0 takes any free port (default 8001)
  --hostname ADDRESS     the address to listen on (default 127.0.0.1: nobody else can reach it)
  --seed N               repeat uids, generated names and faults
  --load FILE …          apply YAML or JSON files at start, namespaces and definitions first
  --save FILE            keep the state in FILE, and go on from it when it exists
  --token TOKEN          demand this bearer token; it is an administrator's (default: everyone is administrator)
  --tls                  speak TLS with a certificate that the kubeconfig trusts; kubectl sends a token only then
  --latency MS           let every request wait
  --fault SPEC           let requests fail: [METHOD ]PATH:CODE[:PERCENT%], * in PATH stands for anything;
                         as in "GET /api/v1/pods:503:10%"; may be repeated
  --kubeconfig-out FILE  write the kubeconfig to FILE instead of printing it
  --help                 print this`;

const FLAGS = [
  "port",
  "hostname",
  "seed",
  "save",
  "token",
  "latency",
  "kubeconfig-out",
] as const;
const LISTS = ["load", "fault"] as const;

const MAX_LATENCY_MS = 600_000;

/**
 * Reads the command line.
 *
 * @throws {SyntaxError} When a flag is not known or its value cannot be read; the message is one line.
 */
export function parseServeCommand(args: readonly string[]): ServeCommand {
  const flags = parseArgs(repeatLoad(args), {
    string: [...FLAGS, ...LISTS],
    boolean: ["help", "tls"],
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
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new SyntaxError("--token must be printable ASCII without spaces");
  }
  return {
    port: number("port", flags.port ?? "8001", 65_535),
    hostname,
    seed: flags.seed === undefined ? undefined : number("seed", flags.seed, 2 ** 32 - 1),
    load: flags.load,
    save: flags.save,
    token,
    tls: flags.tls,
    latencyMs: number("latency", flags.latency ?? "0", MAX_LATENCY_MS),
    faults: flags.fault.map(parseFaultSpec),
    kubeconfigOut: flags["kubeconfig-out"],
    help: flags.help,
  };
}

/** Repeats `--load` before each of its files: the shell makes several words of `*.yaml`, and all of them are meant. */
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

function number(flag: string, text: string, max: number): number {
  const value = /^[0-9]{1,10}$/.test(text) ? Number(text) : NaN;
  if (!(value <= max)) {
    throw new SyntaxError(
      `--${flag} must be a whole number from 0 to ${max}, not ${JSON.stringify(text)}`,
    );
  }
  return value;
}
