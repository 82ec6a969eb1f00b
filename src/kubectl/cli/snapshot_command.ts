import { type Client, type DiscoveredResource, ListPager } from "@kubeloop/controller/client";
import { parseJson } from "@kubeloop/controller/internal/base";
import {
  CustomResourceDefinitions,
  isExpired,
  isForbidden,
  isNotFound,
  resourceName,
} from "@kubeloop/controller/types";
import { connected, CONNECTION_FLAGS, REQUEST_TIMEOUT_MS } from "./connect.ts";
import { UsageError } from "./exits.ts";
import { type FlagSet, parseFlags } from "./flags.ts";
import type { Command, CommandHost } from "./host.ts";
import {
  beginLine,
  endLine,
  headLine,
  lastLine,
  objectLine,
  readSoFar,
  SecretHashes,
} from "./snapshot_lines.ts";
import { Progress } from "./terminal/mod.ts";

const FLAGS = {
  resume: { value: "FILE", help: "an interrupted snapshot: print only what it does not have" },
  ...CONNECTION_FLAGS,
} as const satisfies FlagSet;

const USAGE = `Usage: kubeloop snapshot > FILE
       kubeloop snapshot --resume FILE >> FILE

Prints all objects of the cluster as JSON, one a line, definitions first: the world in which rehearse()
tries the upgrade of an operator. The values of Secrets are replaced by hashes that cannot be compared with
those of another snapshot. Events and Leases are left out. Lists are read page by page.

  kubeloop snapshot > world.jsonl
  kubeloop snapshot --resume world.jsonl >> world.jsonl
`;

/** `kubeloop snapshot`: all objects of a cluster, for rehearsals. */
export const SNAPSHOT: Command = { usage: USAGE, flags: FLAGS, takes: "nothing", run: snapshot };

/** The number of objects of a page: the largest ones have more than a megabyte. */
const PAGE_SIZE = 100;
/** The number of times that a resource is listed again because a page has expired. */
const MAX_TRIES = 5;
const DEFINITIONS = resourceName(CustomResourceDefinitions);
/** The resources that come first, in order. */
const FIRST: readonly string[] = [DEFINITIONS, "namespaces"];
/** Resources without desired state, or that are computed at each request. */
const LEFT_OUT =
  /^(events(\.events\.k8s\.io)?|leases\.coordination\.k8s\.io|componentstatuses|.*\bmetrics\.k8s\.io)$/;

async function snapshot(args: readonly string[], host: CommandHost): Promise<void> {
  const flags = parseFlags(args, FLAGS, "snapshot");
  if (flags.rest.length > 0) {
    throw new UsageError("snapshot takes no arguments: it prints all objects of the cluster");
  }
  if (flags.has("namespace")) {
    throw new UsageError("snapshot reads all namespaces: omit --namespace");
  }
  const path = flags.text("resume");
  const soFar = path === undefined ? undefined : await readSoFar(host.readLines(path), path);
  if (soFar?.isComplete) return host.warn(`note: ${path} is complete: nothing is missing`);
  await connected(flags, host, async ({ client }) => {
    const progress = new Progress(host);
    try {
      await new Snapshot(client, host, progress).write(soFar?.resources);
    } finally {
      progress.clear();
    }
  });
}

/** Writes the objects of a cluster. */
class Snapshot {
  readonly #client: Client;
  readonly #host: CommandHost;
  readonly #progress: Progress;
  readonly #hashes = new SecretHashes();
  #objects = 0;

  constructor(client: Client, host: CommandHost, progress: Progress) {
    this.#client = client;
    this.#host = host;
    this.#progress = progress;
  }

  /** Writes all resources except `done`, the complete ones of an interrupted snapshot; undefined starts a new one. */
  async write(done: ReadonlySet<string> | undefined): Promise<void> {
    const call = { signal: this.#host.signal, timeoutMs: REQUEST_TIMEOUT_MS };
    const resources = inOrder(await this.#client.resources(call));
    const versions = await this.#storageVersions();
    if (done === undefined) {
      const { gitVersion } = parseJson(await this.#client.getRaw("/version", call)) as {
        gitVersion?: unknown;
      };
      await this.#host.printData(headLine(String(gitVersion ?? "unknown")));
    } else {
      // The last line may be a part of one.
      await this.#host.printData("\n");
    }
    for (const resource of resources) {
      const name = resourceName(resource);
      if (done?.has(name)) continue;
      const version = versions.get(name) ?? resource.version;
      await this.#writeResource({ ...resource, version }, name);
    }
    await this.#host.printData(lastLine());
  }

  /** Returns the storage version of each custom resource. Its objects are read in that version, as a server keeps them. */
  async #storageVersions(): Promise<ReadonlyMap<string, string>> {
    const out = new Map<string, string>();
    try {
      await this.#client.eachListItem(CustomResourceDefinitions, ({ metadata, spec }) => {
        const stored = spec.versions.find(({ served, storage }) => served && storage);
        if (stored !== undefined) out.set(metadata.name, stored.name);
      }, { signal: this.#host.signal, pageSize: PAGE_SIZE });
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
    return out;
  }

  async #writeResource(resource: DiscoveredResource, name: string): Promise<void> {
    for (let tries = 1;; tries++) {
      await this.#host.printData(beginLine(name));
      try {
        const objects = await this.#writePages(resource, name);
        await this.#host.printData(endLine(name, objects));
        return;
      } catch (error) {
        // Its definition may have been deleted.
        if (isForbidden(error) || isNotFound(error)) {
          this.#progress.clear();
          this.#host.warn(`warning: ${name} are left out: ${(error as Error).message}`);
          await this.#host.printData(endLine(name, 0));
          return;
        }
        if (!isExpired(error) || tries >= MAX_TRIES) throw error;
      }
    }
  }

  async #writePages(resource: DiscoveredResource, name: string): Promise<number> {
    const pager = new ListPager(
      (options, call) => this.#client.list(resource, { ...options, ...call }),
      { pageSize: PAGE_SIZE, pageBufferSize: 0 },
    );
    let count = 0;
    await pager.eachPage({}, async ({ items }) => {
      for (const object of items) {
        const shown = name === "secrets" ? await this.#hashes.hide(object) : object;
        await this.#host.printData(objectLine(shown, resource));
        count++;
        this.#objects++;
      }
      this.#progress.show(`${name}: ${count} (${this.#objects} objects)`);
    }, { signal: this.#host.signal });
    return count;
  }
}

/** Returns the resources of a snapshot, each in its preferred version. */
function inOrder(resources: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const out = new Map<string, DiscoveredResource>();
  for (const resource of resources) {
    const name = resourceName(resource);
    if (!resource.verbs.includes("list") || LEFT_OUT.test(name) || out.has(name)) continue;
    out.set(name, resource);
  }
  return [...out].sort(([a], [b]) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1))
    .map(([, resource]) => resource);
}

function rankOf(name: string): number {
  const at = FIRST.indexOf(name);
  return at < 0 ? FIRST.length : at;
}
