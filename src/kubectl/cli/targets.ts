import { visibleText } from "@kubeloop/controller/internal/base";
import type { Client, DiscoveredResource } from "@kubeloop/controller/client";
import { resourceName } from "@kubeloop/controller/types";
import { type Connection, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { UsageError } from "./exits.ts";
import type { CommandHost } from "./host.ts";

/** The maximum number of objects in the arguments of a command. */
const MAX_TARGETS = 1000;

/** The maximum number of other resources of the same name in a note. */
const MAX_OTHERS = 5;

/** The maximum length of a shown name with its resource, in characters. Each valid part has at most 253. */
const MAX_NAME = 1000;

/** A target of a command: one object, or all objects of a resource. */
export interface Target {
  readonly resource: DiscoveredResource;
  /** The name of the object; undefined for all objects. */
  readonly name: string | undefined;
}

/**
 * Parses the targets in the forms of kubectl: `pods`, `pods web db`, `pods/web deploy/web`, `pods,services`.
 *
 * @param args The positional arguments.
 * @param command The name of the command for messages, such as `get`.
 * @throws {UsageError} If there are no arguments, or `RESOURCE NAME` and `RESOURCE/NAME` are mixed.
 * @throws {NoMatchError} If the server has no such resource.
 */
export async function targetsOf(
  args: readonly string[],
  command: string,
  { client }: Connection,
  host: CommandHost,
): Promise<readonly Target[]> {
  const [types, ...names] = args;
  if (types === undefined) {
    throw new UsageError(`Nothing to ${command}: give a resource, as in kubeloop ${command} pods`);
  }
  if (args.length > MAX_TARGETS) throw new UsageError(`More than ${MAX_TARGETS} names`);
  if (args.includes("")) {
    throw new UsageError("An argument is empty: give RESOURCE or RESOURCE/NAME");
  }
  const isPair = (arg: string) => /^[^/]+\/[^/]+$/.test(arg);
  if (args.some((arg) => arg.includes("/")) && !args.every(isPair)) {
    throw new UsageError("Give RESOURCE/NAME for each object, or RESOURCE and then names");
  }
  if (isPair(types)) {
    const targets: Target[] = [];
    for (const arg of args) {
      const [type = "", name = ""] = arg.split("/");
      targets.push({ resource: await resourceOf(type, client, host), name });
    }
    return targets;
  }
  const resources = await resourcesOf(types, client, host);
  if (names.length > 0 && resources.length > 1) {
    throw new UsageError("Names need one resource: give RESOURCE/NAME for each object");
  }
  return resources.flatMap((resource): Target[] =>
    names.length === 0 ? [{ resource, name: undefined }] : names.map((name) => ({ resource, name }))
  );
}

/** Returns the resources with these names. A name may be a category, such as `all`. */
async function resourcesOf(
  types: string,
  client: Client,
  host: CommandHost,
): Promise<readonly DiscoveredResource[]> {
  const call = { signal: host.signal, timeoutMs: REQUEST_TIMEOUT_MS };
  const found = await client.resourcesFor(types, call);
  return found.length === 1 ? [await resourceOf(types, client, host)] : found;
}

/**
 * Returns the resource with a name. If a resource outside of the core group is chosen, and other API groups have a resource
 * with the same name, a note on standard error names the choice.
 *
 * @throws {NoMatchError} If the server has no such resource.
 */
export async function resourceOf(
  type: string,
  client: Client,
  host: CommandHost,
): Promise<DiscoveredResource> {
  const call = { signal: host.signal, timeoutMs: REQUEST_TIMEOUT_MS };
  const found = await client.resourceFor(type, call);
  if (found.group === "" || type.includes(".")) return found;
  const others = (await client.resources(call)).filter(({ plural, group }) =>
    plural === found.plural && group !== found.group
  );
  if (others.length > 0) {
    const names = [...new Set(others.map(resourceName))].slice(0, MAX_OTHERS).join(", ");
    host.warn(`note: ${type} is taken as ${resourceName(found)}; there is ${names}, too`);
  }
  return found;
}

/** Returns the namespace for a request; undefined for all namespaces, and for cluster-scoped resources. */
export function namespaceFor(
  { namespaced }: DiscoveredResource,
  { namespace }: Connection,
  isAll: boolean,
): string | undefined {
  return namespaced && !isAll ? namespace : undefined;
}

/** Returns the name of an object in the form of kubectl, `deployment.apps/web`, on one line and of bounded length. */
export function objectName(
  { kind, group }: Pick<DiscoveredResource, "kind" | "group">,
  name: string,
): string {
  return visibleText(`${kind.toLowerCase()}${group === "" ? "" : `.${group}`}/${name}`, MAX_NAME);
}
