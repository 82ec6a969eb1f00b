import type { Clock, Logger } from "../../base/mod.ts";
import {
  type PartialConfig,
  pemSource,
  readConfigFile,
  type ReadFile,
  sourcesOf,
  type TransportSettings,
} from "../config/mod.ts";
import type { Credentials } from "./provider.ts";
import { Refreshed } from "./refreshed.ts";

/** Imported only where there are certificates, so that a bundle for browsers does not have it. */
const importChecks = () => import("./client_certificate.ts");

/** Options of {@linkcode Certificates}. */
export interface CertificatesOptions {
  readonly config: PartialConfig;
  readonly readFile: ReadFile;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface Identity {
  readonly certData: string;
  readonly keyData: string;
  readonly expiresAtMs: number;
  readonly source: string;
}

/** The CA certificates and the client certificate of a configuration, checked. Files are read again every minute. */
export class Certificates {
  readonly #config: PartialConfig;
  readonly #readFile: ReadFile;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #ca: Refreshed<string | undefined>;
  readonly #identity: Refreshed<Identity | undefined>;
  #damagedCas = 0;
  #printed:
    | { readonly certificate: Credentials["certificate"]; readonly identity: Identity }
    | undefined;

  constructor({ config, readFile, clock, logger }: CertificatesOptions) {
    this.#config = config;
    this.#readFile = readFile;
    this.#clock = clock;
    this.#logger = logger;
    const { caFile, certFile, keyFile } = config;
    const maxAgeMs = (isFile: boolean) => isFile ? undefined : Infinity;
    this.#ca = new Refreshed({
      what: pemSource(config, "ca"),
      read: (signal) => this.#readCa(signal),
      maxAgeMs: maxAgeMs(caFile !== undefined),
      clock,
      logger,
    });
    this.#identity = new Refreshed({
      what: pemSource(config, "cert"),
      read: (signal) => this.#readIdentity(signal),
      maxAgeMs: maxAgeMs((certFile ?? keyFile) !== undefined),
      clock,
      logger,
    });
  }

  /**
   * Returns the settings for the connection of the next request, which has the credentials `credentials`.
   *
   * @throws {Error} If a certificate cannot be read, is invalid or has expired.
   */
  async settings(credentials: Credentials): Promise<TransportSettings> {
    const { tlsServerName, insecureSkipTlsVerify, proxyUrl } = this.#config;
    const caData = await this.#ca.current();
    let identity = await this.#identityOf(credentials) ?? await this.#identity.current();
    if (identity !== undefined && this.#isOver(identity)) {
      if (credentials.certificate === undefined) {
        identity = await this.#identity.reread() ?? identity;
      }
      if (this.#isOver(identity)) throw expired(identity);
    }
    const { certData, keyData } = identity ?? {};
    return { caData, certData, keyData, tlsServerName, insecureSkipTlsVerify, proxyUrl };
  }

  /**
   * Reads the files of the client certificate again, after the server rejected the certificate.
   *
   * @returns Whether there is another certificate now. Always false for a certificate that is not from files.
   */
  async renew(): Promise<boolean> {
    const { certFile, keyFile } = this.#config;
    if ((certFile ?? keyFile) === undefined) return false;
    const refused = await this.#identity.current();
    const identity = await this.#identity.reread();
    return identity?.certData !== refused?.certData;
  }

  /** Ends running reads with `reason`. */
  close(reason: Error): void {
    this.#ca.close(reason);
    this.#identity.close(reason);
  }

  #isOver({ expiresAtMs }: Identity): boolean {
    return this.#clock.wallNow() >= expiresAtMs;
  }

  /** Returns the client certificate that a plugin printed, which is checked only once. */
  async #identityOf({ certificate }: Credentials): Promise<Identity | undefined> {
    if (certificate === undefined) return undefined;
    if (this.#printed?.certificate === certificate) return this.#printed.identity;
    const { cert, key } = certificate;
    const source = `what the plugin printed, ${sourcesOf(this.#config).exec ?? "exec"}`;
    const identity = await identityFrom(cert, key, source, source);
    this.#printed = { certificate, identity };
    return identity;
  }

  async #readCa(signal: AbortSignal): Promise<string | undefined> {
    const source = pemSource(this.#config, "ca");
    const caData = await this.#text("ca", source, signal);
    if (caData === undefined) return undefined;
    const { ca, damaged } = await (await importChecks()).checkCa(caData, source);
    // Once, not every minute.
    if (damaged > this.#damagedCas) {
      this.#logger.warn(
        `Ignoring ${damaged} of the certificates to trust, which cannot be parsed (${source})`,
      );
    }
    this.#damagedCas = damaged;
    return ca;
  }

  async #readIdentity(signal: AbortSignal): Promise<Identity | undefined> {
    const certSource = pemSource(this.#config, "cert");
    const keySource = pemSource(this.#config, "key");
    const cert = await this.#text("cert", certSource, signal);
    const key = await this.#text("key", keySource, signal);
    return cert === undefined || key === undefined
      ? undefined
      : await identityFrom(cert, key, certSource, keySource);
  }

  async #text(
    part: "ca" | "cert" | "key",
    source: string,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const file = this.#config[`${part}File`];
    return file === undefined
      ? this.#config[`${part}Data`]
      : await readConfigFile(source, file, this.#readFile, signal);
  }
}

async function identityFrom(
  cert: string,
  key: string,
  certSource: string,
  keySource: string,
): Promise<Identity> {
  const { checkClientCertificate } = await importChecks();
  const checked = await checkClientCertificate({ cert, key, certSource, keySource });
  const { expiresAtMs } = checked;
  return { certData: checked.cert, keyData: checked.key, expiresAtMs, source: certSource };
}

function expired({ expiresAtMs, source }: Identity): Error {
  const when = new Date(expiresAtMs).toISOString().replace(".000Z", "Z");
  return new Error(`Client certificate expired at ${when} (${source}): renew it`);
}
