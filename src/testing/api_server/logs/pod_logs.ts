import type { LogStore } from "./log_store.ts";
import { getArray, getString, type JsonObject } from "../../values/mod.ts";

const encoder = new TextEncoder();

/** A container of a Pod. */
export interface LoggedContainer {
  /** The name of the container, which may be an init container. Default: the only one of `spec.containers`. */
  readonly container?: string | undefined;
}

/** Text that a container writes. */
export interface ContainerText extends LoggedContainer {
  /** The text, with its line breaks: without one, it is the beginning of a line. */
  readonly text: string | Uint8Array;
}

/**
 * The logs that the server serves at `pods/log`. They are what tests and kubelets write into them. Each line has the time at
 * which it was written. A restarted container has a new log, and the one before is its `previous` log; older ones are gone.
 *
 * Logs are kept in memory, up to `containerLogBytesLimit` for each instance of a container: then the oldest lines are
 * dropped. They are removed with their Pod, and are not part of the server's state.
 *
 * @example
 * ```ts
 * import { Client } from "@kubeloop/controller/client";
 * import { ApiServer } from "@kubeloop/testing";
 * import { Pods } from "@kubeloop/controller/types";
 * import { assertEquals } from "@std/assert";
 *
 * await using server = new ApiServer();
 * await using client = new Client({ fetch: server.fetch });
 * const pod = await client.create(Pods, {
 *   metadata: { name: "web", namespace: "default" },
 *   spec: { containers: [{ name: "main", image: "nginx" }] },
 * });
 * server.logs.write("default/web", { text: "out of memory\n" });
 * server.logs.start("default/web");
 * server.logs.write("default/web", { text: "back again\n" });
 *
 * const lines: string[] = [];
 * for await (const line of client.logs(pod, { previous: true })) lines.push(line);
 * for await (const line of client.logs(pod)) lines.push(line);
 * assertEquals(lines, ["out of memory", "back again"]);
 * ```
 */
export class PodLogs {
  readonly #store: LogStore;

  /** Creates the way into the logs. Use `ApiServer.logs` instead. */
  constructor(store: LogStore) {
    this.#store = store;
  }

  /** The number of logs that clients are reading at the moment. */
  get openStreams(): number {
    return this.#store.openStreams;
  }

  /**
   * Notes that a kubelet runs the Pod. Requests for logs of containers that have not started are then refused in the words
   * of a kubelet. Without it, the first text or start does the same.
   *
   * @param pod The key of the Pod, such as `default/web`.
   * @throws {RangeError} If there is no such Pod.
   */
  admit(pod: string): void {
    this.#require(pod);
  }

  /**
   * Starts an instance of a container, whose log is empty. If one runs, that ends.
   *
   * @param pod The key of the Pod, such as `default/web`.
   * @param options The container.
   * @throws {RangeError} If there is no such Pod or container, or several and none is named.
   */
  start(pod: string, options: LoggedContainer = {}): void {
    const { entry, container } = this.#containerOf(pod, options);
    this.#store.start(entry, container);
  }

  /**
   * Adds text to the log of a container. If no instance of it runs, one starts.
   *
   * @param pod The key of the Pod, such as `default/web`.
   * @param options The text and the container.
   * @throws {RangeError} If there is no such Pod or container, or several and none is named.
   * @throws {TypeError} If the text is neither a string nor bytes.
   */
  write(pod: string, options: ContainerText): void {
    const { text } = options;
    if (typeof text !== "string" && !(text instanceof Uint8Array)) {
      throw new TypeError(`Cannot write a log: "text" must be a string or bytes: received ${text}`);
    }
    const { entry, container } = this.#containerOf(pod, options);
    this.#store.write(entry, container, typeof text === "string" ? encoder.encode(text) : text);
  }

  /**
   * Ends the current instance of a container. Requests that follow its log get what is left, and end.
   *
   * @param pod The key of the Pod, such as `default/web`.
   * @param options The container.
   * @throws {RangeError} If there is no such Pod or container, or several and none is named.
   */
  end(pod: string, options: LoggedContainer = {}): void {
    const { entry, container } = this.#containerOf(pod, options);
    this.#store.end(entry, container);
  }

  /**
   * Ends the requests that read logs.
   *
   * @param options `broken` breaks their connections, instead of ending the answers.
   */
  endStreams(options: { readonly broken?: boolean | undefined } = {}): void {
    this.#store.endStreams(options.broken ? "broken" : "closed");
  }

  #require(key: string): NonNullable<ReturnType<LogStore["admit"]>> {
    const admitted = typeof key === "string" ? this.#store.admit(key) : undefined;
    if (admitted !== undefined) return admitted;
    throw new RangeError(
      `No Pod ${JSON.stringify(key)}: expected the key of a Pod that exists, such as "default/web"`,
    );
  }

  #containerOf(
    key: string,
    { container }: LoggedContainer,
  ): { readonly entry: NonNullable<ReturnType<LogStore["admit"]>>["entry"]; container: string } {
    const { pod, entry } = this.#require(key);
    const names = namesOf(pod, ["containers"]);
    const all = [...namesOf(pod, ["initContainers", "ephemeralContainers"]), ...names];
    const chosen = container ?? (names.length === 1 ? names[0] : undefined);
    if (chosen !== undefined && all.includes(chosen)) return { entry, container: chosen };
    const problem = chosen === undefined
      ? "has several containers"
      : `has no container "${chosen}"`;
    throw new RangeError(`Pod ${key} ${problem}: name one of ${all.join(", ")}`);
  }
}

function namesOf(pod: JsonObject, lists: readonly string[]): string[] {
  return lists.flatMap((list) => getArray(pod, "spec", list)).map((one) => getString(one, "name"));
}
