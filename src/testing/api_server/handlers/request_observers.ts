import { describeError, type Logger } from "@kubeloop/controller/internal/base";
import type { RequestInfo } from "../http/mod.ts";
import type { RequestAuthor } from "../storage/mod.ts";

/** A request that the API server has answered. */
export interface ServerRequest {
  /** The HTTP method. */
  readonly method: string;
  /** The path, without the query. */
  readonly path: string;
  /** The parameters of the query. */
  readonly query: URLSearchParams;
  /** The verb: `get`, `list`, `watch`, `create`, … For other paths, the method in lower case. */
  readonly verb: string;
  /** The full name of the resource, as in `deployments.apps`; empty for other paths. */
  readonly resource: string;
  /** The subresource, as in `status`; empty if the path has none. */
  readonly subresource: string;
  /** The namespace in the path; empty if the path has none. */
  readonly namespace: string;
  /** The name in the path; empty for collections. */
  readonly name: string;
  /** The sender. The writes of the request have the same object. */
  readonly author: RequestAuthor;
  /** The status code. */
  readonly code: number;
  /** The message of the Status that refuses the request; absent without one. */
  readonly message?: string | undefined;
  /** The time until the answer, or until the start of a watch, in milliseconds. */
  readonly durationMs: number;
}

/** Listeners for answered requests. Without any, a request costs nothing more. */
export class RequestObservers {
  readonly #listeners = new Set<(request: ServerRequest) => void>();
  readonly #logger: Logger;

  /** Creates observers without listeners. */
  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Whether there is a listener. */
  get areAny(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener. The returned function removes it. */
  add(listener: (request: ServerRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Calls the listeners. What they throw is logged. */
  tell(
    info: RequestInfo,
    { author, ...answer }: Pick<
      ServerRequest,
      "method" | "query" | "author" | "code" | "message" | "durationMs"
    >,
  ): void {
    const { group, isResource, name, namespace, path, resource, subresource, verb } = info;
    const request: ServerRequest = {
      ...answer,
      path,
      verb,
      resource: !isResource || group === "" ? isResource ? resource : "" : `${resource}.${group}`,
      subresource,
      namespace,
      name,
      author,
    };
    for (const listener of this.#listeners) {
      try {
        listener(request);
      } catch (error) {
        this.#logger.error(
          `A listener failed on the request ${request.method} ${path}: ${describeError(error)}`,
        );
      }
    }
  }
}
