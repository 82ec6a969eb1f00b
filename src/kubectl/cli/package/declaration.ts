import { crd } from "@kubeloop/controller/crd";
import type { Manager } from "@kubeloop/controller/operator";
import type { CustomResourceDefinition } from "@kubeloop/controller/types";

/** The part of a manager that the declaration reads. The manager may come from another copy of the library than this program. */
export type ManagerLike = Pick<Manager, "name" | "options" | "permissions" | "rbac">;

/** The place of an operator. */
export interface DeclareOptions {
  /** The namespace, which the client of the manager has too. */
  readonly namespace: string;
  /** The number of replicas. Default: 2 if the manager elects a leader or shards, 1 otherwise. */
  readonly replicas?: number | undefined;
}

/** The needs of an operator in its cluster. */
export interface Declaration {
  readonly name: string;
  readonly namespace: string;
  readonly replicas: number;
  /** Whether several replicas may run at the same time. */
  readonly hasReplicas: boolean;
  /** The roles, as YAML. */
  readonly rbac: string;
  /** The flags of `deno run`. */
  readonly permissions: readonly string[];
  /** The definitions that can be installed without the operator. */
  readonly definitions: readonly CustomResourceDefinition[];
  /** The port of the probes and metrics. */
  readonly httpPort: number | undefined;
  /** The Service of the webhooks, and the port that they are served on. */
  readonly webhooks:
    | { readonly service: string; readonly servicePort: number; readonly port: number }
    | undefined;
  /** The time that the kubelet gives the operator to stop. */
  readonly stopSeconds: number;
  /** Notes for the user. */
  readonly notes: readonly string[];
}

/** The default of `Manager` for `gracefulStopTimeoutMs`. */
const STOP_MS = 30_000;
/** The time between the end of a graceful stop and the kill, in milliseconds. */
const KILL_MS = 10_000;
const WEBHOOK_PORT = 9443;
const HTTPS = 443;

/**
 * Returns the needs of a manager in its cluster.
 *
 * @throws {RangeError} If the manager can have only one replica, and more are asked for.
 * @throws {Error} If its webhooks are in another namespace.
 */
export function declare(
  manager: ManagerLike,
  { namespace, replicas }: DeclareOptions,
): Declaration {
  const { name, options } = manager;
  const { gracefulStopTimeoutMs = STOP_MS, http, leaderElection, sharding } = options;
  const hasReplicas = (leaderElection ?? sharding) !== undefined;
  if (!hasReplicas && replicas !== undefined && replicas > 1) {
    throw new RangeError(
      `${name} cannot have ${replicas} replicas, which would all reconcile: give its Manager leaderElection or sharding`,
    );
  }
  const notes: string[] = [];
  if (http === undefined) {
    notes.push(`${name} has no probes: give its Manager an http port`);
  }
  const definitions: CustomResourceDefinition[] = [];
  for (const resource of options.definitions ?? []) {
    const definition = crd(resource);
    const { conversion, versions } = definition.spec;
    if (versions.length === 1 || conversion !== undefined) definitions.push(definition);
    else notes.push(`${definition.metadata.name} is installed by ${name}, which converts it`);
  }
  return {
    name,
    namespace,
    replicas: replicas ?? (hasReplicas ? 2 : 1),
    hasReplicas,
    rbac: manager.rbac({ namespace }),
    permissions: manager.permissions(),
    definitions,
    httpPort: http?.port,
    webhooks: webhooksOf(manager, namespace),
    stopSeconds: Math.ceil((gracefulStopTimeoutMs + KILL_MS) / 1000),
    notes,
  };
}

function webhooksOf({ name, options }: ManagerLike, namespace: string): Declaration["webhooks"] {
  const { port = WEBHOOK_PORT, service } = options.webhooks ?? {};
  if (service === undefined) return undefined;
  if (service.namespace !== namespace) {
    throw new Error(
      `The webhooks of ${name} are at the Service ${service.namespace}/${service.name}, outside of the namespace ` +
        `${namespace}: use client.namespace as the namespace of the Service, or pass --namespace ${service.namespace}`,
    );
  }
  return { service: service.name, servicePort: service.port ?? HTTPS, port };
}
