import { parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import type { Clock } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ApiServer, FaultRequest, ServerWrite } from "../../api_server/mod.ts";
import { FOREIGN_MARK, type Journal, objectName } from "../record/mod.ts";
import type { ThirdPartyEdit } from "../plans/mod.ts";
import type { Verdict } from "../judge/mod.ts";

/** The time until the third party removes its finalizer from an object that is to be deleted, in milliseconds. */
const RELEASE_MS = 5000;

/** The parts of a run that the third party uses. */
export interface ThirdPartyRun {
  readonly server: ApiServer;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly verdict: Verdict;
  /** Reports whether a process has that name. */
  isProcess(name: string): boolean;
}

/** The names of the clients that are neither a process nor the user. */
export const THIRD_PARTIES = ["another client", "garbage collector"] as const;

/** An entry that was added to an object. */
interface Added {
  readonly uid: string;
  readonly edit: ThirdPartyEdit;
  /** The time from the deletion of the object until its finalizer is removed, in milliseconds. */
  readonly releaseMs: number;
  /** Whether the object is to be deleted and its finalizer is about to be removed. */
  isLeaving?: boolean;
}

/** Another client, which adds entries to the objects of a controller and reports the entries that it removes. */
export class ThirdParty {
  readonly #run: ThirdPartyRun;
  readonly #added = new Map<string, Added>();

  constructor(run: ThirdPartyRun) {
    this.#run = run;
  }

  /** Adds an entry to the object of a request. Returns false if that was not possible. */
  async edit(
    edit: ThirdPartyEdit,
    { name, subresource, url }: FaultRequest,
    resource: string,
    releaseMs: number = RELEASE_MS,
  ): Promise<boolean> {
    if (name === "") return false;
    const path = subresource === ""
      ? url.origin + url.pathname
      : url.origin + url.pathname.slice(0, -subresource.length - 1);
    const found = await this.#run.server.fetch(path);
    const object = parseJson(await found.text()) as KubeObject;
    const { deletionTimestamp, finalizers = [], namespace = "", uid = "" } = object.metadata;
    if (!found.ok || deletionTimestamp !== undefined) return false;
    const metadata = edit === "finalizer"
      ? { finalizers: [...finalizers, FOREIGN_MARK] }
      : { [edit === "label" ? "labels" : "annotations"]: { [FOREIGN_MARK]: "yes" } };
    if (!await this.send("another client", "PATCH", path, { metadata })) return false;
    this.#added.set(objectName({ name, namespace, resource }), { uid, edit, releaseMs });
    return true;
  }

  /** Checks whether a write keeps the added entry. */
  onWrite(write: ServerWrite): void {
    if (this.#added.size === 0) return;
    const key = objectName(write);
    const added = this.#added.get(key);
    if (added === undefined || added.uid !== write.uid) return;
    if (write.type === "DELETED") {
      this.#added.delete(key);
      // Its own finalizer would have kept the object.
      if (added.edit === "finalizer") this.#judge(key, added.edit, write);
      return;
    }
    const { annotations = {}, deletionTimestamp, finalizers = [], labels = {} } =
      write.object().metadata;
    const isKept = finalizers.includes(FOREIGN_MARK) || FOREIGN_MARK in annotations ||
      FOREIGN_MARK in labels;
    if (!isKept) {
      this.#added.delete(key);
      this.#judge(key, added.edit, write);
    } else if (
      deletionTimestamp !== undefined && finalizers.includes(FOREIGN_MARK) && !added.isLeaving
    ) {
      added.isLeaving = true;
      this.#run.clock.setTimer(() => void this.#release(key), added.releaseMs);
    }
  }

  /** Sends a request as a client that is neither a process nor the user. Returns whether it succeeded. */
  async send(
    who: typeof THIRD_PARTIES[number],
    method: "DELETE" | "PATCH",
    path: string,
    body: unknown,
  ): Promise<boolean> {
    const isPatch = method === "PATCH";
    const response = await this.#run.server.fetch(path, {
      method,
      headers: {
        "content-type": isPatch ? "application/merge-patch+json" : "application/json",
        "user-agent": who,
      },
      body: stringifyJson(body),
    });
    await response.text();
    return response.ok;
  }

  #judge(key: string, edit: ThirdPartyEdit, write: ServerWrite): void {
    const { isProcess, journal, verdict } = this.#run;
    const writer = journal.writerOf(write);
    if (!isProcess(writer)) return;
    const isChild = journal.commits.some(({ write: other }) =>
      other.type === "ADDED" && other.uid === write.uid && isProcess(journal.writerOf(other))
    );
    const text =
      `${writer} drops the ${edit} that another client has added to ${key}, with its write of version ${write.resourceVersion}`;
    // A controller may own its children completely, except for the finalizers of others.
    if (edit === "finalizer" || !isChild) verdict.add("lost entry", text, { object: key });
    else verdict.note(text);
  }

  /** Removes the finalizer of the third party from an object that is to be deleted. */
  async #release(key: string): Promise<void> {
    const write = this.#run.journal.objects.get(key);
    // If the finalizer was removed before, that was too early.
    if (write === undefined || !this.#added.delete(key)) return;
    const { finalizers = [] } = write.object().metadata;
    const rest = finalizers.filter((finalizer) => finalizer !== FOREIGN_MARK);
    await this.send("another client", "PATCH", urlOf(write), { metadata: { finalizers: rest } });
  }
}

/** Returns the URL of an object. */
export function urlOf({ name, namespace, object, resource }: ServerWrite): string {
  const { apiVersion = "v1" } = object();
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const plural = group === "" ? resource : resource.slice(0, -group.length - 1);
  const root = group === "" ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
  const scope = namespace === "" ? "" : `/namespaces/${namespace}`;
  return `http://cluster${root}${scope}/${plural}/${name}`;
}
