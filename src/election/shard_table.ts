import { isRecord, parseJson } from "../base/mod.ts";
import { formatMicroTime, type Lease, type Stored } from "../types/mod.ts";
import { type LeaseBody, nextTransition, renewalWallMs, transitionsOf } from "./lease_record.ts";

/** The annotation of the table, with who owns which shard. */
export const TABLE_ANNOTATION = "kubeloop/shards";

/** Who owns which shard: the Lease `NAME-shards`, which all replicas write, each based on what it has read. */
export interface ShardTable {
  readonly lease: Stored<Lease>;
  /** The owner of each shard: the token of a member. Undefined if nobody owns it. */
  readonly owners: readonly (string | undefined)[];
}

/** Returns the table in a Lease; undefined if somebody has written something else into it. */
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
      // Twice the same shard would have two owners.
      if (!Number.isInteger(shard) || shard < 0 || shard >= owners.length) return undefined;
      if (owners[shard] !== undefined) return undefined;
      owners[shard] = token;
    }
  }
  return { lease, owners };
}

/** Returns the Lease of a table. It differs from `lease`, so that the server makes a new version of it in any case. */
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

/** The largest number of shards: the table of so many fits into an annotation. */
export const MAX_SHARDS = 1024;

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_SHARDS;
}
