/** Reports whether `value`, such as the result of user code, is a promise or another object with a `then` method. */
export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value &&
    typeof value.then === "function";
}
