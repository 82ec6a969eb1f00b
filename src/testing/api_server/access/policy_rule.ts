import { quote } from "../../values/mod.ts";

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly verbs?: readonly string[] | null;
  readonly apiGroups?: readonly string[] | null;
  readonly resources?: readonly string[] | null;
  readonly resourceNames?: readonly string[] | null;
  readonly nonResourceURLs?: readonly string[] | null;
}

/** The attributes of a request that authorization decides by. */
export interface AccessAttributes {
  /** The verb; for paths without a resource, the method in lower case. */
  readonly verb: string;
  /** The path, if the request is not for a resource. */
  readonly path?: string;
  /** The API group; empty for the core group. */
  readonly group: string;
  /** The resource; empty for other paths. */
  readonly resource: string;
  /** The subresource; empty if the request has none. */
  readonly subresource: string;
  /** The namespace; empty at the cluster scope. */
  readonly namespace: string;
  /** The name of the object; empty if the request has none. */
  readonly name: string;
}

/** Everything: what `cluster-admin` grants. */
export const FULL_AUTHORITY: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

/** Reports whether `rule` allows a request. */
export function allows(rule: PolicyRule, asked: AccessAttributes): boolean {
  if (!has(rule.verbs, asked.verb)) return false;
  const { path } = asked;
  if (path !== undefined) return (rule.nonResourceURLs ?? []).some((url) => coversUrl(url, path));
  if (!has(rule.apiGroups, asked.group)) return false;
  const names = rule.resourceNames ?? [];
  return coversResource(rule.resources ?? [], asked.resource, asked.subresource) &&
    (names.length === 0 || names.includes(asked.name));
}

function has(allowed: readonly string[] | null | undefined, value: string): boolean {
  return allowed?.some((one) => one === "*" || one === value) ?? false;
}

function coversResource(
  resources: readonly string[],
  resource: string,
  subresource: string,
): boolean {
  if (subresource === "") return has(resources, resource);
  return has(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`);
}

function coversUrl(url: string, path: string): boolean {
  return url === path || (url.endsWith("*") && path.startsWith(withoutStars(url)));
}

/** Removes the stars at the end. An expression for this would take quadratic time for many stars. */
function withoutStars(url: string): string {
  let end = url.length;
  while (url[end - 1] === "*") end--;
  return url.slice(0, end);
}

/** One verb on one resource, on one name or on all, or on one URL: the smallest part of a rule. */
interface Grain {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  /** The resource name; undefined for all names. */
  readonly name: string | undefined;
  /** The URL, if the rule is not for resources. */
  readonly url: string | undefined;
}

function* grainsOf(rule: PolicyRule): Generator<Grain> {
  const verbs = unique(rule.verbs);
  const resources = unique(rule.resources);
  const names = unique(rule.resourceNames);
  for (const group of unique(rule.apiGroups)) {
    for (const resource of resources) {
      for (const verb of verbs) {
        if (names.length === 0) yield { verb, group, resource, name: undefined, url: undefined };
        for (const name of names) yield { verb, group, resource, name, url: undefined };
      }
    }
  }
  for (const url of unique(rule.nonResourceURLs)) {
    for (const verb of verbs) yield { verb, group: "", resource: "", name: undefined, url };
  }
}

function unique(values: readonly string[] | null | undefined): readonly string[] {
  return [...new Set(values)];
}

/** A rule that is held, prepared for many comparisons. */
class Held {
  readonly #verbs: ReadonlySet<string>;
  readonly #groups: ReadonlySet<string>;
  readonly #resources: ReadonlySet<string>;
  readonly #names: ReadonlySet<string>;
  readonly #urls: readonly string[];

  constructor(rule: PolicyRule) {
    this.#verbs = new Set(rule.verbs);
    this.#groups = new Set(rule.apiGroups);
    this.#resources = new Set(rule.resources);
    this.#names = new Set(rule.resourceNames);
    this.#urls = unique(rule.nonResourceURLs);
  }

  covers({ verb, group, resource, name, url }: Grain): boolean {
    if (!this.#verbs.has("*") && !this.#verbs.has(verb)) return false;
    // As in the API server, a rule for resource names does not cover a URL either.
    if (this.#names.size > 0 && (name === undefined || !this.#names.has(name))) return false;
    if (url !== undefined) return this.#urls.some((held) => coversUrl(held, url));
    if (!this.#groups.has("*") && !this.#groups.has(group)) return false;
    if (this.#resources.has("*") || this.#resources.has(resource)) return true;
    const slash = resource.indexOf("/");
    return slash >= 0 && this.#resources.has(`*${resource.slice(slash)}`);
  }
}

/** The number of single permissions that a check looks at. A rule of a few kilobytes can have billions. */
const MAX_GRAINS = 20_000;

/** The permissions of wanted rules that the held rules lack. */
export interface MissingRights {
  /** The missing permissions, as the error of the API server shows them: sorted texts such as `{Verbs:["get"]}`. */
  readonly shown: readonly string[];
  /** Whether the rules have too many permissions to look at all of them. */
  readonly tooMany: boolean;
}

/** Returns the permissions in `wanted` that `held` does not cover; undefined if it covers all of them. */
export function missingRights(
  held: readonly PolicyRule[],
  wanted: readonly PolicyRule[],
): MissingRights | undefined {
  const owned = held.map((rule) => new Held(rule));
  const missing = new Map<string, { readonly grain: Grain; readonly verbs: string[] }>();
  let seen = 0;
  let tooMany = false;
  search: for (const rule of wanted) {
    for (const grain of grainsOf(rule)) {
      if (seen++ === MAX_GRAINS) {
        tooMany = true;
        break search;
      }
      if (owned.some((one) => one.covers(grain))) continue;
      // Permissions that differ only in the verb are shown together, except those for URLs.
      const { verb, group, resource, name, url } = grain;
      const key = JSON.stringify(url === undefined ? [group, resource, name] : [url, verb]);
      const known = missing.get(key);
      if (known === undefined) missing.set(key, { grain, verbs: [verb] });
      else known.verbs.push(verb);
    }
  }
  if (missing.size === 0 && !tooMany) return undefined;
  const shown = [...missing.values()].map(({ grain, verbs }) => showGrain(grain, verbs));
  return { shown: [...new Set(shown)].sort(), tooMany };
}

function showGrain({ group, resource, name, url }: Grain, verbs: readonly string[]): string {
  const parts = url === undefined
    ? [
      `APIGroups:${quoteList([group])}`,
      `Resources:${quoteList([resource])}`,
      ...(name === undefined ? [] : [`ResourceNames:${quoteList([name])}`]),
    ]
    : [`NonResourceURLs:${quoteList([url])}`];
  return `{${[...parts, `Verbs:${quoteList(verbs)}`].join(", ")}}`;
}

/** Formats texts as Go prints a list of strings with `%q`. */
export function quoteList(values: readonly string[]): string {
  return `[${values.map(quote).join(" ")}]`;
}
