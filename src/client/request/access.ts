import type { Credentials, Proof, Trust } from "../credentials/mod.ts";
import type { HeaderLine, TransportSettings } from "../config/mod.ts";
import type { Transport, TransportRequest } from "../transport/mod.ts";

/** What {@linkcode Access} needs. */
export interface AccessOptions {
  readonly credentials: Credentials;
  /** Sent with every request. */
  readonly impersonation: readonly HeaderLine[];
  /** Undefined when `transport` has no certificates. */
  readonly trust: Trust | undefined;
  /** Opens a pool of connections. */
  readonly transport: (settings: TransportSettings) => Transport;
  /** Resolves when the connections of requests that have ended can be used again. */
  readonly connectionsFree: () => Promise<void>;
}

/** A request that has been answered. */
export interface Sent {
  readonly response: Response;
  /** What it showed. */
  readonly proof: Proof;
}

/**
 * Who a client is and how it connects, at the time of each request. Certificates belong to connections: when they change,
 * new requests get new connections, and the old ones end with the watches on them.
 */
export class Access {
  readonly #options: AccessOptions;
  readonly #retired = new Set<Transport>();
  #open: { readonly settings: TransportSettings; readonly transport: Transport } | undefined;
  #closedBy: Error | undefined;

  constructor(options: AccessOptions) {
    this.#options = options;
  }

  /**
   * Makes a request, with the credentials and on the connections of this moment.
   *
   * @throws {AccessError} When credentials or certificates cannot be had.
   */
  async send(url: string, request: TransportRequest): Promise<Sent> {
    const { impersonation, connectionsFree } = this.#options;
    await connectionsFree();
    const { proof, settings } = await this.#prepare();
    const headers = [...request.headers, ...impersonation];
    if (proof.authorization !== undefined) headers.push(["Authorization", proof.authorization]);
    // Nothing is awaited in between, so that no transport gets a request after it has been retired.
    const response = await this.#transport(settings).fetch(url, { ...request, headers });
    return { response, proof };
  }

  /**
   * Looks for other credentials, after the server refused `proof`.
   *
   * @returns Whether there are others now.
   * @throws {AccessError} When they cannot be had.
   */
  async renew(proof: Proof): Promise<boolean> {
    const { credentials, trust } = this.#options;
    try {
      if (await credentials.renew(proof)) return true;
      return proof.authorization === undefined && trust !== undefined && await trust.renew();
    } catch (error) {
      throw new AccessError(error);
    }
  }

  /** Ends what is under way with `reason` and closes all connections. */
  async close(reason: Error): Promise<void> {
    this.#closedBy = reason;
    this.#options.credentials.close(reason);
    const transports = [...this.#retired];
    if (this.#open !== undefined) transports.push(this.#open.transport);
    this.#open = undefined;
    await Promise.all(transports.map((transport) => transport.close()));
  }

  async #prepare(): Promise<{ readonly proof: Proof; readonly settings: TransportSettings }> {
    const { credentials, trust } = this.#options;
    try {
      if (this.#closedBy !== undefined) throw this.#closedBy;
      const proof = await credentials.proof();
      return { proof, settings: await trust?.settings(proof) ?? {} };
    } catch (error) {
      throw new AccessError(error);
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

/** Credentials or certificates could not be had: no request was made, and the network is not to blame. */
export class AccessError extends Error {
  override readonly name: string = "AccessError";

  constructor(cause: unknown) {
    super("No credentials", { cause });
  }
}

function isSame(a: TransportSettings, b: TransportSettings): boolean {
  return a.caData === b.caData && a.certData === b.certData && a.keyData === b.keyData;
}
