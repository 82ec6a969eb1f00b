import {
  describeValue,
  isFlag,
  isRecord,
  isSignal,
  type OptionChecks,
  requireOptions,
} from "@kubeloop/controller/internal/base";
import type { Client } from "@kubeloop/controller/client";
import {
  type DeepReadonly,
  type KubeObject,
  type Node,
  Nodes,
  type Stored,
} from "@kubeloop/controller/types";
import { requireClient } from "./target.ts";

/** The name of a Node, or the Node. */
export type NodeTarget = string | DeepReadonly<KubeObject>;

/** Options of {@linkcode cordon} and {@linkcode uncordon}. */
export interface CordonOptions {
  /** Whether the server only tries the change. Default false. */
  readonly dryRun?: boolean | undefined;
  /** Stops the request. */
  readonly signal?: AbortSignal | undefined;
}

const CHECKS: OptionChecks<CordonOptions> = { dryRun: isFlag, signal: isSignal };

/**
 * Marks a Node as unschedulable, as `kubectl cordon` does. Running Pods stay.
 *
 * @param client The client that makes the request.
 * @param node The name of the Node, or the Node.
 * @param options A dry run, and a signal.
 * @returns The Node.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { cordon, uncordon } from "@kubeloop/kubectl";
 * import { Nodes } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * await client.create(Nodes, { metadata: { name: "n1" } });
 * assertEquals((await cordon(client, "n1")).spec?.unschedulable, true);
 * assertEquals((await uncordon(client, "n1")).spec?.unschedulable, undefined);
 * ```
 */
export async function cordon(
  client: Client,
  node: NodeTarget,
  options: CordonOptions = {},
): Promise<Stored<Node>> {
  return await setUnschedulable(client, node, "cordon", options);
}

/**
 * Marks a Node as schedulable again, as `kubectl uncordon` does.
 *
 * @param client The client that makes the request.
 * @param node The name of the Node, or the Node.
 * @param options A dry run, and a signal.
 * @returns The Node.
 *
 * @example
 * ```ts
 * import type { Client } from "@kubeloop/controller/client";
 * import { uncordon } from "@kubeloop/kubectl";
 *
 * async function open(client: Client) {
 *   await uncordon(client, "n1");
 * }
 * ```
 */
export async function uncordon(
  client: Client,
  node: NodeTarget,
  options: CordonOptions = {},
): Promise<Stored<Node>> {
  return await setUnschedulable(client, node, "uncordon", options);
}

/**
 * Returns the name of a Node.
 *
 * @throws {TypeError} If `node` is neither a name nor an object with one.
 */
export function nodeNameOf(node: NodeTarget, fn: string): string {
  const given: unknown = node;
  const name = isRecord(given) && isRecord(given.metadata) ? given.metadata["name"] : given;
  if (typeof name === "string" && name !== "") return name;
  throw new TypeError(
    `${fn}() needs the name of a Node, or a Node: received ${describeValue(given)}`,
  );
}

async function setUnschedulable(
  client: Client,
  node: NodeTarget,
  fn: "cordon" | "uncordon",
  options: CordonOptions,
): Promise<Stored<Node>> {
  requireClient(client, fn);
  const name = nodeNameOf(node, fn);
  requireOptions(`${fn}()`, options, CHECKS);
  const { dryRun, signal } = options;
  const patch = { spec: { unschedulable: fn === "cordon" } };
  return await client.patch(Nodes, name, patch, { dryRun, signal });
}
