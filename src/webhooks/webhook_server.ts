import {
  Backoff,
  type Clock,
  defaultLogger,
  delay,
  type Environment,
  ENVIRONMENT_CHECKS,
  hostInUrl,
  inherit,
  isFlag,
  isName,
  isSignal,
  type Logger,
  type OptionChecks,
  realClock,
  requireFunctions,
  requireOptions,
  safeLogger,
} from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import {
  type HttpHandler,
  type HttpServer,
  readCertificate,
  requirePort,
  serveHttp,
} from "../serving/mod.ts";
import { explainError, isMissingRight, isUnauthorized, resourceName } from "../types/mod.ts";
import { AppliedMemory } from "../operator/apply/mod.ts";
import { type AdmissionHandler, admissionPath } from "./admission.ts";
import {
  type ConversionStanza,
  conversionStanza,
  isNamed,
  isService,
  type WebhookService,
  type WebhookTarget,
} from "./configurations.ts";
import { type ConversionHandler, conversionPath } from "./conversion.ts";
import { installWebhooks } from "./install_webhooks.ts";
import { type ServingCertificates, WebhookCertificates } from "./webhook_certificates.ts";

/** The default port, as in controller-runtime. */
const DEFAULT_PORT = 9443;

/** The period of the checks of certificates and configurations. */
const CHECK_MS = 60_000;

const DAY_MS = 86_400_000;

/** Remaining days below which a failed renewal is logged as an error. A renewal has four months. */
const SERIOUS_DAYS = 14;

/** Delays after failed attempts. */
const BACKOFF = { durationMs: 1_000, factor: 2, jitter: 0.1, steps: 10, capMs: CHECK_MS };

/** Options of {@linkcode WebhookServer}. */
export interface WebhookServerOptions extends Omit<Environment, "metrics"> {
  /** The Service of this server. Either `service` or `url` is required. */
  readonly service?: WebhookService | undefined;
  /** The URL that the API server calls, for a server outside of the cluster, such as `https://10.0.0.1:9443`. */
  readonly url?: string | undefined;
  /** The port to listen on; 0 picks a free one. Default: 9443. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: `0.0.0.0`; `::` adds IPv6. */
  readonly hostname?: string | undefined;
  /** The name of the webhook configurations. Default: the name of the Service. */
  readonly name?: string | undefined;
  /** The Secret of the certificates. Default: `NAME-webhook-certificates`, in the namespace of the Service. */
  readonly secret?: { readonly namespace: string; readonly name: string } | undefined;
  /**
   * Whether the server writes the webhook configurations. If false, another program writes the configurations of
   * `admissionConfigurations()`, and the server only writes its certificates into them. Default true.
   */
  readonly install?: boolean | undefined;
}

const SECRET_CHECKS: OptionChecks<NonNullable<WebhookServerOptions["secret"]>> = {
  namespace: isName,
  name: isName,
};

const CHECKS: OptionChecks<WebhookServerOptions> = {
  clock: ENVIRONMENT_CHECKS.clock,
  random: ENVIRONMENT_CHECKS.random,
  logger: ENVIRONMENT_CHECKS.logger,
  service: isService,
  url: isName,
  port: requirePort,
  hostname: isName,
  name: isName,
  secret: isNamed(SECRET_CHECKS),
  install: isFlag,
};

const RUN_CHECKS: OptionChecks<{ readonly signal?: AbortSignal | undefined }> = {
  signal: isSignal,
};

/**
 * The value of `spec.conversion` of a CustomResourceDefinition, or the reason why the webhook cannot be called yet.
 */
export type ConversionState =
  | { readonly conversion: ConversionStanza }
  | { readonly waitsFor: string };

/** A permission that a {@linkcode WebhookServer} needs. */
export interface WebhookPermission {
  /** The namespace; undefined for cluster-scoped objects. */
  readonly namespace?: string;
  /** The API groups. */
  readonly apiGroups: readonly string[];
  /** The resources. */
  readonly resources: readonly string[];
  /** The names of the objects; undefined for all. */
  readonly resourceNames?: readonly string[];
  /** The verbs. */
  readonly verbs: readonly string[];
}

/**
 * Serves webhooks with its own certificates, and makes the API server call them.
 *
 * `run()` keeps the certificates in a Secret that all replicas share, and serves HTTPS with them. It writes the webhook
 * configurations and the conversion of CustomResourceDefinitions, with the trusted authorities. It checks all of this every
 * minute, and replaces certificates while it runs. Each request has a time limit of 30 seconds; failures are logged and
 * retried. Every replica serves, not only the leader.
 *
 * A test passes requests to `handler`, without TLS.
 *
 * @example
 * ```ts
 * import { admission, WebhookServer } from "@kubeloop/controller/webhooks";
 * import { Client } from "@kubeloop/controller/client";
 * import { ConfigMaps } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const webhooks = new WebhookServer(client, { service: { namespace: "acme", name: "maps" } });
 * webhooks.add(admission(ConfigMaps, { validate: () => "no more maps" }));
 * assertEquals(webhooks.paths, ["/validate-v1-configmap"]);
 * // In the operator: await webhooks.run({ signal });
 * ```
 */
export class WebhookServer {
  /** Answers requests by their path. Mount it in another server, or call it in a test. Never rejects. */
  readonly handler: (request: Request) => Promise<Response>;
  readonly #client: Client;
  readonly #options: WebhookServerOptions;
  readonly #target: WebhookTarget;
  readonly #name: string;
  readonly #secret: { readonly namespace: string; readonly name: string };
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #store: WebhookCertificates;
  readonly #handlers = new Map<string, HttpHandler>();
  readonly #admissions: AdmissionHandler[] = [];
  readonly #conversions: ConversionHandler[] = [];
  readonly #memories = { mutating: new AppliedMemory(), validating: new AppliedMemory() };
  /** The definitions that another part installs with the conversion of this server. */
  readonly #installedElsewhere = new Set<string>();
  #server: HttpServer | undefined;
  /** The newest certificates. */
  #certificates: ServingCertificates | undefined;
  /** The served certificate. */
  #served: string | undefined;
  /** The failure of the last check of the certificates. */
  #trouble: string | undefined;
  #isRunning = false;

  /**
   * Creates a server. The constructor makes no request.
   *
   * @param client The client of the cluster. The server inherits its clock, random source and logger.
   * @param options The Service or the URL, and the port.
   * @throws {TypeError} If the address or the Secret is missing, or an option is unknown or of another type.
   * @throws {RangeError} If a port is out of range.
   */
  constructor(client: Client, options: WebhookServerOptions) {
    requireOptions("WebhookServer", options, CHECKS);
    const { service, url, secret } = options;
    if ((service === undefined) === (url === undefined)) {
      throw new TypeError(
        "A WebhookServer needs either service or url, where the API server calls",
      );
    }
    this.#target = service === undefined ? { url: url! } : { service };
    this.#name = options.name ?? service?.name ?? "";
    const namespace = secret?.namespace ?? service?.namespace;
    if (namespace === undefined || this.#name === "") {
      throw new TypeError("A WebhookServer with a url needs name and secret");
    }
    this.#secret = secret ?? { namespace, name: `${this.#name}-webhook-certificates` };
    const { clock, random, logger } = inherit(options, client.environment);
    this.#client = client;
    this.#options = { ...options, random };
    this.#clock = clock ?? realClock;
    this.#logger = safeLogger(logger ?? defaultLogger);
    const hosts = hostsOf(this.#target);
    this.#store = new WebhookCertificates(client, { ...this.#secret, hosts, clock, logger });
    this.handler = async (request) => {
      const { pathname } = new URL(request.url);
      const found = this.#handlers.get(pathname);
      if (found === undefined) return new Response("There is no webhook here\n", { status: 404 });
      return await found(request);
    };
  }

  /** The paths of the webhooks. */
  get paths(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  /** Whether the server has conversion webhooks. */
  get converts(): boolean {
    return this.#conversions.length > 0;
  }

  /** The address that `run()` listens on, such as `0.0.0.0:9443`. */
  get address(): string {
    const { hostname = "0.0.0.0", port = DEFAULT_PORT } = this.#options;
    return `${hostInUrl(hostname)}:${port}`;
  }

  /**
   * Whether API servers can call the webhooks: the server listens, and its certificate has not expired after failed
   * renewals.
   */
  get isReady(): boolean {
    return this.#server !== undefined && (this.#trouble === undefined || this.#leftMs > 0);
  }

  /** The port that the server listens on; undefined before it listens. */
  get port(): number | undefined {
    return this.#server?.port;
  }

  /**
   * Adds a webhook, before `run()`.
   *
   * @param webhook The result of `admission()` or `conversion()`.
   * @returns This server.
   * @throws {TypeError} If it is not a webhook, or its path is in use.
   * @throws {Error} If the server runs.
   */
  add(webhook: AdmissionHandler | ConversionHandler): this {
    requireFunctions({ webhook });
    if (this.#isRunning) throw new Error("Cannot add a webhook: the server runs");
    if ("admission" in webhook) {
      const { modes, resource } = webhook.admission;
      for (const mode of modes) this.#mount(admissionPath(mode, resource), webhook);
      this.#admissions.push(webhook);
    } else if ("conversion" in webhook) {
      this.#mount(conversionPath(webhook.conversion.resource), webhook);
      this.#conversions.push(webhook);
    } else {
      throw new TypeError("A webhook must be the result of admission() or conversion()");
    }
    return this;
  }

  /**
   * Returns the conversion of a CustomResourceDefinition, for `installDefinitions`. It is available once the server listens
   * and its certificates are in the Secret.
   *
   * @param definition The name of the definition, such as `widgets.acme.io`.
   * @returns The conversion, or the reason to wait; undefined if this server has no conversion webhook for the definition.
   */
  conversionFor(definition: string): ConversionState | undefined {
    const handler = this.#conversions.find(({ conversion: { resource } }) =>
      resourceName(resource) === definition
    );
    if (handler === undefined) return undefined;
    this.#installedElsewhere.add(definition);
    if (this.#server === undefined || this.#certificates === undefined) {
      const reason = this.#isRunning ? "it is starting" : "call run() before";
      return {
        waitsFor: `the webhook server does not listen yet: ${this.#trouble ?? reason}`,
      };
    }
    const { caBundle } = this.#certificates;
    return { conversion: conversionStanza(handler, { target: this.#target, caBundle }) };
  }

  /** Returns the permissions that `run()` needs. */
  permissions(): WebhookPermission[] {
    const { namespace, name } = this.#secret;
    const verbs = this.#options.install === false ? ["patch"] : ["create", "patch"];
    const modes = new Set(this.#admissions.flatMap(({ admission }) => admission.modes));
    const resources = [
      ...(modes.has("mutate") ? ["mutatingwebhookconfigurations"] : []),
      ...(modes.has("validate") ? ["validatingwebhookconfigurations"] : []),
    ];
    const definitions = this.#conversions.map(({ conversion: { resource } }) =>
      `${resource.plural}.${resource.group}`
    );
    const admissionregistration = { apiGroups: ["admissionregistration.k8s.io"], resources };
    const definition = {
      apiGroups: ["apiextensions.k8s.io"],
      resources: ["customresourcedefinitions"],
    };
    const secret = { namespace, apiGroups: [""], resources: ["secrets"] };
    return [
      // RBAC cannot limit create to a name.
      { ...secret, verbs: ["create"] },
      { ...secret, resourceNames: [name], verbs: ["get", "update"] },
      ...(resources.length === 0 ? [] : [
        ...(verbs.includes("create") ? [{ ...admissionregistration, verbs: ["create"] }] : []),
        { ...admissionregistration, resourceNames: [this.#name], verbs: ["get", "patch"] },
      ]),
      ...(definitions.length === 0
        ? []
        : [{ ...definition, resourceNames: definitions, verbs: ["get", "patch"] }]),
    ];
  }

  /**
   * Serves until the signal aborts. Running requests then have ten seconds to end.
   *
   * Failed requests are logged and retried with backoff. A missing right at the start ends the run with an error.
   *
   * @param options The signal that stops the server.
   * @throws {Error} If the port is not available, the Secret holds other data, or a right is missing.
   */
  async run(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    requireOptions("WebhookServer.run()", options, RUN_CHECKS);
    const { signal } = options;
    if (this.#isRunning) throw new Error("The WebhookServer runs already");
    this.#isRunning = true;
    try {
      const first = await this.#first(signal);
      const { port = DEFAULT_PORT, hostname } = this.#options;
      const logger = this.#logger;
      this.#served = first.tls.cert;
      this.#server = await serveHttp(this.handler, { port, hostname, tls: first.tls, logger });
      this.#logger.info(`Webhooks are served at ${this.#server.url}`);
      await this.#keep(this.#server, first, signal);
    } catch (error) {
      if (!signal?.aborted) throw error;
    } finally {
      await this.#server?.close();
      this.#server = undefined;
      this.#certificates = undefined;
      this.#trouble = undefined;
      this.#isRunning = false;
    }
  }

  /** Returns the first certificates. Retries temporary failures. */
  async #first(signal: AbortSignal | undefined): Promise<ServingCertificates> {
    const backoff = new Backoff(BACKOFF, this.#options.random);
    const { namespace, name } = this.#secret;
    for (;;) {
      signal?.throwIfAborted();
      try {
        const first = await this.#store.ensure({ signal });
        this.#trouble = undefined;
        return first;
      } catch (error) {
        signal?.throwIfAborted();
        const message = `Cannot keep the webhook certificates in Secret ${namespace}/${name}: ${
          explainError(error)
        }`;
        if (isRefused(error)) throw new Error(message, { cause: error });
        this.#trouble = message;
        this.#logger.warn(message);
        await delay(backoff.step(), { clock: this.#clock, signal });
      }
    }
  }

  /** Keeps certificates and configurations up to date until the signal aborts. */
  async #keep(
    server: HttpServer,
    first: ServingCertificates,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    let certificates = first;
    let backoff = new Backoff(BACKOFF, this.#options.random);
    for (let isFirst = true;; isFirst = false) {
      const renewed = isFirst ? first : await this.#renew(signal);
      certificates = this.#certificates = renewed ?? certificates;
      const isInstalled = await this.#install(certificates, isFirst, signal);
      // A certificate of a new authority is served only after API servers trust it, even if the old one is about to expire.
      if (isInstalled || this.#isTrusted(certificates)) await this.#serve(server, certificates);
      const isWell = renewed !== undefined && isInstalled;
      if (isWell) backoff = new Backoff(BACKOFF, this.#options.random);
      const waitMs = isWell ? CHECK_MS : backoff.step();
      await delay(waitMs, { clock: this.#clock, signal });
    }
  }

  /** Returns the certificates, renewed if they are due; undefined if that failed. */
  async #renew(signal: AbortSignal | undefined): Promise<ServingCertificates | undefined> {
    try {
      const renewed = await this.#store.ensure({ signal });
      this.#trouble = undefined;
      return renewed;
    } catch (error) {
      signal?.throwIfAborted();
      const days = Math.max(0, Math.floor(this.#leftMs / DAY_MS));
      this.#trouble =
        `The webhook certificates could not be checked: ${explainError(error)}; the one that is ` +
        `served is valid for ${days} more days`;
      if (days < SERIOUS_DAYS) this.#logger.error(this.#trouble);
      else this.#logger.warn(this.#trouble);
      return undefined;
    }
  }

  /** Makes the API server call the webhooks. Returns false if that failed. */
  async #install(
    { caBundle }: ServingCertificates,
    isFirst: boolean,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    try {
      await installWebhooks(
        this.#client,
        {
          admissions: this.#admissions,
          conversions: this.#conversions,
          name: this.#name,
          target: this.#target,
          install: this.#options.install ?? true,
          memories: this.#memories,
          isAwaited: (definition) => this.#installedElsewhere.has(definition),
        },
        caBundle,
        signal,
      );
      return true;
    } catch (error) {
      signal?.throwIfAborted();
      const message = `Webhooks are not installed: ${explainError(error)}`;
      if (isFirst && isRefused(error)) throw new Error(message, { cause: error });
      this.#logger.warn(message);
      return false;
    }
  }

  /** Begins to serve a new certificate. */
  async #serve(server: HttpServer, { tls }: ServingCertificates): Promise<void> {
    if (tls.cert === this.#served) return;
    try {
      await server.replaceTls(tls);
      this.#served = tls.cert;
      this.#logger.info("Webhooks are served with a new certificate");
    } catch (error) {
      this.#logger.error(`The new webhook certificate cannot be served: ${explainError(error)}`);
    }
  }

  /** Reports whether a certificate has the authority of the served one. */
  #isTrusted({ tls }: ServingCertificates): boolean {
    const authorityOf = (cert: string) => readCertificate(cert).authorityKeyId;
    return this.#served !== undefined && authorityOf(this.#served) === authorityOf(tls.cert);
  }

  /** The remaining validity of the served certificate, in milliseconds. */
  get #leftMs(): number {
    if (this.#served === undefined) return 0;
    return readCertificate(this.#served).notAfterMs - this.#clock.wallNow();
  }

  #mount(path: string, handler: HttpHandler): void {
    if (this.#handlers.has(path)) {
      throw new TypeError(`Two webhooks have the path ${path}: keep one`);
    }
    this.#handlers.set(path, handler);
  }
}

/** Reports whether a right is missing, so that a retry does not help. */
function isRefused(error: unknown): boolean {
  return isMissingRight(error) || isUnauthorized(error);
}

/** Returns the host names of the certificate. */
function hostsOf(target: WebhookTarget): string[] {
  if ("url" in target) {
    if (!URL.canParse(target.url)) {
      throw new TypeError(`Cannot call webhooks at ${JSON.stringify(target.url)}: it is no URL`);
    }
    return [new URL(target.url).hostname];
  }
  const { namespace, name } = target.service;
  // The API server calls the first name; people and tests may call the others.
  const service = `${name}.${namespace}.svc`;
  return [service, `${service}.cluster.local`, `${name}.${namespace}`];
}
