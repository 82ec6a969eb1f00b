import { stripEnd } from "../../base/mod.ts";
import type { ExecConfig } from "./exec_config.ts";
import type { Impersonation } from "./impersonation.ts";
import { showText } from "./shown.ts";

/**
 * The address of an API server, and the settings for authentication and TLS. Plain data: write it by hand, or get it
 * from {@linkcode loadConfig}.
 *
 * @example A proxy that does the authentication (`kubectl proxy`)
 * ```ts
 * import { Client, type Config } from "@kubeloop/controller/client";
 *
 * const config: Config = { server: "http://127.0.0.1:8001" };
 * await using client = new Client(config);
 * ```
 */
export interface Config {
  /** The URL of the API server, including the path if the API is served below one. */
  readonly server: string;
  /** The bearer token. */
  readonly token?: string | undefined;
  /** The file with the bearer token. It is read again every minute, and takes precedence over `token`. */
  readonly tokenFile?: string | undefined;
  /** The user name for basic authentication. */
  readonly username?: string | undefined;
  /** The password for basic authentication. */
  readonly password?: string | undefined;
  /**
   * The exec plugin that obtains a token or a client certificate. As in client-go, it is not used beside a token, a
   * `username` or a client certificate.
   */
  readonly exec?: ExecConfig | undefined;
  /** The user to impersonate. Default: no impersonation. */
  readonly impersonate?: Impersonation | undefined;
  /**
   * The CA certificates to trust, as PEM text. Default: the certificates of the runtime, which Deno trusts in any case.
   */
  readonly caData?: string | undefined;
  /** The file with the CA certificates. It is read again every minute, and takes precedence over `caData`. */
  readonly caFile?: string | undefined;
  /** The client certificate, as PEM text. It needs a key. */
  readonly certData?: string | undefined;
  /** The file with the client certificate. It is read again every minute, and takes precedence over `certData`. */
  readonly certFile?: string | undefined;
  /** The key of the client certificate, as PEM text: PKCS#8, SEC 1 (`EC PRIVATE KEY`) or PKCS#1 (`RSA PRIVATE KEY`). */
  readonly keyData?: string | undefined;
  /** The file with the key. It is read again every minute, and takes precedence over `keyData`. */
  readonly keyFile?: string | undefined;
  /**
   * The server name for SNI, which the server's certificate must match. Default: the host of `server`.
   *
   * On Deno, connections then go through a listener of this process on 127.0.0.1: `--allow-net` must allow that address
   * and this name.
   */
  readonly tlsServerName?: string | undefined;
  /**
   * Whether to accept any certificate of the server. Anyone on the network path can then read and change all traffic.
   * On Deno, the process needs `--unsafely-ignore-certificate-errors=HOST` as well. Default false.
   */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /**
   * The URL of an HTTP proxy, `http://` or `https://`, with user and password if the proxy requires them. Default: on
   * Deno, and for lists on Bun, the proxy in HTTPS_PROXY or ALL_PROXY, but none for a server on this machine or a
   * server without TLS.
   *
   * With user and password, connections on Deno go through a listener of this process on 127.0.0.1: `--allow-net` must
   * allow that address.
   */
  readonly proxyUrl?: string | undefined;
  /** The default namespace, for the program that uses this configuration. The client never uses it. */
  readonly namespace?: string | undefined;
  /**
   * Whether to send a token or password over plain `http:` to another machine, or through a proxy. Anyone on the
   * network path can then read it. Default false.
   */
  readonly allowInsecureToken?: boolean | undefined;
}

/** A {@linkcode Config} whose `server` is optional. */
export interface PartialConfig extends Omit<Config, "server"> {
  /** The URL of the API server. */
  readonly server?: string | undefined;
}

/**
 * Checks the URL of the API server, and returns it without trailing slashes.
 *
 * @throws {TypeError} If `server` is not an http or https URL, or contains credentials, a query or a fragment.
 */
export function requireServerUrl(server: string): string {
  const url = parseUrl(server);
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    const shown = typeof server !== "string"
      ? `, a ${typeof server}`
      : server.includes("@")
      ? ""
      : ` ${showText(server)}`;
    throw new TypeError(
      `Invalid server URL${shown}: expected something like "https://10.0.0.1:6443"`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new TypeError(
      `Server URL of ${url.host} holds a user or password: give a token or a client certificate instead`,
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new TypeError(`Invalid server URL "${url.origin}…": must not have a query or a fragment`);
  }
  return url.origin + stripEnd(url.pathname, "/");
}

/** Returns undefined if `text` is not a URL. The message of the runtime may contain the text. */
function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the exec plugin of `config`, if the plugin is used. As in client-go, a token, a user name or a client certificate
 * takes precedence over it.
 */
export function usedExec(config: PartialConfig): ExecConfig | undefined {
  const { token, tokenFile, username, certData, certFile, keyData, keyFile, exec } = config;
  const hasCertificate = (certData ?? certFile) !== undefined && (keyData ?? keyFile) !== undefined;
  return (token ?? tokenFile ?? username) === undefined && !hasCertificate ? exec : undefined;
}
