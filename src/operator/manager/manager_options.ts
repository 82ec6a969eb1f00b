import {
  type CacheEnvironment,
  describeValue,
  type Environment,
  ENVIRONMENT_CHECKS,
  hasMethods,
  isDelay,
  isFlag,
  isName,
  isObject,
  isRecord,
  type OptionCheck,
  type OptionChecks,
  requireFunctions,
  requireOptions,
} from "../../base/mod.ts";
import { requirePort, type TlsMaterial } from "../../serving/mod.ts";
import { requireResource } from "../builder/mod.ts";
import type { Resource } from "../../types/mod.ts";
import type { LeaderElectionOptions, ShardingOptions } from "../../election/mod.ts";
import type { TracerLike } from "../stories/mod.ts";
import type { WebhookServerOptions } from "../../webhooks/mod.ts";
import type { Checks } from "./checks.ts";
import { type NamespaceSelection, requireNamespaceOption } from "./selected_namespaces.ts";

/** Options of a {@linkcode Manager}. Missing fields of the environment are inherited from the client. */
export interface ManagerOptions extends CacheEnvironment {
  /** The name of the manager in log lines, and of the roles that `rbac` prints. Default `operator`. */
  readonly name?: string | undefined;
  /**
   * The namespaces whose objects are cached: a list of names, or a selection by label, whose namespaces may change at run time.
   * Default: all, with one informer for each kind.
   */
  readonly namespaces?: readonly string[] | NamespaceSelection | undefined;
  /** Elects one replica, which reconciles. Default: every replica reconciles, so run only one. */
  readonly leaderElection?: Omit<LeaderElectionOptions, keyof Environment> | undefined;
  /** Spreads the keys over all replicas. Excludes `leaderElection`. Default: none. */
  readonly sharding?: Omit<ShardingOptions, keyof Environment> | undefined;
  /**
   * The custom resources whose CustomResourceDefinitions the manager installs at its start, before it reads them; see
   * `installDefinitions`. Default: none; the definitions are already installed.
   */
  readonly definitions?: readonly Resource[] | undefined;
  /**
   * Whether the leader rewrites objects of the `definitions` that are stored in earlier versions, while the controllers run; see
   * `migrateDefinitions`. It tries again after a failure, which it logs. With `sharding` every replica does so. Default false.
   */
  readonly migrate?: boolean | undefined;
  /** Serves {@linkcode Manager.webhooks}, with certificates that the manager creates and renews. Default: no webhooks. */
  readonly webhooks?: Omit<WebhookServerOptions, keyof Environment> | undefined;
  /** Serves {@linkcode Manager.handler} while the manager runs. Default: no server. */
  readonly http?: {
    /** The port. */
    readonly port: number;
    /** The address to listen on. Default `0.0.0.0`, because the kubelet connects from outside of the Pod. */
    readonly hostname?: string | undefined;
    /** The certificate and the private key to serve TLS with. Default: plain HTTP. */
    readonly tls?: TlsMaterial | undefined;
  } | undefined;
  /**
   * Whether `/metrics` and `/debug/reconciles` answer only requests with a bearer token whose user has the right to `get` that
   * path, as kubebuilder scaffolds. The API server decides by a TokenReview and a SubjectAccessReview; answers are kept for a
   * minute, refusals for ten seconds. Give `http.tls` too, because plain HTTP shows the tokens. Default false.
   */
  readonly protectEndpoints?: boolean | undefined;
  /** Additional checks of `/healthz`. */
  readonly healthChecks?: Checks | undefined;
  /**
   * Whether `/healthz` fails while a reconcile is past its deadline, so that the kubelet restarts the process. Such a
   * reconcile ignores its signal and occupies a worker. It is logged and counted in any case. Default false.
   */
  readonly unhealthyWhenHung?: boolean | undefined;
  /** Additional checks of `/readyz`, which requires synced caches and a manager that is not stopping. */
  readonly readyChecks?: Checks | undefined;
  /**
   * Time limit of the stop, in milliseconds. After that, `run` rejects with the names of the running parts. Default 30,000, as
   * in controller-runtime.
   */
  readonly gracefulStopTimeoutMs?: number | undefined;
  /** Time limit of the first sync of the caches, in milliseconds. Default 120,000, as in controller-runtime. */
  readonly cacheSyncTimeoutMs?: number | undefined;
  /** The tracer of `@opentelemetry/api`, which gets a span for each reconcile with its causes. Default: no spans. */
  readonly tracer?: TracerLike | undefined;
  /**
   * Whether stories keep the changed values of objects, so that a simulation can replay them; see `workloadOf` of
   * `@kubeloop/testing/simulation`. Secrets are never kept. Default false: only the paths of fields are kept.
   */
  readonly recordObjects?: boolean | undefined;
  /**
   * Whether {@linkcode Manager.see} opens its page when the manager begins to run, and on which port of 127.0.0.1; `true` takes
   * a free port. The log has the URL with its token, so do not set it where others read the log. Default false.
   */
  readonly see?: boolean | { readonly port: number } | undefined;
  /**
   * Whether the manager writes nothing. Writes of controllers are dry runs whose differences are logged, and Events are
   * logged. Definitions are not installed, webhooks are not served, and no lease is taken. The steps of finalizers are not
   * called, because they act outside of the cluster. Default false.
   */
  readonly dryRun?: boolean | undefined;
}

const isDefinitions: OptionCheck = (name, value): void => {
  if (!Array.isArray(value)) {
    throw new TypeError(`${name} must be a list of resources, as in [Widgets]`);
  }
  for (const definition of value) requireResource(name, definition);
};

const areOptions: OptionCheck = (name, value): void => {
  if (isRecord(value)) return;
  throw new TypeError(`${name} takes an object with options: received ${describeValue(value)}`);
};

const SEE_CHECKS: OptionChecks<{ readonly port: number }> = {
  port: (_, value) => requirePort("see.port", value),
};

const isSee: OptionCheck = (name, value): void => {
  if (typeof value === "boolean") return;
  requireOptions(name, value, SEE_CHECKS);
  requirePort("see.port", (value as { readonly port?: unknown }).port);
};

const areChecks: OptionCheck = (name, value): void => {
  isObject(name, value);
  requireFunctions(value as Readonly<Record<string, unknown>>);
};

const isHostname: OptionCheck = (name, value): void => {
  if (typeof value === "string" && value !== "") return;
  throw new TypeError(
    `${name} must be a host name or an IP address: received ${describeValue(value)}`,
  );
};

const HTTP_CHECKS: OptionChecks<NonNullable<ManagerOptions["http"]>> = {
  port: (_, value) => requirePort("http.port", value),
  hostname: (_, value) => isHostname("http.hostname", value),
  tls: isObject,
};

const isHttp: OptionCheck = (name, value): void => {
  requireOptions(name, value, HTTP_CHECKS);
  requirePort("http.port", value.port);
};

const CHECKS: OptionChecks<ManagerOptions> = {
  ...ENVIRONMENT_CHECKS,
  name: isName,
  namespaces: (_, value) => requireNamespaceOption(value),
  // The parts check the rest. Null or false must not disable leader election silently.
  leaderElection: areOptions,
  sharding: areOptions,
  webhooks: areOptions,
  definitions: isDefinitions,
  migrate: isFlag,
  http: isHttp,
  protectEndpoints: isFlag,
  healthChecks: areChecks,
  unhealthyWhenHung: isFlag,
  readyChecks: areChecks,
  gracefulStopTimeoutMs: isDelay,
  cacheSyncTimeoutMs: isDelay,
  tracer: hasMethods("a tracer", "startActiveSpan"),
  recordObjects: isFlag,
  see: isSee,
  dryRun: isFlag,
};

/**
 * Checks the options of a manager that its parts do not check.
 *
 * @throws {TypeError} If an option is unknown or of another type, or two options exclude each other.
 * @throws {RangeError} If a number is out of range.
 */
export function requireManagerOptions(options: ManagerOptions): void {
  requireOptions("Manager", options, CHECKS);
  if (options.leaderElection !== undefined && options.sharding !== undefined) {
    throw new TypeError(
      "A manager cannot have both leaderElection and sharding: with sharding, every replica reconciles its share",
    );
  }
  if (options.migrate === true && (options.definitions ?? []).length === 0) {
    throw new TypeError('A manager with "migrate" needs "definitions", whose objects it migrates');
  }
}
