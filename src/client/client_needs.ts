import { type PartialConfig, requireServerUrl, usedExec } from "./config/mod.ts";

/** What the connection of a client needs of the machine: what the permissions of a sandbox are made of. */
export interface ClientNeeds {
  /** The addresses that it calls, as `host:port`. */
  readonly hosts: readonly string[];
  /** The files that it reads again and again: tokens, certificates and keys. */
  readonly readPaths: readonly string[];
  /** The command that it runs for credentials; undefined if there is none. */
  readonly command: string | undefined;
}

/** Returns the needs of the connection that is configured. */
export function needsOf(config: PartialConfig): ClientNeeds {
  const { server, proxyUrl, tokenFile, caFile, certFile, keyFile } = config;
  const hosts = [server && requireServerUrl(server), proxyUrl].filter((url) => url !== undefined);
  const files = [tokenFile, caFile, certFile, keyFile].filter((file) => file !== undefined);
  return {
    hosts: [...new Set(hosts.map((url) => addressOf(url as string)))],
    readPaths: [...new Set(files)],
    command: usedExec(config)?.command,
  };
}

function addressOf(text: string): string {
  const { hostname, port, protocol } = new URL(text);
  return `${hostname}:${port || (protocol === "http:" ? "80" : "443")}`;
}
