import type { Certificates, Credentials, CredentialsProvider } from "../credentials/mod.ts";
import type { HeaderLine, TransportSettings } from "../config/mod.ts";
import {
  type Transport,
  type TransportRequest,
  UnsupportedError,
  type Upgraded,
  type Upgrader,
  type UpgradeRequest,
} from "../transport/mod.ts";
import type { Redactor } from "./redactor.ts";

/** Options of {@linkcode AuthenticatedTransport}. */
export interface AuthenticatedTransportOptions {
  readonly provider: CredentialsProvider;
  /** The impersonation headers, sent with every request. */
  readonly impersonation: readonly HeaderLine[];
  /** Told the credentials of each request. */
  readonly redactor: Redactor;
  /** The certificates. Undefined if `transport` does not use certificates. */
  readonly certificates: Certificates | undefined;
  /** Opens a connection pool. */
  readonly transport: (settings: TransportSettings) => Transport;
  /** Opens WebSockets; undefined if nothing can. */
  readonly upgrader: ((settings: TransportSettings) => Upgrader) | undefined;
  /** Resolves when the connections of completed requests are available again. */
  readonly connectionsFree: () => Promise<void>;
}

/** The response to a request. */
export interface Sent {
  readonly response: Response;
  /** The credentials that the request was sent with. */
  readonly credentials: Credentials;
}

/** The answer to a request to open a WebSocket. */
export interface SentUpgrade {
  readonly answer: Response | Upgraded;
  /** The credentials that the request was sent with. */
  readonly credentials: Credentials;
}

/**
 * Sends requests with the current credentials and certificates.
 *
 * Connections are bound to certificates. When the certificates change, new requests use new connections. The old
 * connections close when their last request or watch ends.
 */
export class AuthenticatedTransport {
  readonly #options: AuthenticatedTransportOptions;
  readonly #retired = new Set<Transport>();
  #open: { readonly settings: TransportSettings; readonly transport: Transport } | undefined;
  #closedBy: Error | undefined;

  constructor(options: AuthenticatedTransportOptions) {
    this.#options = options;
  }

  /**
   * Sends a request with the current credentials, over a connection with the current certificates. Calls `beforeSend` when
   * nothing is left to wait for.
   *
   * @throws {CredentialsError} If credentials or certificates are not available.
   */
  async send(
    url: string,
    request: TransportRequest,
    beforeSend: () => void,
  ): Promise<Sent> {
    await this.#options.connectionsFree();
    const { credentials, settings } = await this.#prepared();
    const headers = this.#headersOf(request.headers, credentials);
    // There is no await between these calls, so that a retired transport never gets a request.
    beforeSend();
    const response = await this.#transport(settings).fetch(url, { ...request, headers });
    return { response, credentials };
  }

  /**
   * Asks the server to open a WebSocket, with the current credentials, over a connection of its own with the current
   * certificates.
   *
   * @throws {CredentialsError} If credentials or certificates are not available.
   * @throws {UnsupportedError} If the client was given a `fetch`, but no `upgrade`.
   */
  async upgrade(
    url: string,
    request: UpgradeRequest,
    beforeSend: () => void,
  ): Promise<SentUpgrade> {
    const { upgrader } = this.#options;
    if (upgrader === undefined) {
      throw new UnsupportedError(
        "Client with a fetch cannot open a WebSocket: give it an upgrade too, as server.clientOptions has it",
      );
    }
    const { credentials, settings } = await this.#prepared();
    const headers = this.#headersOf(request.headers, credentials);
    beforeSend();
    return { answer: await upgrader(settings)(url, { ...request, headers }), credentials };
  }

  /**
   * Reads the credentials or the client certificate again after the server rejected `refused`.
   *
   * @returns Whether the credentials or the certificate have changed.
   * @throws {CredentialsError} If credentials or certificates are not available.
   */
  async renew(refused: Credentials): Promise<boolean> {
    const { provider, certificates } = this.#options;
    try {
      if (await provider.renew(refused)) return true;
      return refused.authorization === undefined && certificates !== undefined &&
        await certificates.renew();
    } catch (error) {
      throw new CredentialsError(error);
    }
  }

  /** Ends pending requests for credentials with `reason` and closes all connections. */
  async close(reason: Error): Promise<void> {
    this.#closedBy = reason;
    this.#options.provider.close(reason);
    this.#options.certificates?.close(reason);
    const transports = [...this.#retired];
    if (this.#open !== undefined) transports.push(this.#open.transport);
    this.#open = undefined;
    await Promise.all(transports.map((transport) => transport.close()));
  }

  #headersOf(lines: readonly HeaderLine[], { authorization }: Credentials): HeaderLine[] {
    const { impersonation, redactor } = this.#options;
    redactor.addHeader(authorization);
    const headers = [...lines, ...impersonation];
    if (authorization !== undefined) headers.push(["Authorization", authorization]);
    return headers;
  }

  async #prepared(): Promise<
    { readonly credentials: Credentials; readonly settings: TransportSettings }
  > {
    const { provider, certificates } = this.#options;
    try {
      if (this.#closedBy !== undefined) throw this.#closedBy;
      const credentials = await provider.current();
      return { credentials, settings: await certificates?.settings(credentials) ?? {} };
    } catch (error) {
      throw new CredentialsError(error);
    }
  }

  #transport(settings: TransportSettings): Transport {
    if (this.#closedBy !== undefined) throw this.#closedBy;
    const open = this.#open;
    if (open !== undefined) {
      if (isSame(open.settings, settings)) return open.transport;
      this.#retire(open.transport);
    }
    const transport = this.#options.transport(settings);
    this.#open = { settings, transport };
    return transport;
  }

  #retire(transport: Transport): void {
    this.#retired.add(transport);
    const forget = () => void this.#retired.delete(transport);
    transport.drain().then(forget, forget);
  }
}

/** The error for missing credentials or certificates. No request was made, so it is not a network failure. */
export class CredentialsError extends Error {
  override readonly name: string = "CredentialsError";

  constructor(cause: unknown) {
    super("No credentials", { cause });
  }
}

function isSame(a: TransportSettings, b: TransportSettings): boolean {
  return a.caData === b.caData && a.certData === b.certData && a.keyData === b.keyData;
}
