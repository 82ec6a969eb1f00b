import { hasBigInteger, parseJson } from "@kubeloop/controller/internal/base";
import { isObject, type Json, setOwn } from "@kubeloop/controller/internal/values";

/**
 * Parses JSON whose shape is known, such as what the server has stored. Integers beyond 64 bits are floats, as for Go.
 *
 * @typeParam T The type that the caller knows the value to have.
 */
export function readJson<T = Json>(text: string): T {
  const isExact = !hasBigInteger(text);
  const value = parseJson(text, !isExact) as Json;
  return (isExact ? value : withFloats(value)) as T;
}

/** Replaces the integers of more than 64 bits, in place. */
function withFloats(value: Json): Json {
  if (typeof value === "bigint") return goInteger(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) value[i] = withFloats(value[i]!);
  } else if (isObject(value)) {
    for (const key of Object.keys(value)) setOwn(value, key, withFloats(value[key]!));
  }
  return value;
}

/** Returns an integer as Go has it: of 64 bits, or as a float if it has more. */
export function goInteger(integer: bigint): number | bigint {
  if (BigInt.asIntN(64, integer) !== integer) return Number(integer);
  const number = Number(integer);
  return Number.isSafeInteger(number) ? number : integer;
}
