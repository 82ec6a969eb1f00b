import {
  type Clock,
  defaultLogger,
  ENVIRONMENT_CHECKS,
  isList,
  isName,
  isSignal,
  type Logger,
  type OptionChecks,
  realClock,
  requireOptions,
  safeLogger,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { readCertificate, type TlsMaterial } from "../serving/mod.ts";
import { isAlreadyExists, isConflict, isNotFound, type Secret, Secrets } from "../types/mod.ts";
import { type CertificateState, rotate } from "./certificate_state.ts";

/** The time limit of a request, in milliseconds. */
const REQUEST_MS = 30_000;

/** Maximum number of attempts to write the Secret while other replicas write it. */
const MAX_TRIES = 10;

const MANAGED_BY = "app.kubernetes.io/managed-by";
const MANAGER = "kubeloop";

/** Options of {@linkcode WebhookCertificates}. */
export interface WebhookCertificatesOptions {
  /** The namespace of the Secret. */
  readonly namespace: string;
  /** The name of the Secret. */
  readonly name: string;
  /** The host names that API servers call, such as `widgets.acme.svc`. */
  readonly hosts: readonly string[];
  /** The clock. Default: the clock of the client. */
  readonly clock?: Clock | undefined;
  /** Receives log lines. Default: the logger of the client. */
  readonly logger?: Logger | undefined;
}

const CHECKS: OptionChecks<WebhookCertificatesOptions> = {
  namespace: isName,
  name: isName,
  hosts: isList,
  clock: ENVIRONMENT_CHECKS.clock,
  logger: ENVIRONMENT_CHECKS.logger,
};

const CALL_CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = {
  signal: isSignal,
};

/** The serving certificate and the trusted authorities. */
export interface ServingCertificates {
  /** The serving certificate and its private key. */
  readonly tls: TlsMaterial;
  /** The certificates of the trusted authorities, in PEM: the `caBundle` of a configuration before base64. */
  readonly caBundle: string;
}

/**
 * The certificates of a webhook server: an authority and a serving certificate, kept in a Secret that all replicas share.
 *
 * The Secret has the keys `tls.crt` and `tls.key`, `ca.crt` with all trusted authorities, and `ca.key`. The authority is
 * valid for ten years and the serving certificate for one year. Each is replaced when a third of its validity is left, and
 * when it is not valid yet because a clock is wrong. A new certificate is also valid at the times of the previous one.
 *
 * @example
 * ```ts
 * import { WebhookCertificates } from "@kubeloop/controller/webhooks";
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const secret = { namespace: "default", name: "webhooks", hosts: ["webhooks.default.svc"] };
 * const one = await new WebhookCertificates(client, secret).ensure();
 * const other = await new WebhookCertificates(client, secret).ensure();
 * assertEquals(one, other);
 * ```
 */
export class WebhookCertificates {
  readonly #client: Client;
  readonly #options: WebhookCertificatesOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #state: CertificateState | undefined;

  /**
   * Creates an instance for a Secret. The constructor makes no request.
   *
   * @param client The client of the cluster.
   * @param options The Secret and the host names.
   * @throws {TypeError} If there is no host name, the name of the Secret is missing, or an option is unknown.
   */
  constructor(client: Client, options: WebhookCertificatesOptions) {
    requireOptions("WebhookCertificates", options, CHECKS);
    for (const name of ["namespace", "name"] as const) CHECKS[name](name, options[name]);
    if (!(options.hosts?.length > 0)) throw new TypeError("Webhook certificates need a host name");
    this.#client = client;
    this.#options = options;
    this.#clock = options.clock ?? client.environment.clock ?? realClock;
    this.#logger = safeLogger(options.logger ?? client.environment.logger ?? defaultLogger);
  }

  /**
   * Reads the Secret, creates missing certificates, replaces due ones, and returns them. If several replicas do so at the
   * same time, one is first and the others use its certificates. A deleted Secret is created again with the certificates
   * of this replica.
   *
   * @param options The signal that stops the requests.
   * @throws {StatusError} If the Secret cannot be read or written.
   * @throws {Error} If the Secret holds other data, which is not overwritten.
   */
  async ensure(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<
    ServingCertificates
  > {
    requireOptions("ensure()", options, CALL_CHECKS);
    const { signal } = options;
    for (let attempt = 1;; attempt++) {
      const secret = await this.#read(signal);
      const kept = secret === undefined ? undefined : this.#stateOf(secret);
      const next = await rotate(
        kept ?? this.#state,
        this.#options.hosts,
        this.#clock.wallNow(),
      );
      try {
        if (next !== kept) await this.#write(secret, next, signal);
        this.#state = next;
        return { tls: next.serving, caBundle: next.trusted.join("") };
      } catch (error) {
        const isLate = isAlreadyExists(error) || isConflict(error) || isNotFound(error);
        // A missing namespace also answers "not found", on each attempt.
        if (!isLate || attempt === MAX_TRIES) throw error;
      }
    }
  }

  async #read(signal: AbortSignal | undefined): Promise<Secret | undefined> {
    const { namespace, name } = this.#options;
    try {
      return await this.#client.get(Secrets, name, { namespace, signal, timeoutMs: REQUEST_MS });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #write(
    secret: Secret | undefined,
    { authority, trusted, serving }: CertificateState,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { namespace, name } = this.#options;
    const call = { signal, timeoutMs: REQUEST_MS };
    const data = {
      "tls.crt": btoa(serving.cert),
      "tls.key": btoa(serving.key),
      "ca.crt": btoa(trusted.join("")),
      "ca.key": btoa(authority.key),
    };
    if (secret === undefined) {
      const metadata = { namespace, name, labels: { [MANAGED_BY]: MANAGER } };
      await this.#client.create(Secrets, { metadata, type: "kubernetes.io/tls", data }, call);
    } else {
      const labels = { ...secret.metadata.labels, [MANAGED_BY]: MANAGER };
      const metadata = { ...secret.metadata, labels };
      await this.#client.update(Secrets, { ...secret, metadata, data }, call);
    }
    this.#logger.info(`Wrote the webhook certificates in Secret ${namespace}/${name}`);
  }

  /** Returns the certificates in a Secret; undefined if it is empty, or if it was written by this class and is damaged. */
  #stateOf({ metadata, data = {} }: Secret): CertificateState | undefined {
    // An empty Secret may have been created with the Deployment. A Secret of type TLS has empty values then.
    if (Object.values(data).every((value) => value === "")) return undefined;
    const { namespace, name } = this.#options;
    try {
      const text = (key: string) => atob(data[key] ?? "");
      const trusted = certificatesIn(text("ca.crt"));
      const authority = { cert: trusted[0] ?? "", key: text("ca.key") };
      const serving = { cert: text("tls.crt"), key: text("tls.key") };
      for (const { key } of [authority, serving]) {
        if (!key.includes("-----BEGIN PRIVATE KEY-----")) throw new TypeError("A key is missing");
      }
      for (const cert of [...trusted, authority.cert, serving.cert]) readCertificate(cert);
      const state = { authority, trusted, serving };
      return isSame(this.#state, state) ? this.#state : state;
    } catch {
      // The error is not logged, because it could show the content of the Secret.
      const what = `Secret ${namespace}/${name}`;
      if (metadata.labels?.[MANAGED_BY] !== MANAGER) {
        throw new Error(
          `${what} holds something else than webhook certificates: delete it, or choose another name`,
        );
      }
      this.#logger.warn(`${what} is damaged: it is written anew`);
      return undefined;
    }
  }
}

function isSame(one: CertificateState | undefined, other: CertificateState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Returns the certificates of a PEM text, one by one. */
function certificatesIn(text: string): string[] {
  const end = "-----END CERTIFICATE-----\n";
  return text.split(end).filter((part) => part.trim() !== "").map((part) => part + end);
}
