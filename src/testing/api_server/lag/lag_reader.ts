import { describeRequest, type FaultRequest, identityOf } from "../http/mod.ts";
import type { ResourceStore } from "../storage/mod.ts";

/** A watch, list or get, as lags see it. */
export class LagReader {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  /** The store of the resource. */
  readonly store: ResourceStore;
  readonly #request: Request;
  #described: FaultRequest | undefined;
  #identity: string | undefined;

  /** Creates the reader of a resource. */
  constructor(request: Request, resource: string, store: ResourceStore) {
    this.#request = request;
    this.resource = resource;
    this.store = store;
  }

  /** The name of the request for random draws, see {@linkcode identityOf}. */
  get identity(): string {
    return this.#identity ??= identityOf(this.#request);
  }

  /** The request, as predicates see it. */
  get request(): FaultRequest {
    return this.#described ??= describeRequest(this.#request);
  }
}
