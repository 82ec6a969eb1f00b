/**
 * The simulated world: processes with their lives and wires, the external world, and everyone else who writes to the cluster.
 *
 * @module
 */

export { atItsTime, guardRuntime } from "./ambient.ts";
export { observeCalls } from "./client_calls.ts";
export { cloudOf, type CloudRun } from "./cloud_calls.ts";
export { CloudIds } from "./cloud_ids.ts";
export { Collector } from "./collector.ts";
export { Life, livingBody } from "./life.ts";
export {
  defaultingWebhook,
  gitOps,
  hpa,
  kubectlEdit,
  type Neighbour,
  type NeighbourEnv,
} from "./neighbours.ts";
export { Outages } from "./outages.ts";
export { GONE_MS, Processes } from "./processes.ts";
export { prepare, type Setup } from "./setup.ts";
export { SimulatedWorld, type WorldEvents } from "./simulated_world.ts";
export { ThirdParty, urlOf } from "./third_party.ts";
export { isWrite, Wire, type WireRun } from "./wire.ts";
export type {
  Cloud,
  CloudEnv,
  Invariant,
  Process,
  ProcessEnv,
  RunLimits,
  SimulationOptions,
  World,
} from "./options.ts";
