import { type Logger, redactOf } from "@kubeloop/controller/internal/base";
import { Client, loadConfig } from "@kubeloop/controller/client";
import { UsageError } from "./exits.ts";
import type { Flags } from "./flags.ts";
import type { CommandHost } from "./host.ts";

/** The flags of the connection to the API server. */
export const CONNECTION_FLAGS = {
  kubeconfig: { value: "FILE", help: "the kubeconfig; default KUBECONFIG, or ~/.kube/config" },
  context: { value: "NAME", help: "the context in it; default the current one" },
  server: { value: "URL", help: "the API server, instead of a kubeconfig; token in KUBE_TOKEN" },
  "certificate-authority": { value: "FILE", help: "the CA certificates of --server, as PEM" },
  "token-file": { value: "FILE", help: "a file that holds the bearer token" },
  namespace: { short: "n", value: "NAME", help: "the namespace; default that of the context" },
} as const;

/**
 * The time limit of a request, in milliseconds: the same as the default `--request-timeout` of the API server.
 */
export const REQUEST_TIMEOUT_MS = 60_000;

/** A connection to the API server. */
export interface Connection {
  readonly client: Client;
  /** The namespace of `--namespace` or of the context. */
  readonly namespace: string;
  /** Whether `--namespace` is set. */
  readonly hasNamespace: boolean;
}

/**
 * Connects to the API server of the flags, and calls `use` with the connection.
 *
 * @throws {UsageError} If the flags contradict each other.
 * @throws {Error} If no API server is configured, or `use` throws.
 */
export async function connected<R>(
  flags: Flags<typeof CONNECTION_FLAGS>,
  host: CommandHost,
  use: (connection: Connection) => Promise<R>,
): Promise<R> {
  const server = flags.text("server");
  const tokenFile = flags.text("token-file");
  if (server !== undefined) {
    for (const other of ["kubeconfig", "context"] as const) {
      if (flags.has(other)) throw new UsageError(`--server and --${other} exclude each other`);
    }
  }
  const logger = hostLogger(host);
  const config = await loadConfig({
    kubeconfig: flags.text("kubeconfig"),
    context: flags.text("context"),
    server,
    tokenFile,
    token: server !== undefined && tokenFile === undefined ? host.env("KUBE_TOKEN") : undefined,
    caFile: flags.text("certificate-authority"),
    env: host.env,
    logger,
  });
  const client = new Client({
    ...config,
    clock: host.clock,
    fetch: host.fetch,
    logger,
    warningHandler: ({ text }) => host.warn(`warning: ${text}`),
  });
  host.hide(redactOf(client.environment.logger ?? logger));
  try {
    const given = flags.text("namespace");
    const namespace = given ?? config.namespace ?? "default";
    return await use({ client, namespace, hasNamespace: given !== undefined });
  } finally {
    await client.close();
  }
}

/** Returns a logger that writes warnings and errors to standard error. */
export function hostLogger(host: CommandHost): Logger {
  const write = (message: string) => host.warn(`warning: ${message}`);
  return { debug() {}, info() {}, warn: write, error: write };
}
