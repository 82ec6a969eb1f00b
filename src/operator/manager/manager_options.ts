import type { CacheEnvironment, Environment } from "../../base/mod.ts";
import type { Resource } from "../../types/mod.ts";
import type { LeaderElectionOptions, ShardingOptions } from "../../election/mod.ts";
import type { TracerLike } from "../stories/mod.ts";
import type { WebhookServerOptions } from "../../webhooks/mod.ts";
import type { Checks } from "./checks.ts";

/** Options of a {@linkcode Manager}. Missing fields of the environment are inherited from the client. */
export interface ManagerOptions extends CacheEnvironment {
  /** The name of the manager in log lines, and of the roles that `rbac` prints. Default `operator`. */
  readonly name?: string | undefined;
  /** The namespaces whose objects are cached. Default: all, with one informer for each kind. */
  readonly namespaces?: readonly string[] | undefined;
  /** Elects one of several replicas, which reconciles. Default: every replica reconciles, so run only one. */
  readonly leaderElection?: Omit<LeaderElectionOptions, keyof Environment> | undefined;
  /** Spreads the keys over all replicas, each of which reconciles its share. Not together with `leaderElection`. */
  readonly sharding?: Omit<ShardingOptions, keyof Environment> | undefined;
  /**
   * The custom resources whose CustomResourceDefinitions the manager installs at its start, before it reads them; see
   * `installDefinitions`. Default: none; somebody else has installed them.
   */
  readonly definitions?: readonly Resource[] | undefined;
  /** Serves {@linkcode Manager.webhooks}, with certificates that it makes and renews. Default: no webhooks. */
  readonly webhooks?: Omit<WebhookServerOptions, keyof Environment> | undefined;
  /** Serves {@linkcode Manager.handler} while the manager runs. Default: nothing is served. */
  readonly http?: {
    /** The port. */
    readonly port: number;
    /** The address to listen on. Default `0.0.0.0`: the kubelet connects from outside of the Pod. */
    readonly hostname?: string | undefined;
  } | undefined;
  /** Checks of `/healthz` besides the manager's own. */
  readonly healthChecks?: Checks | undefined;
  /**
   * Whether `/healthz` fails while a reconcile has not ended at its deadline, so that the kubelet restarts the process. Such
   * a reconcile ignores its signal and occupies a worker. It is logged and counted in any case. Default false.
   */
  readonly unhealthyWhenHung?: boolean | undefined;
  /** Checks of `/readyz` besides the manager's own: the caches have synced, and the manager is not stopping. */
  readonly readyChecks?: Checks | undefined;
  /**
   * How long the parts may take to stop, in milliseconds. Default 30,000, as in controller-runtime. After that, `run` rejects
   * and names the parts that still run.
   */
  readonly gracefulStopTimeoutMs?: number | undefined;
  /** How long the caches may take to sync at the start, in milliseconds. Default 120,000, as in controller-runtime. */
  readonly cacheSyncTimeoutMs?: number | undefined;
  /**
   * Receives a span for each reconcile, with its causes: the tracer of `@opentelemetry/api`. Default: no spans.
   */
  readonly tracer?: TracerLike | undefined;
  /**
   * Whether stories keep what has changed in objects, so that a simulation can replay them; see `workloadOf` of
   * `@kubeloop/testing/simulation`. Secrets are never kept. Default false: only the paths of fields are kept.
   */
  readonly recordObjects?: boolean | undefined;
  /**
   * Whether nothing is written: controllers only try their writes and log what they would change, and Events are logged.
   * Definitions are not installed, webhooks not served, and no lease is taken. The steps of finalizers, which reach out of
   * the cluster, are not called. Default false.
   */
  readonly dryRun?: boolean | undefined;
}
