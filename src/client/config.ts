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
  /** The certificates to trust, as PEM text. Default: those the runtime trusts. */
  readonly caData?: string | undefined;
  /** The client certificate, as PEM text; goes with `keyData`. */
  readonly certData?: string | undefined;
  /** The key of the client certificate, as PEM text. */
  readonly keyData?: string | undefined;
  /** The namespace to work in by default. The client itself never falls back to it. */
  readonly namespace?: string | undefined;
  /** Sends a token over plain `http:` to another machine, where anyone on the way can read it. Default false. */
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
 * Refuses to send a token in the clear to another machine.
 *
 * @throws {TypeError} When `config` would do so and does not allow it.
 */
export function requireSafeToken(config: Config): void {
  if (config.token === undefined && config.tokenFile === undefined) return;
  if (config.allowInsecureToken) return;
  const { protocol, hostname, host } = new URL(config.server);
  if (protocol === "https:") return;
  if (/^(127(\.\d+){3}|\[::1\]|localhost|.+\.localhost)$/.test(hostname)) return;
  throw new TypeError(
    `Refusing to send a token to http://${host} unencrypted: use https, or set allowInsecureToken if the network is safe`,
  );
}

/** The TLS settings of `config`. */
export interface TlsSettings {
  readonly caData?: string | undefined;
  readonly certData?: string | undefined;
  readonly keyData?: string | undefined;
}

/**
 * Checks that certificates and keys are what they should be, as far as can be seen from outside.
 *
 * @throws {TypeError} When one is not PEM, or a certificate or key lacks the other.
 */
export function requireTlsSettings({ caData, certData, keyData }: TlsSettings): void {
  if (caData !== undefined) requirePem("caData", caData, /-----BEGIN (TRUSTED )?CERTIFICATE-----/);
  if (certData !== undefined) requirePem("certData", certData, /-----BEGIN CERTIFICATE-----/);
  if (keyData !== undefined) {
    if (/-----BEGIN ENCRYPTED|Proc-Type: 4,ENCRYPTED/.test(keyData)) {
      throw new TypeError("Client key is encrypted, which is not supported: give it decrypted");
    }
    requirePem("keyData", keyData, /-----BEGIN ([A-Z]+ )?PRIVATE KEY-----/);
  }
  if ((certData === undefined) !== (keyData === undefined)) {
    throw new TypeError(
      `Client certificate is incomplete: ${
        certData === undefined ? "a key without certData" : "a certificate without keyData"
      }`,
    );
  }
}

function requirePem(what: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) {
    throw new TypeError(
      `Invalid ${what}: expected PEM text, which has a line "-----BEGIN …-----"; found none that fits`,
    );
  }
}
