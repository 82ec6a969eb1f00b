type AnyConstructor = new (...args: never[]) => unknown;
type ErrorConstructorOf<E extends Error> = abstract new (...args: never[]) => E;

export declare class AssertionError extends Error {
  constructor(message: string, options?: ErrorOptions);
}
export declare function assert(expr: unknown, msg?: string): asserts expr;
export declare function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance?: number,
  msg?: string,
): void;
export declare function assertArrayIncludes<T>(
  actual: ArrayLike<T>,
  expected: ArrayLike<T>,
  msg?: string,
): void;
export declare function assertEquals<T>(actual: T, expected: T, msg?: string): void;
export declare function assertExists<T>(
  actual: T,
  msg?: string,
): asserts actual is NonNullable<T>;
export declare function assertFalse(expr: unknown, msg?: string): asserts expr is false;
export declare function assertGreater<T>(actual: T, expected: T, msg?: string): void;
export declare function assertGreaterOrEqual<T>(actual: T, expected: T, msg?: string): void;
export declare function assertInstanceOf<T extends AnyConstructor>(
  actual: unknown,
  expectedType: T,
  msg?: string,
): asserts actual is InstanceType<T>;
export declare function assertLess<T>(actual: T, expected: T, msg?: string): void;
export declare function assertLessOrEqual<T>(actual: T, expected: T, msg?: string): void;
export declare function assertMatch(actual: string, expected: RegExp, msg?: string): void;
export declare function assertNotEquals<T>(actual: T, expected: T, msg?: string): void;
export declare function assertNotMatch(actual: string, expected: RegExp, msg?: string): void;
export declare function assertNotStrictEquals<T>(actual: T, expected: T, msg?: string): void;
export declare function assertObjectMatch(
  // deno-lint-ignore no-explicit-any
  actual: Record<PropertyKey, any>,
  expected: Record<PropertyKey, unknown>,
  msg?: string,
): void;
export declare function assertRejects(
  fn: () => PromiseLike<unknown>,
  msg?: string,
): Promise<unknown>;
export declare function assertRejects<E extends Error = Error>(
  fn: () => PromiseLike<unknown>,
  ErrorClass: ErrorConstructorOf<E>,
  msgIncludes?: string,
  msg?: string,
): Promise<E>;
export declare function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  msg?: string,
): asserts actual is T;
export declare function assertStringIncludes(actual: string, expected: string, msg?: string): void;
export declare function assertThrows(fn: () => unknown, msg?: string): unknown;
export declare function assertThrows<E extends Error = Error>(
  fn: () => unknown,
  ErrorClass: ErrorConstructorOf<E>,
  msgIncludes?: string,
  msg?: string,
): E;
export declare function fail(msg?: string): never;
export declare function unimplemented(msg?: string): never;
export declare function unreachable(reason?: string): never;
