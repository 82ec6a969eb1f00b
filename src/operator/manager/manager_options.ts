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
  /** Elects one replica, which reconciles. Default: every replica reconciles, so run only one. */
  readonly leaderElection?: Omit<LeaderElectionOptions, keyof Environment> | undefined;
  /** Spreads the keys over all replicas. Excludes `leaderElection`. Default: none. */
  readonly sharding?: Omit<ShardingOptions, keyof Environment> | undefined;
  /**
   * The custom resources whose CustomResourceDefinitions the manager installs at its start, before it reads them; see
   * `installDefinitions`. Default: none; the definitions are already installed.
   */
  readonly definitions?: readonly Resource[] | undefined;
  /** Serves {@linkcode Manager.webhooks}, with certificates that the manager creates and renews. Default: no webhooks. */
  readonly webhooks?: Omit<WebhookServerOptions, keyof Environment> | undefined;
  /** Serves {@linkcode Manager.handler} while the manager runs. Default: no server. */
  readonly http?: {
    /** The port. */
    readonly port: number;
    /** The address to listen on. Default `0.0.0.0`, because the kubelet connects from outside of the Pod. */
    readonly hostname?: string | undefined;
  } | undefined;
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
   * Whether the manager writes nothing. Writes of controllers are dry runs whose differences are logged, and Events are
   * logged. Definitions are not installed, webhooks are not served, and no lease is taken. The steps of finalizers are not
   * called, because they act outside of the cluster. Default false.
   */
  readonly dryRun?: boolean | undefined;
}
