import type { Clock } from "@kubeloop/controller/internal/base";
import { objectKey, type Storage, type StoredObject, type Turns } from "../storage/mod.ts";
import {
  badRequest,
  getArray,
  getObject,
  getString,
  isObject,
  type JsonObject,
} from "../../values/mod.ts";
import { ContainerLog } from "./container_log.ts";
import { LogBody, type LogQuery } from "./log_body.ts";

/** The logs of a container: of its current or last instance, and of the one before. */
interface Instances {
  readonly current: ContainerLog;
  readonly previous: ContainerLog | undefined;
}

/** The logs of a Pod. */
interface PodEntry {
  readonly uid: string;
  readonly containers: Map<string, Instances>;
}

/** Options of a {@linkcode LogStore}. */
export interface LogStoreOptions {
  readonly clock: Clock;
  readonly storage: Storage;
  readonly turns: Turns;
  /** The bytes that are kept of each instance of a container. */
  readonly maxBytes: number;
}

/** The logs of all containers that were written, and the requests that read them. */
export class LogStore {
  readonly #options: LogStoreOptions;
  readonly #pods = new Map<string, PodEntry>();
  readonly #open = new Set<LogBody>();

  /** Creates a store without logs. */
  constructor(options: LogStoreOptions) {
    this.#options = options;
  }

  /** The number of open streams. */
  get openStreams(): number {
    return this.#open.size;
  }

  /** Returns the logs of a Pod, which begin now unless they have begun. Undefined if there is no such Pod. */
  admit(key: string): { readonly pod: JsonObject; readonly entry: PodEntry } | undefined {
    const stored = this.#options.storage.store("pods").get(key);
    if (stored === undefined) return undefined;
    const pod = stored.parse() as unknown as JsonObject;
    let entry = this.#pods.get(key);
    const uid = getString(pod, "metadata", "uid");
    if (entry?.uid !== uid) {
      this.#drop(key);
      entry = { uid, containers: new Map() };
      this.#pods.set(key, entry);
    }
    return { pod, entry };
  }

  /** Starts an instance of a container, and ends the one before. */
  start({ containers }: PodEntry, container: string): ContainerLog {
    const previous = containers.get(container)?.current;
    previous?.finish(this.#options.clock.wallNow());
    const current = new ContainerLog(this.#options.maxBytes);
    containers.set(container, { current, previous });
    return current;
  }

  /** Adds text to the log of the current instance. One starts, if none runs. */
  write(entry: PodEntry, container: string, bytes: Uint8Array): void {
    let log = entry.containers.get(container)?.current;
    if (log === undefined || log.hasEnded) log = this.start(entry, container);
    log.write(bytes, this.#options.clock.wallNow());
  }

  /** Ends the current instance. */
  end({ containers }: PodEntry, container: string): void {
    containers.get(container)?.current.finish(this.#options.clock.wallNow());
  }

  /** Forgets the logs of a Pod that was removed. Streams end. */
  forget({ namespace, name }: StoredObject): void {
    this.#drop(objectKey(namespace, name));
  }

  /**
   * Opens the log of a container. Returns undefined if no kubelet has the Pod.
   *
   * @throws {ApiError} 400, in the words of a kubelet, if there is no log.
   */
  read(
    pod: JsonObject,
    container: string,
    { previous, query, signal }: {
      readonly previous: boolean;
      readonly query: LogQuery;
      readonly signal: AbortSignal;
    },
  ): ReadableStream<Uint8Array> | undefined {
    const { name, namespace, uid } = getObject(pod, "metadata") as Record<string, string>;
    const entry = this.#pods.get(objectKey(namespace!, name!));
    if (entry?.uid !== uid) return undefined;
    const instances = entry!.containers.get(container);
    // Between two runs, the last one is both: the next has not begun.
    const isBetween = instances?.current.hasEnded === true &&
      isObject(getObject(statusOf(pod, container) ?? {}, "state")["waiting"]);
    const log = previous && !isBetween ? instances?.previous : instances?.current;
    if (log === undefined) throw badRequest(noLog(pod, container, previous));
    const body = new LogBody({
      log,
      query,
      signal,
      lane: this.#options.turns.lane(`log ${objectKey(namespace!, name!)} ${container}`),
      onEnd: (ended) => this.#open.delete(ended),
    });
    this.#open.add(body);
    return body.stream;
  }

  /** Ends all streams. `broken` breaks their connections. */
  endStreams(why: "closed" | "broken"): void {
    for (const body of [...this.#open]) {
      if (why === "closed") body.close();
      else body.fail(new TypeError("Connection reset: the server went away"));
    }
  }

  #drop(key: string): void {
    const entry = this.#pods.get(key);
    if (entry === undefined) return;
    this.#pods.delete(key);
    for (const container of entry.containers.keys()) this.end(entry, container);
  }
}

/** Returns why a container has no log, as a kubelet does from the status of the Pod. */
function noLog(pod: JsonObject, container: string, previous: boolean): string {
  const name = getString(pod, "metadata", "name");
  const which = `container ${JSON.stringify(container)} in pod ${JSON.stringify(name)}`;
  const status = statusOf(pod, container);
  if (status === undefined) return `${which} is not available`;
  if (previous) return `previous terminated ${which} not found`;
  const state = getObject(status as JsonObject, "state");
  if (isObject(state?.["terminated"])) return `${which} is terminated`;
  const reason = getString(status, "state", "waiting", "reason");
  if (reason === "ErrImagePull") return `${which} is waiting to start: image can't be pulled`;
  if (reason === "ImagePullBackOff") {
    return `${which} is waiting to start: trying and failing to pull image`;
  }
  return reason === ""
    ? `${which} is waiting to start - no logs yet`
    : `${which} is waiting to start: ${reason}`;
}

function statusOf(pod: JsonObject, container: string): JsonObject | undefined {
  return ["containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"]
    .flatMap((list) => getArray(pod, "status", list))
    .find((one) => getString(one, "name") === container) as JsonObject | undefined;
}
