import type { Client } from "../client/mod.ts";
import { SelfSubjectAccessReviews, SelfSubjectRulesReviews } from "../kinds/authorization/v1.ts";

/** The attributes of the reviewed request. An absent attribute means all. */
export interface AccessAttributes {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
}

/** A rule of the answer. An absent or null list is empty. */
interface ResourceRule {
  verbs?: string[] | null;
  apiGroups?: string[] | null;
  resources?: string[] | null;
  resourceNames?: string[] | null;
}

/** The rules of a user in a namespace, as far as the server can list them. */
export class ReviewedRules {
  readonly #rules: readonly ResourceRule[];

  constructor(rules: readonly ResourceRule[]) {
    this.#rules = rules;
  }

  /** Reports whether a rule allows the request. */
  allow({ group, resource, subresource, verb, name }: AccessAttributes): boolean {
    const full = subresource === undefined ? resource : `${resource}/${subresource}`;
    return this.#rules.some(({ verbs, apiGroups, resources, resourceNames }) =>
      covers(verbs, verb) && covers(apiGroups, group) &&
      (covers(resources, full) ||
        (subresource !== undefined && (resources?.includes(`*/${subresource}`) ?? false))) &&
      ((resourceNames?.length ?? 0) === 0 ||
        (name !== undefined && (resourceNames?.includes(name) ?? false)))
    );
  }
}

function covers(allowed: readonly string[] | null | undefined, value: string): boolean {
  return allowed?.some((one) => one === "*" || one === value) ?? false;
}

/** Asks the server whether the user of the client may make a request. */
export async function reviewAccess(
  client: Client,
  resourceAttributes: AccessAttributes,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const body = { metadata: {}, spec: { resourceAttributes } };
  const { status } = await client.create(SelfSubjectAccessReviews, body, { signal });
  return status?.allowed === true;
}

/** Asks the server for the rules of the user of the client in a namespace. */
export async function reviewRules(
  client: Client,
  namespace: string,
  signal: AbortSignal | undefined,
): Promise<ReviewedRules> {
  const body = { metadata: {}, spec: { namespace } };
  const { status } = await client.create(SelfSubjectRulesReviews, body, { signal });
  return new ReviewedRules(status?.resourceRules ?? []);
}
