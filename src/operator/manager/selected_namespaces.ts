import {
  type CacheEnvironment,
  describeValue,
  isRecord,
  isText,
  type OptionChecks,
  requireOptions,
} from "../../base/mod.ts";
import { DeletedFinalStateUnknown, SharedInformer } from "../../cache/mod.ts";
import type { Client } from "../../client/mod.ts";
import { type KubeObject, metadataOf, Namespaces, parseSelector } from "../../types/mod.ts";
import { requireNamespaces } from "../builder/mod.ts";

/**
 * The namespaces of a manager, chosen at run time by their labels. A namespace joins in one step, when all of its caches have
 * synced. When it leaves, its caches end, its running reconciles are aborted, and its objects are not changed.
 *
 * @example Reconcile the namespaces of a team, and print the rights
 * ```ts
 * import { Client, ConfigMaps, Manager } from "@kubeloop/controller";
 * import { ApiServer } from "@kubeloop/testing";
 * import { assertStringIncludes } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client(server.clientOptions);
 * const manager = new Manager(client, { namespaces: { labelSelector: "team=a" } });
 * manager.controller(ConfigMaps).reconcile(() => {});
 * assertStringIncludes(
 *   manager.rbac(),
 *   "# Each namespace with the label team=a needs this binding:",
 * );
 * ```
 */
export interface NamespaceSelection {
  /** Selects namespaces by their labels, as in `team=a`. A namespace joins when it gets the label, and leaves when it loses it. */
  readonly labelSelector: string;
  /** Further namespaces, which do not need the label. Default: none. */
  readonly names?: readonly string[] | undefined;
}

const CHECKS: OptionChecks<NamespaceSelection> = {
  labelSelector: isText,
  names: (_, value) => requireNamespaces(value),
};

/**
 * Checks the option `namespaces` of a manager.
 *
 * @throws {TypeError} If it is neither a list of names nor a selection.
 * @throws {SyntaxError} If the label selector is invalid.
 */
export function requireNamespaceOption(value: unknown): void {
  if (!isRecord(value)) return requireNamespaces(value);
  requireOptions<NamespaceSelection>("namespaces", value as object, CHECKS);
  const { labelSelector } = value as Partial<NamespaceSelection>;
  if (typeof labelSelector !== "string" || labelSelector === "") {
    throw new TypeError(
      `namespaces needs a label selector, as in { labelSelector: "team=a" }: received ${
        describeValue(labelSelector)
      }. Give a list of names if no label decides, and leave it out for all namespaces`,
    );
  }
  parseSelector(labelSelector);
}

const NONE: ReadonlySet<string> = new Set();

/** Options of {@linkcode SelectedNamespaces}. */
export interface SelectedNamespacesOptions {
  readonly selection: NamespaceSelection;
  readonly client: Client;
  readonly environment: CacheEnvironment;
  /** Called when a namespace has joined or left. */
  readonly onChange: () => void;
}

/** The namespaces that have the label of a selection now, and the namespaces of its list. */
export class SelectedNamespaces {
  readonly #listed: ReadonlySet<string>;
  readonly #names: Set<string>;
  readonly #informer: SharedInformer<KubeObject>;

  constructor({ selection, client, environment, onChange }: SelectedNamespacesOptions) {
    const { labelSelector, names = [] } = selection;
    this.#listed = new Set(names);
    this.#names = new Set(names);
    const resource = metadataOf(Namespaces);
    this.#informer = new SharedInformer<KubeObject>(
      client.listerWatcher(resource, { labelSelector }),
      { ...environment, resource, name: `namespaces (${labelSelector})` },
    );
    this.#informer.observe(({ type, item }) => {
      const name = DeletedFinalStateUnknown.is(item) ? item.key : item.metadata.name ?? "";
      const isSelected = type !== "Deleted" || this.#listed.has(name);
      if (isSelected === this.#names.has(name)) return;
      if (isSelected) this.#names.add(name);
      else this.#names.delete(name);
      onChange();
    });
  }

  /** The informer of the namespaces, which the manager runs. */
  get informer(): SharedInformer<KubeObject> {
    return this.#informer;
  }

  /** Whether the namespaces are known. */
  get isKnown(): boolean {
    return this.#informer.hasSynced();
  }

  /** The names; none before they are known. */
  get names(): ReadonlySet<string> {
    return this.isKnown ? this.#names : NONE;
  }
}
