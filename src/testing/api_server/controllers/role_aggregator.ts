import { formatTime, type KubeObject, type LabelSelector } from "@kubeloop/controller/types";
import { type PolicyRule, RBAC_GROUP } from "../access/mod.ts";
import { matchesSelector, type ResourceInfo } from "../kinds/mod.ts";
import type { ResourceStore, StoredObject } from "../storage/mod.ts";
import { type Json, jsonEqual } from "../../values/mod.ts";
import type { ControllerContext } from "./controller_context.ts";
import { LevelLoop } from "./level_loop.ts";
import { withOwnedFields } from "./owned_fields.ts";

/** The field manager of the controller that does this in a real cluster. */
const MANAGER = "clusterrole-aggregation-controller";

/** The number of rounds for roles that aggregate each other. A chain of roles needs one round per link. */
const MAX_ROUNDS = 100;

type ClusterRole = KubeObject & {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] | null };
};

/**
 * Fills the rules of ClusterRoles with an aggregation rule: the rules of all roles that its selectors match. In a real
 * cluster, a controller of kube-controller-manager does this a moment later; here it happens in the write itself, so
 * that no request is authorized by old rules.
 */
export class RoleAggregator {
  readonly #server: ControllerContext;
  readonly #resource: ResourceInfo;
  /** The parsed roles. A write replaces only the role that it changes. */
  readonly #parsed = new WeakMap<StoredObject, ClusterRole>();
  readonly #loop: LevelLoop;

  /** Creates an aggregator of the roles in `server`. */
  constructor(server: ControllerContext) {
    this.#server = server;
    this.#resource = server.registry.find(RBAC_GROUP, "v1", "clusterroles")!;
    this.#loop = new LevelLoop(server, "aggregate the rules of ClusterRoles", () => this.#update());
  }

  get #store(): ResourceStore {
    return this.#server.storage.store(this.#resource.storageName);
  }

  /** Brings all rules up to date. Call it after every write of a ClusterRole. */
  sync(): void {
    this.#loop.sync();
  }

  /** Cancels the retries. */
  close(): void {
    this.#loop.close();
  }

  #update(): undefined {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const roles = this.#store.list("");
      const changed = roles.filter((role) => this.#fill(role, roles));
      if (changed.length === 0) return;
    }
    this.#server.logger.warn(
      "ClusterRoles aggregate each other, and their rules do not settle. Some may be incomplete.",
    );
  }

  /** Fills the rules of one role, and reports whether they changed. */
  #fill(stored: StoredObject, roles: readonly StoredObject[]): boolean {
    const role = this.#read(stored);
    // An earlier role of this round may have changed the others.
    const others = roles.map((other) => this.#read(this.#store.get(other.key) ?? other));
    const rules = aggregatedRules(role, others);
    return rules !== undefined && this.#write(stored, rules);
  }

  #write(stored: StoredObject, rules: readonly PolicyRule[]): boolean {
    const { authorizer, clock, storage } = this.#server;
    const live = this.#resource.read(stored);
    const object = withRules(this.#resource, live, rules, formatTime(clock.wallNow()));
    if (jsonEqual(object as unknown as Json, live as unknown as Json)) return false;
    storage.put(this.#store, object, this.#resource.encodeStored);
    authorizer.invalidate();
    return true;
  }

  #read(stored: StoredObject): ClusterRole {
    let role = this.#parsed.get(stored);
    if (role === undefined) {
      role = stored.parse() as ClusterRole;
      this.#parsed.set(stored, role);
    }
    return role;
  }
}

/**
 * Returns the objects of a fresh cluster with the rules that they gather from each other. No other kind than ClusterRole
 * has an aggregation rule.
 */
export function withAggregatedRules(
  resource: ResourceInfo,
  objects: readonly KubeObject[],
  now: string,
): KubeObject[] {
  const roles = [...objects];
  for (let changed = true; changed;) {
    changed = false;
    for (const [index, role] of roles.entries()) {
      const sorted = [...roles].sort((a, b) => a.metadata.name! < b.metadata.name! ? -1 : 1);
      const rules = aggregatedRules(role, sorted);
      if (rules === undefined) continue;
      roles[index] = withRules(resource, role, rules, now);
      changed = true;
    }
  }
  return roles;
}

/** Returns the rules that a role gathers from the others, in their order; undefined if it has them already. */
function aggregatedRules(
  role: ClusterRole,
  others: readonly ClusterRole[],
): PolicyRule[] | undefined {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return undefined;
  const rules = new Map<string, PolicyRule>();
  for (const selector of selectors) {
    for (const { metadata: { name, labels }, rules: own } of others) {
      if (name === role.metadata.name || !matchesSelector(selector, labels)) continue;
      for (const rule of own ?? []) rules.set(identityOf(rule), rule);
    }
  }
  const before = (role.rules ?? []).map(identityOf);
  return jsonEqual(before, [...rules.keys()]) ? undefined : [...rules.values()];
}

/** Returns a role with gathered rules, which belong to the controller. */
function withRules(
  resource: ResourceInfo,
  live: KubeObject,
  rules: readonly PolicyRule[],
  now: string,
): KubeObject {
  const fields = rules.length === 0 ? {} : { rules: rules.map(withoutEmpty) };
  return withOwnedFields(resource, live, fields, { manager: MANAGER, now });
}

/** Returns a text that is the same for equal rules. An absent list equals an empty one. */
function identityOf(rule: PolicyRule): string {
  const { verbs, apiGroups, resources, resourceNames, nonResourceURLs } = rule;
  const lists = [verbs, apiGroups, resources, resourceNames, nonResourceURLs];
  return JSON.stringify(lists.map((list) => list ?? []));
}

function withoutEmpty(rule: PolicyRule): Json {
  const kept = Object.entries(rule).filter(([, list]) => Array.isArray(list) && list.length > 0);
  return Object.fromEntries(kept) as Json;
}
