import { parseJson, stringifyJson } from "@kubeloop/controller/internal/base";
import type { Clock } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { ApiServer, FaultRequest, ServerWrite } from "../../api_server/mod.ts";
import { FOREIGN_MARK, type Journal, objectName } from "../record/mod.ts";
import type { ThirdPartyEdit } from "../plans/mod.ts";
import type { Verdict } from "../judge/mod.ts";

/** How long somebody else takes to let go of an object that is to be deleted. */
const RELEASE_MS = 5000;

/** What somebody else needs from the run. */
export interface ThirdPartyRun {
  readonly server: ApiServer;
  readonly clock: Clock;
  readonly journal: Journal;
  readonly verdict: Verdict;
  /** Reports whether a process has that name. */
  isProcess(name: string): boolean;
}

/** Something that was added to an object. */
interface Added {
  readonly uid: string;
  readonly edit: ThirdPartyEdit;
  /** Whether the object is to be deleted, and somebody else is about to let go of it. */
  isLeaving?: boolean;
}

/** Whoever else writes to the objects of a controller, and finds its entries dropped. */
export class ThirdParty {
  readonly #run: ThirdPartyRun;
  readonly #added = new Map<string, Added>();
  /** What can only be judged at the end: who has made a write is known when it is answered. */
  readonly #dropped: (() => void)[] = [];

  constructor(run: ThirdPartyRun) {
    this.#run = run;
  }

  /** Adds something to the object that a request is about. Returns whether that was possible. */
  async edit(
    edit: ThirdPartyEdit,
    { name, subresource, url }: FaultRequest,
    resource: string,
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
    if (!await this.send("somebody", "PATCH", path, { metadata })) return false;
    this.#added.set(objectName({ name, namespace, resource }), { uid, edit });
    return true;
  }

  /** Looks at a write: whether it keeps what somebody else has added. */
  onWrite(write: ServerWrite): void {
    if (this.#added.size === 0) return;
    const key = objectName(write);
    const added = this.#added.get(key);
    if (added === undefined || added.uid !== write.uid) return;
    if (write.type === "DELETED") {
      this.#added.delete(key);
      // Its own finalizer would have kept the object.
      if (added.edit === "finalizer") this.#dropped.push(() => this.#judge(key, added.edit, write));
      return;
    }
    const { annotations = {}, deletionTimestamp, finalizers = [], labels = {} } =
      write.object().metadata;
    const isKept = finalizers.includes(FOREIGN_MARK) || FOREIGN_MARK in annotations ||
      FOREIGN_MARK in labels;
    if (!isKept) {
      this.#added.delete(key);
      this.#dropped.push(() => this.#judge(key, added.edit, write));
    } else if (
      deletionTimestamp !== undefined && finalizers.includes(FOREIGN_MARK) && !added.isLeaving
    ) {
      added.isLeaving = true;
      this.#run.clock.setTimer(() => void this.#release(key), RELEASE_MS);
    }
  }

  /** Judges what was dropped. */
  end(): void {
    for (const judge of this.#dropped) judge();
  }

  /** Sends a request of somebody who is neither a process nor the user. Returns whether it succeeded. */
  async send(
    who: string,
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
    this.#run.journal.attribute(await response.text(), who);
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
      `${writer} drops the ${edit} that somebody else has added to ${key}, with its write of version ${write.resourceVersion}`;
    // A controller may own its children whole, apart from the finalizers of others.
    if (edit === "finalizer" || !isChild) verdict.add("lost entry", text);
    else verdict.note(text);
  }

  /** Takes the finalizer of somebody else away from an object that is to be deleted. */
  async #release(key: string): Promise<void> {
    const write = this.#run.journal.objects.get(key);
    // Whoever has dropped the finalizer before has dropped it too early.
    if (write === undefined || !this.#added.delete(key)) return;
    const { finalizers = [] } = write.object().metadata;
    const rest = finalizers.filter((finalizer) => finalizer !== FOREIGN_MARK);
    await this.send("somebody", "PATCH", urlOf(write), { metadata: { finalizers: rest } });
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
