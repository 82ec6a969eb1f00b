import {
  child,
  type FieldError,
  getOwn,
  getString,
  internalError,
  internalFailure,
  invalidValue,
  item,
  type JsonObject,
} from "../../../../values/mod.ts";
import type { Allocation } from "../../record/mod.ts";
import { objects } from "../../shared/mod.ts";
import { allocatesNodePorts, needsHealthCheckPort, needsNodePorts } from "./service_fields.ts";

/**
 * The range of node ports. The ports below `FIRST_FREE_NODE_PORT` are allocated last, because users choose from those.
 */
const FIRST_NODE_PORT = 30_000;
const LAST_NODE_PORT = 32_767;
const FIRST_FREE_NODE_PORT = 30_086;

/** The ports that one write allocates. */
class PortOperation {
  readonly #isTaken: Allocation["isTaken"];
  readonly #dryRun: boolean;
  /** The ports of the Service itself, before and after. */
  readonly #own: Set<number>;
  /** The highest port that has been taken; 0 before the first. */
  #highest = 0;
  readonly #candidates = lowestLast(FIRST_NODE_PORT, FIRST_FREE_NODE_PORT, LAST_NODE_PORT);

  constructor(had: readonly number[], { isTaken, dryRun }: Allocation) {
    this.#own = new Set(had);
    this.#isTaken = isTaken;
    this.#dryRun = dryRun;
  }

  /** Takes a port. Returns an error if it is taken or out of range. A dry run does not check the range. */
  take(port: number): string | undefined {
    if (!this.#dryRun && (port < FIRST_NODE_PORT || port > LAST_NODE_PORT)) {
      const range = `${FIRST_NODE_PORT}-${LAST_NODE_PORT}`;
      return `provided port is not in the valid range. The range of valid ports is ${range}`;
    }
    if (this.#has(port)) return "provided port is already allocated";
    this.#add(port);
    return undefined;
  }

  /** Takes a free port. A dry run takes one outside the range instead of looking for a free one. */
  takeNext(): number {
    if (this.#dryRun) return this.#add(this.#highest + 1, LAST_NODE_PORT + 2);
    // One pass over the candidates serves all ports of the Service: a port that is taken does not get free.
    for (let next = this.#candidates.next(); !next.done; next = this.#candidates.next()) {
      if (!this.#has(next.value)) return this.#add(next.value);
    }
    return LAST_NODE_PORT;
  }

  #has(port: number): boolean {
    return this.#own.has(port) || this.#isTaken(port);
  }

  #add(port: number, first = port): number {
    const added = this.#highest === 0 ? first : port;
    this.#highest = Math.max(this.#highest, added);
    this.#own.add(added);
    return added;
  }
}

/**
 * Allocates the node ports that a Service needs and does not have, and sets them in its spec.
 *
 * @param before The spec that is replaced; empty on a create.
 * @param allocation The values of other Services, and whether this is a dry run.
 * @throws {ApiError} 500, if the Service requests a port for health checks that it cannot have, or an update has a port
 * twice.
 */
export function allocateNodePorts(
  spec: JsonObject,
  before: JsonObject | undefined,
  allocation: Allocation,
): FieldError[] {
  const had = before === undefined ? [] : nodePorts(before);
  const operation = new PortOperation(had, allocation);
  const ports = objects(spec, "ports").map((port) => ({ ...port }));
  if (needsNodePorts(spec)) {
    const error = before === undefined
      ? createPorts(spec, ports, operation)
      : updatePorts(spec, ports, new Set(had), operation);
    if (error !== undefined) return [error];
    if (ports.length > 0) spec["ports"] = ports;
  }
  if (needsHealthCheckPort(spec) && !(before !== undefined && needsHealthCheckPort(before))) {
    setHealthCheckPort(spec, operation);
  }
  return [];
}

/** Ports with the same number and different protocols share a node port. */
function createPorts(
  spec: JsonObject,
  ports: readonly JsonObject[],
  operation: PortOperation,
): FieldError | undefined {
  // The first node port that is asked for counts.
  const requested = new Map(
    ports.filter((port) => nodePortOf(port) !== 0).toReversed()
      .map((port) => [Number(port["port"]), nodePortOf(port)]),
  );
  const known = new Map<number, number>();
  for (const [index, port] of ports.entries()) {
    const asked = nodePortOf(port);
    if (asked === 0 && !allocatesNodePorts(spec)) continue;
    const number = Number(port["port"]);
    const shared = known.get(number);
    if (shared === undefined) {
      const nodePort = requested.get(number) ?? 0;
      if (nodePort !== 0) {
        const why = operation.take(nodePort);
        if (why !== undefined) return refused(index, nodePort, why);
      }
      port["nodePort"] = nodePort || operation.takeNext();
      known.set(number, port["nodePort"] as number);
    } else if (asked === 0) port["nodePort"] = shared;
    else if (asked !== shared) {
      const why = operation.take(asked);
      if (why !== undefined) return refused(index, asked, why);
    }
  }
  return undefined;
}

function updatePorts(
  spec: JsonObject,
  ports: readonly JsonObject[],
  had: ReadonlySet<number>,
  operation: PortOperation,
): FieldError | undefined {
  const added = new Set<number>();
  const used = new Set<string>();
  for (const [index, port] of ports.entries()) {
    const asked = nodePortOf(port);
    if (asked === 0) {
      if (!allocatesNodePorts(spec)) continue;
      port["nodePort"] = operation.takeNext();
    } else if (!had.has(asked) && !added.has(asked)) {
      const why = operation.take(asked);
      if (why !== undefined) return refused(index, asked, why);
      added.add(asked);
    }
    const place = `{${getString(port, "protocol")} ${nodePortOf(port)}}`;
    if (used.has(place)) throw internalError(`duplicate nodePort: ${place}`);
    used.add(place);
  }
  return undefined;
}

function setHealthCheckPort(spec: JsonObject, operation: PortOperation): void {
  const asked = Number(getOwn(spec, "healthCheckNodePort") ?? 0);
  if (asked === 0) {
    spec["healthCheckNodePort"] = operation.takeNext();
    return;
  }
  const why = operation.take(asked);
  if (why === undefined) return;
  throw internalFailure(`failed to allocate requested HealthCheck NodePort ${asked}: ${why}`);
}

function refused(index: number, port: number, why: string): FieldError {
  return invalidValue(child(item("spec.ports", index), "nodePort"), port, why);
}

function nodePortOf(port: JsonObject): number {
  return Number(getOwn(port, "nodePort") ?? 0);
}

/** Returns all node ports of a Service. */
export function nodePorts(spec: JsonObject): number[] {
  const checked = getString(spec, "type") === "LoadBalancer"
    ? [Number(getOwn(spec, "healthCheckNodePort") ?? 0)]
    : [];
  return [...objects(spec, "ports").map(nodePortOf), ...checked].filter((port) => port !== 0);
}

/** Yields the numbers from `firstFree`, and then the lower numbers. */
export function* lowestLast(first: number, firstFree: number, last: number): Generator<number> {
  for (let number = firstFree; number <= last; number++) yield number;
  for (let number = first; number < firstFree; number++) yield number;
}
