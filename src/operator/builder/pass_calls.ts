import { describeError } from "../../base/mod.ts";
import type { Client } from "../../client/mod.ts";

/** A promise that records whether it was used. */
class ObservedPromise<R> extends Promise<R> {
  /** Whether `await`, `then()`, `catch()` or `finally()` was used on the promise. */
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

/** An asynchronous call of a reconcile. */
interface PassCall {
  readonly what: () => string;
  readonly promise: ObservedPromise<unknown>;
  hasSettled: boolean;
  failure: { readonly error: unknown } | undefined;
  /** Resolves when the call has settled. */
  done: Promise<void>;
}

/**
 * The asynchronous calls of one reconcile. A call that is not awaited would run on after the reconcile, and its failure would
 * end the process. This class waits for such calls and names them.
 */
export class PassCalls {
  readonly #open = new Set<PassCall>();

  /**
   * Returns a promise that settles like `promise` and records whether it was awaited.
   *
   * @param what Returns the call in words, such as `apply() of ConfigMap default/web`.
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
    // Bypasses the recording. It also keeps an error from being reported as unhandled meanwhile.
    call.done = Promise.prototype.then.call(observed, settled, (error) => {
      call.failure = { error };
      settled();
    }) as Promise<void>;
    return observed;
  }

  /** Whether a call is still running or was not awaited. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /**
   * Waits for the calls that the reconcile has not awaited.
   *
   * @param onForgotten Called with the words of each such call.
   * @throws {Error} If such a call failed.
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
 * @param calls The calls of the reconcile.
 */
export function trackedClient(client: Client, calls: PassCalls): Client {
  return new Proxy(client, {
    get(target, name) {
      // The receiver must be the target: a proxy has no private fields.
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

/** Returns the kind of the first argument, which is a resource for most methods. */
function kindOf(resource: unknown): string {
  const { kind } = (resource ?? {}) as { readonly kind?: unknown };
  return typeof kind === "string" ? kind : "";
}
