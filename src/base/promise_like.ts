/** Reports whether `value`, such as the result of user code, is a promise or another object with a `then` method. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}

/**
 * Returns `value`, the result of a user's function that must not be asynchronous: its caller cannot wait.
 *
 * @param what The function, for the message.
 * @throws {TypeError} When `value` is a promise. Its rejection is handled.
 */
export function requireSync<T>(what: string, value: T): T {
  if (!isPromiseLike(value)) return value;
  value.then(undefined, () => {});
  throw new TypeError(`${what} must not be asynchronous: it returned a promise`);
}

/**
 * Calls a user's function that is only told something: nothing waits for it, and nothing depends on it.
 *
 * @param call Calls the function.
 * @param failed Receives what it throws, and what a promise that it returns is rejected with.
 */
export function tellUser(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    const returned = call();
    if (isPromiseLike(returned)) returned.then(undefined, failed);
  } catch (error) {
    failed(error);
  }
}
