/**
 * All cases, in the order in which they run.
 *
 * @module
 */

import { apiServer } from "./api_server.ts";
import type { Case } from "./case.ts";
import { bothEncodings, INFORMERS, RECONCILERS } from "./clients.ts";
import { flood, manager } from "./flood.ts";
import { idle } from "./idle.ts";
import { importing } from "./import.ts";
import { indexer } from "./indexer.ts";
import { INFORMERS_OF_ONE_CLIENT } from "./informers.ts";
import { paced } from "./paced.ts";
import { queue } from "./queue.ts";
import { queueRetries } from "./queue_retries.ts";
import { relist } from "./relist.ts";
import { SCALE } from "./scale.ts";
import { simulate } from "./simulate.ts";
import { SIZING } from "./sizing.ts";
import { soak } from "./soak.ts";
import { startup } from "./startup.ts";
import { syncCase } from "./sync.ts";

export const CASES: readonly Case[] = [
  importing,
  startup,
  queue,
  queueRetries,
  indexer,
  syncCase("sync", 10_000, {
    clients: [
      ...INFORMERS,
      "client-go-json",
      "kubeloop-transform",
      ...bothEncodings("kubeloop-metadata"),
    ],
  }),
  flood,
  syncCase("manager-start", 10_000, {
    title: ({ pods }) =>
      `Start of reconcilers, until ${pods.toLocaleString("en")} Pods are reconciled`,
    clients: ["floor", "kubeloop", "kubeloop-objects", ...RECONCILERS, "client-go-protobuf"],
  }),
  manager,
  paced,
  relist,
  syncCase("sync-160k", 160_000, { isLarge: true, runs: 3 }),
  idle,
  ...SCALE,
  ...INFORMERS_OF_ONE_CLIENT,
  apiServer,
  simulate,
  ...SIZING,
  soak,
];

/** Returns the case with that name. */
export function findCase(name: string): Case {
  const found = CASES.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = CASES.map((one) => one.name).join(", ");
  throw new RangeError(`Unknown case "${name}": known are ${known}`);
}
