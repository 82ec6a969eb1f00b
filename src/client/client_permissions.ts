import { type PartialConfig, requireServerUrl, usedExec } from "./config/mod.ts";

/** The permissions that a client needs from a sandbox such as Deno. */
export interface ClientPermissions {
  /** The addresses to connect to, as `host:port`. */
  readonly hosts: readonly string[];
  /** The files to read: tokens, certificates and keys. */
  readonly readPaths: readonly string[];
  /** The command that prints credentials; undefined if there is none. */
  readonly command: string | undefined;
}

/** Returns the permissions that a configuration needs. */
export function permissionsOf(config: PartialConfig): ClientPermissions {
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
