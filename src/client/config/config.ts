import type { ExecConfig } from "./exec_config.ts";
import type { Impersonation } from "./impersonation.ts";

/**
 * Where an API server is and how to talk to it. Plain data: write it by hand, or let {@linkcode loadConfig} find it.
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
  /** The URL of the API server, with a path if it is mounted under one. */
  readonly server: string;
  /** The bearer token. */
  readonly token?: string | undefined;
  /** The file that holds the bearer token; it is read again every minute, and goes before `token`. */
  readonly tokenFile?: string | undefined;
  /** The name for basic authentication. */
  readonly username?: string | undefined;
  /** The password for basic authentication. */
  readonly password?: string | undefined;
  /** The program that obtains a token or a client certificate. A `token` or `username` goes before it. */
  readonly exec?: ExecConfig | undefined;
  /** Whom to act as. Default: nobody else. */
  readonly impersonate?: Impersonation | undefined;
  /** The certificates to trust, as PEM text. Default: those the runtime trusts (Deno trusts those as well). */
  readonly caData?: string | undefined;
  /** The file that holds the certificates to trust; it is read again every minute, and goes before `caData`. */
  readonly caFile?: string | undefined;
  /** The client certificate, as PEM text; goes with `keyData`. */
  readonly certData?: string | undefined;
  /** The file that holds the client certificate; it is read again every minute, and goes before `certData`. */
  readonly certFile?: string | undefined;
  /** The key of the client certificate, as PEM text: PKCS#8, SEC 1 (`EC PRIVATE KEY`) or PKCS#1 (`RSA PRIVATE KEY`). */
  readonly keyData?: string | undefined;
  /** The file that holds the key; it is read again every minute, and goes before `keyData`. */
  readonly keyFile?: string | undefined;
  /**
   * The name to ask for, and to expect in the server's certificate. Default: the host of `server`. On Deno, connections then
   * go through a listener of this process on 127.0.0.1, which needs the permission, as does the name.
   */
  readonly tlsServerName?: string | undefined;
  /**
   * Takes any certificate of the server, so that anyone on the way can read and change everything. On Deno the process
   * needs `--unsafely-ignore-certificate-errors=HOST` as well. Default false.
   */
  readonly insecureSkipTlsVerify?: boolean | undefined;
  /**
   * The HTTP proxy in front of the server, `http://` or `https://`, with user and password if it wants them; with these, on
   * Deno, connections go through a listener of this process on 127.0.0.1, which needs the permission.
   */
  readonly proxyUrl?: string | undefined;
  /** The namespace to work in by default. The client itself never falls back to it. */
  readonly namespace?: string | undefined;
  /** Sends a token or password over plain `http:` to another machine, where anyone on the way can read it. Default false. */
  readonly allowInsecureToken?: boolean | undefined;
}

/** A {@linkcode Config} that may still lack its server. */
export interface PartialConfig extends Omit<Config, "server"> {
  /** The URL of the API server. */
  readonly server?: string | undefined;
}

/**
 * The server's URL without a trailing slash.
 *
 * @throws {TypeError} When it is not an http or https URL, or holds credentials, a query or a fragment.
 */
export function requireServerUrl(server: string): string {
  let url: URL | undefined;
  try {
    url = new URL(server);
  } catch {
    // Answered below, without the text if it may hold a password.
  }
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    const shown = server.includes("@") ? "" : ` ${JSON.stringify(server)}`;
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
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/**
 * Refuses to send a token or password in the clear to another machine.
 *
 * @throws {TypeError} When `config` would do so and does not allow it.
 */
export function requireSafeToken(config: Config): void {
  const { token, tokenFile, username, exec } = config;
  if ((token ?? tokenFile ?? username ?? exec) === undefined) return;
  if (config.allowInsecureToken) return;
  const { protocol, hostname, host } = new URL(config.server);
  if (protocol === "https:") return;
  if (/^(127(\.\d+){3}|\[::1\]|localhost|.+\.localhost)$/.test(hostname)) return;
  const what = (token ?? tokenFile ?? exec) === undefined ? "password" : "token";
  throw new TypeError(
    `Refusing to send a ${what} to http://${host} unencrypted: use https, or set allowInsecureToken if the network is safe`,
  );
}
