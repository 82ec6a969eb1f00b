import { parallelizeUntil } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";
import {
  isForbidden,
  isNotFound,
  isUnauthorized,
  metadataOf,
  type Resource,
  resourceName,
} from "../../types/mod.ts";

/** The number of concurrent test lists at the start. */
const PARALLEL_LISTS = 8;

/** Objects that a manager lists. */
export interface Listed {
  readonly resource: Resource;
  /** The namespace; undefined for all. */
  readonly namespace: string | undefined;
}

/** The reason why a kind cannot be cached. */
interface Problem {
  readonly text: string;
  readonly error: unknown;
}

/**
 * Lists one object of each kind, so that a missing right or definition is an error at the start rather than a cache that never
 * syncs.
 *
 * @throws {Error} If the server refuses a kind. The message names all refused kinds and their remedies. Other failures are
 * ignored, because the informers retry.
 */
export async function requireReadable(
  client: Pick<Client, "list">,
  lists: readonly Listed[],
  signal: AbortSignal,
): Promise<void> {
  const problems: Problem[] = [];
  await parallelizeUntil(PARALLEL_LISTS, lists.length, async (piece) => {
    const problem = await problemOf(client, lists[piece]!, signal);
    if (problem !== undefined) problems.push(problem);
  }, { signal });
  signal.throwIfAborted();
  if (problems.length === 0) return;
  const texts = [...new Set(problems.map(({ text }) => text))].toSorted();
  throw new Error(`The manager cannot start: ${texts.join("; ")}`, { cause: problems[0]?.error });
}

async function problemOf(
  client: Pick<Client, "list">,
  { resource, namespace }: Listed,
  signal: AbortSignal,
): Promise<Problem | undefined> {
  const name = resourceName(resource);
  try {
    await client.list(metadataOf(resource), { namespace, limit: 1, maxRetries: 0, signal });
  } catch (error) {
    if (isNotFound(error)) {
      return {
        error,
        text: `the server does not know ${name} in version ${resource.version}: ` +
          "install its CustomResourceDefinition, for example with installDefinitions()",
      };
    }
    if (isForbidden(error) || isUnauthorized(error)) {
      const where = namespace === undefined ? "" : ` in namespace "${namespace}"`;
      return {
        error,
        text: `it may not list ${name}${where}: grant the rights that manager.rbac() prints`,
      };
    }
  }
  return undefined;
}
