import { isRecord, parseJson } from "../base/mod.ts";
import { formatMicroTime, type Lease, type Stored } from "../types/mod.ts";
import { type LeaseBody, nextTransition, renewalWallMs, transitionsOf } from "./lease_record.ts";

/** The annotation that holds the table: the owner of each shard. */
export const TABLE_ANNOTATION = "kubeloop/shards";

/** The owners of the shards, in the Lease `NAME-shards`. All replicas update it, based on the version that they read. */
export interface ShardTable {
  readonly lease: Stored<Lease>;
  /** The token of the member that owns each shard; undefined for a free shard. */
  readonly owners: readonly (string | undefined)[];
}

/** Returns the table in a Lease; undefined if the annotation is invalid. */
export function readTable(lease: Stored<Lease>): ShardTable | undefined {
  let value: unknown;
  try {
    value = parseJson(String(lease.metadata.annotations?.[TABLE_ANNOTATION]));
  } catch {
    return undefined;
  }
  if (!isRecord(value) || !isCount(value.shards) || !isRecord(value.owners)) return undefined;
  const owners: (string | undefined)[] = new Array(value.shards).fill(undefined);
  for (const [token, shards] of Object.entries(value.owners)) {
    if (!Array.isArray(shards)) return undefined;
    for (const shard of shards) {
      // A repeated shard would have two owners.
      if (!Number.isInteger(shard) || shard < 0 || shard >= owners.length) return undefined;
      if (owners[shard] !== undefined) return undefined;
      owners[shard] = token;
    }
  }
  return { lease, owners };
}

/** Returns the Lease of a table. It always differs from `lease`, so that the server creates a new version. */
export function writeTable(
  lease: Stored<Lease> | undefined,
  table: {
    readonly name: string;
    readonly namespace: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly owners: readonly (string | undefined)[];
    readonly wallMs: number;
  },
): LeaseBody {
  const { name, namespace, owners } = table;
  const byOwner: Record<string, number[]> = {};
  owners.forEach((owner, shard) => {
    if (owner !== undefined) (byOwner[owner] ??= []).push(shard);
  });
  const text = JSON.stringify({ shards: owners.length, owners: byOwner });
  const renewTime = formatMicroTime(renewalWallMs(table.wallMs, lease?.spec?.renewTime));
  return {
    ...lease,
    metadata: {
      ...lease?.metadata,
      name,
      namespace,
      labels: { ...lease?.metadata.labels, ...table.labels },
      annotations: { ...lease?.metadata.annotations, [TABLE_ANNOTATION]: text },
    },
    spec: {
      renewTime,
      leaseTransitions: lease === undefined ? 0 : nextTransition(transitionsOf(lease)),
    },
  };
}

/** Maximum number of shards, so that the table fits into an annotation. */
export const MAX_SHARDS = 1024;

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_SHARDS;
}
