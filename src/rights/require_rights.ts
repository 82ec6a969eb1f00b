import { parallelizeUntil } from "../base/mod.ts";
import type { Client } from "../client/mod.ts";
import { isForbidden, isNotFound, type ResourceDescriptor } from "../types/mod.ts";
import { MissingRightsError } from "./missing_rights_error.ts";
import { isNameless } from "./policy_rules.ts";
import { type AccessAttributes, reviewAccess, type ReviewedRules, reviewRules } from "./reviews.ts";
import { requireRightList, type Right, ruleResourceOf, scopeOf } from "./right.ts";

/** Options of {@linkcode requireRights}. */
export interface RequireRightsOptions {
  /** Aborts the requests. The promise then rejects with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** The number of concurrent reviews. */
const PARALLEL_REVIEWS = 8;

/** A question to the API server: one verb on all objects of a resource, or on one object. */
interface Question {
  readonly resource: ResourceDescriptor;
  readonly subresource: string | undefined;
  /** The namespace; empty for all, and for cluster-scoped resources. */
  readonly scope: string;
  readonly verb: string;
  /** The name of the object; empty for all. */
  readonly object: string;
}

/**
 * Requires that the user of a client has the given rights. Call it at the start of a program, so that a missing right is one
 * clear error instead of a 403 an hour later.
 *
 * It makes one request if the user is an administrator. Otherwise it makes one request for each namespace, and one for each
 * verb on a resource in all namespaces. If the server does not serve reviews (403 or 404), nothing is checked.
 *
 * @param client The client.
 * @param rights The rights.
 * @param options The signal that stops the requests.
 * @throws {TypeError} If a right has no resource or no verbs.
 * @throws {MissingRightsError} If rights are missing. The message lists all of them, and the rules that grant them.
 * @throws {StatusError} If the server fails.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { requireRights } from "@kubeloop/controller/rights";
 * import { Pods } from "@kubeloop/controller/types";
 * import { ApiServer } from "@kubeloop/testing";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * await requireRights(client, [{ resource: Pods, verbs: ["list", "watch"] }]);
 * ```
 */
export async function requireRights(
  client: Client,
  rights: readonly Right[],
  options: RequireRightsOptions = {},
): Promise<void> {
  requireRightList("check rights", rights);
  const questions = questionsOf(rights);
  if (questions.length === 0) return;
  let missing: readonly Question[];
  try {
    missing = await findMissing(client, questions, options.signal);
  } catch (error) {
    if (isForbidden(error) || isNotFound(error)) return;
    throw error;
  }
  if (missing.length > 0) throw new MissingRightsError(rightsOf(missing));
}

async function findMissing(
  client: Client,
  questions: readonly Question[],
  signal: AbortSignal | undefined,
): Promise<Question[]> {
  if (await reviewAccess(client, { group: "*", resource: "*", verb: "*" }, signal)) return [];
  const namespaces = [...new Set(questions.map(({ scope }) => scope))].filter((one) => one !== "");
  const known = new Map<string, ReviewedRules>();
  await each(namespaces, async (namespace) => {
    known.set(namespace, await reviewRules(client, namespace, signal));
  });
  // The list of rules may be incomplete, so each verb that it does not allow is reviewed separately.
  const open = questions.filter((one) => !known.get(one.scope)?.allow(attributesOf(one)));
  const denied = new Set<Question>();
  await each(open, async (one) => {
    if (!await reviewAccess(client, attributesOf(one), signal)) denied.add(one);
  });
  return open.filter((one) => denied.has(one));
}

function each<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  return parallelizeUntil(PARALLEL_REVIEWS, items.length, (index) => work(items[index]!));
}

function attributesOf({ resource, subresource, scope, verb, object }: Question): AccessAttributes {
  return {
    group: resource.group,
    resource: resource.plural,
    verb,
    ...(subresource ? { subresource } : {}),
    ...(scope === "" ? {} : { namespace: scope }),
    ...(object === "" ? {} : { name: object }),
  };
}

/** Returns the distinct questions about the rights. */
function questionsOf(rights: readonly Right[]): Question[] {
  const questions = new Map<string, Question>();
  for (const right of rights) {
    const { resource, subresource, resourceNames = [] } = right;
    const scope = scopeOf(right);
    for (const verb of right.verbs) {
      for (const object of isNameless(verb) || resourceNames.length === 0 ? [""] : resourceNames) {
        const key = JSON.stringify([scope, resource.group, ruleResourceOf(right), verb, object]);
        questions.set(key, { resource, subresource, scope, verb, object });
      }
    }
  }
  return [...questions.values()];
}

/** Returns the fewest rights that cover the questions. */
function rightsOf(questions: readonly Question[]): Right[] {
  const names = groupBy(questions, ({ resource, subresource, scope, verb }) => [
    scope,
    resource.group,
    resource.plural,
    subresource,
    verb,
  ]).map(([first, ...rest]) => ({
    first,
    objects: [first, ...rest].map(({ object }) => object).filter((object) => object !== ""),
  }));
  return groupBy(names, ({ first: { resource, subresource, scope }, objects }) => [
    scope,
    resource.group,
    resource.plural,
    subresource,
    objects,
  ]).map((group) => {
    const [{ first: { resource, subresource, scope }, objects }] = group;
    return {
      resource,
      verbs: group.map(({ first }) => first.verb),
      ...(subresource ? { subresource } : {}),
      ...(scope === "" ? {} : { namespace: scope }),
      ...(objects.length === 0 ? {} : { resourceNames: objects }),
    };
  });
}

function groupBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => unknown,
): (readonly [Item, ...Item[]])[] {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = JSON.stringify(keyOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()];
}
