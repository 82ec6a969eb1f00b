import { createHash } from "node:crypto";
import type { Client } from "@kubeloop/controller/client";
import { at, managerEntries } from "@kubeloop/controller/internal/fields";
import {
  ConfigMaps,
  type DeepReadonly,
  isNotFound,
  type KubeObject,
  type Resource,
  Secrets,
} from "@kubeloop/controller/types";

/** The label of the members of an apply set (KEP 3659). */
export const PART_OF = "applyset.kubernetes.io/part-of";
const ID = "applyset.kubernetes.io/id";
const TOOLING = "applyset.kubernetes.io/tooling";
const KINDS = "applyset.kubernetes.io/contains-group-kinds";
const NAMESPACES = "applyset.kubernetes.io/additional-namespaces";

/** The tool and the version of its format. A tool does not change the sets of other tools. */
const TOOL = "kubeloop";
const TOOL_VERSION = "v1.0.0";
const FIELD_MANAGER = "kubeloop-applyset";

const PARENTS: Readonly<Record<string, Resource>> = { ConfigMap: ConfigMaps, Secret: Secrets };

/** The identity of an apply set: the object that records its members. */
export interface ApplySetParent {
  /** The name of the object. */
  readonly name: string;
  /** The namespace of the object. Default: the namespace of the call. */
  readonly namespace?: string | undefined;
  /** The kind of the object. Default `ConfigMap`. */
  readonly kind?: "ConfigMap" | "Secret" | undefined;
}

/** The kinds and namespaces of the members of a set. */
export interface Inventory {
  /** The kinds with their groups, such as `Deployment.apps`. */
  readonly kinds: ReadonlySet<string>;
  /** The namespaces. */
  readonly namespaces: ReadonlySet<string>;
}

/** Options of {@linkcode openApplySet}. */
export interface ApplySetOptions {
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}

/** An apply set: a label on its members, and an object that records their kinds and namespaces. */
export class ApplySet {
  /** The value of the label of the members. */
  readonly id: string;
  readonly #client: Client;
  readonly #resource: Resource;
  readonly #parent: { readonly kind: string; readonly name: string; readonly namespace: string };
  readonly #options: ApplySetOptions;
  #recorded: Inventory;
  /** The inventory as the parent object stores it; undefined before the parent exists. */
  #stored: string | undefined;

  constructor(
    client: Client,
    parent: { readonly kind: string; readonly name: string; readonly namespace: string },
    known: {
      readonly id: string;
      readonly recorded: Inventory;
      readonly stored: string | undefined;
    },
    options: ApplySetOptions,
  ) {
    this.#client = client;
    this.#resource = PARENTS[parent.kind]!;
    this.#parent = parent;
    this.id = known.id;
    this.#recorded = known.recorded;
    this.#stored = known.stored;
    this.#options = options;
  }

  /** The object that records the members. */
  get parent(): { apiVersion: string; kind: string; name: string; namespace: string } {
    return { apiVersion: "v1", ...this.#parent };
  }

  /** The recorded kinds and namespaces. */
  get recorded(): Inventory {
    return this.#recorded;
  }

  /**
   * Adds kinds and namespaces to the record, before the members are applied: if the call is interrupted, all of its members
   * can still be found.
   */
  async add({ kinds, namespaces }: Inventory): Promise<void> {
    await this.replace({
      kinds: new Set([...this.#recorded.kinds, ...kinds]),
      namespaces: new Set([...this.#recorded.namespaces, ...namespaces]),
    });
  }

  /** Replaces the recorded kinds and namespaces. */
  async replace(inventory: Inventory): Promise<void> {
    this.#recorded = inventory;
    const { dryRun, signal } = this.#options;
    if (dryRun) return;
    const { kind, name, namespace } = this.#parent;
    const { kinds, namespaces } = inventory;
    const others = [...namespaces].filter((one) => one !== namespace);
    const lists = {
      [KINDS]: [...kinds].sort().join(","),
      [NAMESPACES]: others.sort().join(","),
    };
    const stored = listsText(lists);
    if (stored === this.#stored) return;
    const annotations = { [TOOLING]: `${TOOL}/${TOOL_VERSION}`, ...lists };
    const metadata = { name, namespace, labels: { [ID]: this.id }, annotations };
    const object = { apiVersion: "v1", kind, metadata };
    await this.#client.apply(this.#resource, object, { fieldManager: FIELD_MANAGER, signal });
    this.#stored = stored;
  }
}

/**
 * Reads an apply set.
 *
 * @throws {TypeError} If the kind of `parent` is invalid.
 * @throws {Error} If the object exists and does not record such a set, or belongs to another tool.
 */
export async function openApplySet(
  client: Client,
  parent: ApplySetParent,
  options: ApplySetOptions,
): Promise<ApplySet> {
  const { name, namespace = options.namespace, kind = "ConfigMap" } = parent;
  const resource = Object.hasOwn(PARENTS, kind) ? PARENTS[kind] : undefined;
  if (resource === undefined) {
    throw new TypeError('applySet.kind must be "ConfigMap" or "Secret": it remembers the set');
  }
  const { signal } = options;
  const id = await idOf(`${name}.${namespace}.${kind}.`);
  const found = await client.get(resource, name, { namespace, signal }).catch((error) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
  if (found !== undefined) requireOwn(found, `${kind} ${namespace}/${name}`, id);
  const annotations = found?.metadata.annotations;
  const recorded = {
    kinds: new Set(splitList(annotations?.[KINDS])),
    namespaces: new Set([namespace, ...splitList(annotations?.[NAMESPACES])]),
  };
  const stored = annotations === undefined ? undefined : listsText(annotations);
  return new ApplySet(client, { kind, name, namespace }, { id, recorded, stored }, options);
}

function requireOwn({ metadata }: KubeObject, what: string, id: string): void {
  const found = metadata.labels?.[ID];
  if (found !== id) {
    const why = found === undefined ? "has no label" : "has another value in its label";
    throw new Error(
      `Cannot use ${what} as an apply set: it exists already and ${why} ${ID}; ` +
        "give the set a name that nothing else has",
    );
  }
  const tool = metadata.annotations?.[TOOLING]?.split("/")[0] ?? "";
  if (tool !== TOOL) {
    throw new Error(
      `Cannot use ${what} as an apply set: it belongs to another tool, by its annotation ${TOOLING}`,
    );
  }
}

/**
 * Reports whether an object was applied as a member of a set: the label has an owner that applies. Controllers copy labels, for
 * example from a Service to its EndpointSlices, and such objects are not members.
 */
export function isAppliedMember(object: DeepReadonly<KubeObject>): boolean {
  const path = ["f:metadata", "f:labels", `f:${PART_OF}`];
  return managerEntries(object).some(({ fieldsV1, operation }) =>
    operation === "Apply" && at(fieldsV1, path) !== undefined
  );
}

/** Returns the kind with its group, such as `Deployment.apps`. */
export function groupKindOf(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? kind : `${kind}.${apiVersion.slice(0, slash)}`;
}

/** Returns the ID of a set: `applyset-`, a hash of its parent, and the version of the format. */
function idOf(parent: string): string {
  return `applyset-${createHash("sha256").update(parent).digest("base64url")}-v1`;
}

function listsText(annotations: Readonly<Record<string, string>>): string {
  return JSON.stringify([annotations[KINDS], annotations[NAMESPACES]]);
}

function splitList(text: string | undefined): string[] {
  return (text ?? "").split(",").filter((one) => one !== "");
}
