import { formatTime, type KubeObject, type LabelSelector } from "@kubeloop/controller/types";
import { type PolicyRule, RBAC_GROUP } from "../access/mod.ts";
import { applyPatch, matchesSelector, type ResourceInfo } from "../kinds/mod.ts";
import type { ResourceStore, StoredObject } from "../storage/mod.ts";
import { type Json, jsonEqual } from "../values/mod.ts";
import type { ServerContext } from "./exchange.ts";

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
  readonly #server: ServerContext;
  readonly #resource: ResourceInfo;
  readonly #store: ResourceStore;
  /** The parsed roles. A write replaces only the one that it changes. */
  readonly #parsed = new WeakMap<StoredObject, ClusterRole>();

  /** Creates an aggregator of the roles in `server`. */
  constructor(server: ServerContext) {
    this.#server = server;
    this.#resource = server.registry.find(RBAC_GROUP, "v1", "clusterroles")!;
    this.#store = server.storage.store(this.#resource.storageName);
  }

  /** Brings all rules up to date. Call it after every write of a ClusterRole. */
  sync(): void {
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
    const selectors = role.aggregationRule?.clusterRoleSelectors;
    if (selectors === undefined || selectors === null || selectors.length === 0) return false;
    const rules = new Map<string, PolicyRule>();
    for (const selector of selectors) {
      for (const other of roles) {
        if (other.name === stored.name || !matchesSelector(selector, other.labels)) continue;
        // An earlier role of this round may have changed it.
        const current = this.#store.get(other.key) ?? other;
        for (const rule of this.#read(current).rules ?? []) rules.set(identityOf(rule), rule);
      }
    }
    const before = (role.rules ?? []).map(identityOf);
    if (jsonEqual(before, [...rules.keys()])) return false;
    return this.#write(stored, [...rules.values()]);
  }

  #write(stored: StoredObject, rules: readonly PolicyRule[]): boolean {
    const { authorizer, clock, storage } = this.#server;
    const live = this.#resource.read(stored);
    const { object } = applyPatch({
      kind: this.#resource.kind,
      live,
      patch: {
        apiVersion: this.#resource.apiVersion,
        kind: this.#resource.kind.kind,
        metadata: { name: stored.name },
        ...(rules.length === 0 ? {} : { rules: rules.map(withoutEmpty) }),
      },
      manager: MANAGER,
      force: true,
      name: stored.name,
      now: formatTime(clock.wallNow()),
    });
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
