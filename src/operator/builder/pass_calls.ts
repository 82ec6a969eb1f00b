import { describeError } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";

/** A promise that knows whether anything waits for it. */
class ObservedPromise<R> extends Promise<R> {
  /** Whether `await`, `then()`, `catch()` or `finally()` was used on it. */
  isObserved = false;

  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  override then<A = R, B = never>(
    onFulfilled?: ((value: R) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isObserved = true;
    return super.then(onFulfilled, onRejected);
  }
}

/** A call that a reconcile has made. */
interface PassCall {
  readonly what: () => string;
  readonly promise: ObservedPromise<unknown>;
  hasSettled: boolean;
  failure: { readonly error: unknown } | undefined;
  /** Resolves when the call has settled. */
  done: Promise<void>;
}

/**
 * The asynchronous calls of one reconcile. A call that the reconcile does not await would end the process if it failed, and
 * would go on after the reconcile otherwise: this class waits for it and names it.
 */
export class PassCalls {
  readonly #open = new Set<PassCall>();

  /**
   * Returns a promise that settles like `promise`, and notes whether anything waits for it.
   *
   * @param what Returns the call in words, as in `apply() of ConfigMap default/web`.
   * @param promise The promise of the call.
   */
  track<R>(what: () => string, promise: Promise<R>): Promise<R> {
    const observed = new ObservedPromise<R>((resolve, reject) => promise.then(resolve, reject));
    const call: PassCall = {
      what,
      promise: observed,
      hasSettled: false,
      failure: undefined,
      done: Promise.resolve(),
    };
    this.#open.add(call);
    const settled = () => {
      call.hasSettled = true;
      if (observed.isObserved) this.#open.delete(call);
    };
    // Not a use of `then` by the reconcile. It also keeps an error from being reported as unhandled meanwhile.
    call.done = Promise.prototype.then.call(observed, settled, (error) => {
      call.failure = { error };
      settled();
    }) as Promise<void>;
    return observed;
  }

  /** Whether calls have not ended, or nothing has awaited them. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Waits for the calls that the reconcile has not awaited.
   *
   * @param onForgotten Called with each of them.
   * @throws {Error} When one of them failed and nothing has seen its error.
   */
  async settle(onForgotten: (what: string) => void): Promise<void> {
    let failure: Error | undefined;
    while (this.#open.size > 0) {
      const calls = [...this.#open];
      for (const call of calls) {
        if (call.promise.isObserved && call.hasSettled) continue;
        onForgotten(call.what());
      }
      await Promise.all(calls.map(({ done }) => done));
      for (const call of calls) {
        this.#open.delete(call);
        if (call.promise.isObserved || call.failure === undefined) continue;
        const { error } = call.failure;
        failure ??= new Error(
          `${call.what()} was not awaited and has failed: ${describeError(error)}`,
          { cause: error },
        );
      }
    }
    if (failure !== undefined) throw failure;
  }
}

/**
 * Returns a client whose promises are tracked.
 *
 * @param client The client of one reconcile.
 * @param calls Tracks the promises that its methods return.
 */
export function trackedClient(client: Client, calls: PassCalls): Client {
  return new Proxy(client, {
    get(target, name) {
      // Not the proxy as the receiver: it has no private fields.
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        const returned: unknown = Reflect.apply(member, target, args);
        if (!(returned instanceof Promise)) return returned;
        return calls.track(() => `client.${String(name)}(${kindOf(args[0])})`, returned);
      };
    },
  });
}

/** Returns the kind of a resource, which is the first argument of most methods. */
function kindOf(resource: unknown): string {
  const { kind } = (resource ?? {}) as { readonly kind?: unknown };
  return typeof kind === "string" ? kind : "";
}
