/**
 * A cluster with a program as its operator: an API server with actors, and a user who applies objects.
 *
 * @module
 */

import { Client, type Manager } from "@kubeloop/controller";
import { describeError, isRecord, realClock, realRandom } from "@kubeloop/controller/internal/base";
import { readYamlDocuments } from "@kubeloop/controller/internal/yaml";
import { ApiServer, startActors } from "@kubeloop/testing";
import type { ProcessEnv } from "@kubeloop/testing/simulation";
import {
  type ClusterView,
  type KindRow,
  MAX_ROWS,
  MAX_STORIES,
  MAX_TEXT,
  type NumberedStory,
  type ObjectName,
  type TableView,
  type ViewQuery,
} from "../protocol.ts";
import { History } from "./history.ts";
import { observeManagers } from "./managers.ts";
import type { Output } from "./output.ts";
import { problemData, problemOf, type ProgramError, type ProgramExports } from "./program.ts";

/** The name of the user in the fields that an apply owns, and as the client of the requests. */
const USER = "kubectl";
const TABLE = "application/json;as=Table;v=v1;g=meta.k8s.io";
/** How long an apply waits for a definition that the operator installs at its start. */
const DEFINITION_MS = 5_000;
const RETRY_MS = 100;

/** A cluster that runs until its worker is ended. */
export class Cluster {
  readonly #server: ApiServer;
  readonly #user: Client;
  readonly #output: Output;
  readonly #history = new History();
  readonly #stories: NumberedStory[] = [];
  #lastStory = 0;
  #phase: ClusterView["phase"] = "starting";
  #problem: ProgramError | undefined;

  constructor(output: Output) {
    this.#output = output;
    const logger = output.logger();
    this.#server = new ApiServer({ logger });
    for (const { resource, text } of this.#server.state().objects) {
      this.#history.addInitial(resource, text);
    }
    this.#server.onWrite((write) => this.#history.add(write));
    this.#user = new Client({ ...this.#server.clientOptions, userAgent: USER });
    startActors(this.#server, { nodes: 2 });
    observeManagers((manager) => void this.#follow(manager));
  }

  /** Starts the program. Its problems are part of the view. */
  start(program: ProgramExports): void {
    const { cloud, operator } = program;
    if (typeof operator !== "function") {
      throw new TypeError(
        "The program exports no function operator(): write `export async function operator({ client, signal }) { … }`",
      );
    }
    const env: ProcessEnv<unknown> = {
      client: new Client({ ...this.#server.clientOptions, userAgent: "operator" }),
      clock: realClock,
      random: realRandom,
      signal: new AbortController().signal,
      logger: this.#output.logger(),
      cloud: typeof cloud === "function"
        ? cloud({ clock: realClock, random: realRandom })
        : undefined,
      name: "operator",
      identity: "operator-1",
    };
    this.#phase = "running";
    void this.#live(async () => await operator(env));
  }

  /** Applies objects in YAML as kubectl does. Returns a line for each. */
  async apply(yaml: string): Promise<readonly string[]> {
    if (yaml.length > MAX_TEXT) throw new RangeError(`More than ${MAX_TEXT / 1024} KiB`);
    const lines: string[] = [];
    for (const object of await readYamlDocuments(yaml)) {
      if (object === null) continue;
      if (!isRecord(object) || !isRecord(object["metadata"])) {
        throw new TypeError("Each document must be an object with apiVersion, kind and metadata");
      }
      lines.push(await this.#applyOne(object));
    }
    for (const line of lines) this.#output.add("info", `kubectl: ${line}`);
    return lines;
  }

  /** Deletes an object. */
  async delete(object: ObjectName): Promise<void> {
    const { apiVersion, name, namespace } = object;
    const kind = this.#history.kinds().find(({ resource }) => resource === object.resource)?.kind;
    if (kind === undefined) throw new TypeError(`There is no resource ${object.resource}`);
    const resource = await this.#user.resourceFor({ apiVersion, kind });
    await this.#user.delete(resource, name, namespace === "" ? {} : { namespace });
  }

  /** Returns what the page shows. */
  async view({ afterLine, afterStory, object, resources }: ViewQuery): Promise<ClusterView> {
    const kinds = this.#history.kinds();
    const shown = resources.length > 0
      ? kinds.filter(({ resource }) => resources.includes(resource))
      : overviewOf(kinds);
    const tables = await Promise.all(shown.map((kind) => this.#table(kind)));
    return {
      phase: this.#phase,
      ...(this.#problem && { problem: problemData(this.#problem) }),
      kinds,
      tables,
      ...(object && { versions: this.#history.versionsOf(object) }),
      lines: this.#output.after(afterLine),
      stories: this.#stories.filter(({ number }) => number > afterStory),
    };
  }

  async #live(run: () => Promise<unknown>): Promise<void> {
    try {
      await run();
      this.#phase = "ended";
    } catch (error) {
      this.#phase = "failed";
      this.#problem = problemOf(error);
      this.#output.add("error", `The operator has failed: ${this.#problem.message}`);
    }
  }

  async #follow(manager: Manager): Promise<void> {
    for await (const story of manager.stories()) {
      this.#stories.push({ number: ++this.#lastStory, story });
      if (this.#stories.length > MAX_STORIES) this.#stories.shift();
    }
  }

  async #applyOne(object: Record<string, unknown>): Promise<string> {
    const { apiVersion, kind, metadata } = object as {
      apiVersion?: string;
      kind?: string;
      metadata: { name?: string; namespace?: string };
    };
    if (typeof apiVersion !== "string" || typeof kind !== "string") {
      throw new TypeError("Each document must have an apiVersion and a kind");
    }
    const deadline = realClock.now() + DEFINITION_MS;
    while (true) {
      try {
        const resource = await this.#user.resourceFor({ apiVersion, kind });
        const namespace = resource.namespaced ? metadata.namespace ?? "default" : undefined;
        await this.#user.apply(resource, object as never, {
          fieldManager: USER,
          force: true,
          ...(namespace !== undefined && { namespace }),
        });
        return `${kind.toLowerCase()}/${metadata.name} applied`;
      } catch (error) {
        const isUnknown = /no .*match|NoMatch|not serve|could not find/i.test(
          `${(error as Error).name} ${describeError(error)}`,
        );
        if (!isUnknown || realClock.now() > deadline || this.#phase !== "running") throw error;
        await new Promise<void>((resolve) => realClock.setTimer(resolve, RETRY_MS));
      }
    }
  }

  async #table({ apiVersion, resource }: KindRow): Promise<TableView> {
    const [plural] = resource.split(".", 1);
    const root = apiVersion.includes("/") ? "apis" : "api";
    const text = await this.#user.getRaw(`/${root}/${apiVersion}/${plural}`, { accept: TABLE });
    const { columnDefinitions, rows } = JSON.parse(text) as ServedTable;
    const shown = (columnDefinitions ?? []).map(({ priority }) => (priority ?? 0) === 0);
    const isNamespaced = (rows ?? []).some(({ object }) => object.metadata.namespace !== undefined);
    return {
      resource,
      columns: [
        ...(isNamespaced ? ["Namespace"] : []),
        ...(columnDefinitions ?? []).flatMap(({ name }, at) => shown[at] ? [name] : []),
      ],
      rows: (rows ?? []).slice(0, MAX_ROWS).map(({ cells, object: { metadata } }) => ({
        namespace: metadata.namespace ?? "",
        name: metadata.name,
        cells: [
          ...(isNamespaced ? [metadata.namespace ?? ""] : []),
          ...cells.flatMap((cell, at) => shown[at] ? [cellText(cell)] : []),
        ],
      })),
      more: Math.max(0, (rows?.length ?? 0) - MAX_ROWS),
    };
  }
}

/** The resources that each cluster has, or that only serve other objects. */
const BACKGROUND: readonly string[] = [
  "customresourcedefinitions.apiextensions.k8s.io",
  "endpoints",
  "endpointslices.discovery.k8s.io",
  "events",
  "events.events.k8s.io",
  "leases.coordination.k8s.io",
  "nodes",
  "serviceaccounts",
];
const MAX_TABLES = 8;

/** Returns the kinds of the program and of the user: custom resources first, then the kinds that others are made of. */
function overviewOf(kinds: readonly KindRow[]): readonly KindRow[] {
  const rank = ({ apiVersion }: KindRow) =>
    apiVersion === "v1" ? 2 : /^[a-z]+\/|\.k8s\.io\//.test(apiVersion) ? 1 : 0;
  return kinds
    .filter(({ count, isInitial, resource }) =>
      !isInitial && count > 0 && !BACKGROUND.includes(resource)
    )
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MAX_TABLES);
}

interface ServedTable {
  readonly columnDefinitions:
    | readonly { readonly name: string; readonly priority?: number }[]
    | null;
  readonly rows:
    | readonly {
      readonly cells: readonly unknown[];
      readonly object: {
        readonly metadata: { readonly name: string; readonly namespace?: string };
      };
    }[]
    | null;
}

const MAX_CELL = 200;

function cellText(cell: unknown): string {
  const text = cell === null || cell === undefined ? "" : String(cell);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL)} …` : text;
}
