import type { JsonPath } from "../base/mod.ts";
import type { KubeObject } from "./minimal/mod.ts";

/**
 * The paths of the fields of an object, such as `spec.replicas`, as editors complete them: up to four names, and any text
 * below. Any text if the type of the objects has only metadata, as {@linkcode KubeObject} does.
 *
 * The element of a list is its index, as in `spec.containers.0.image`. A dot within a name is written `\.`.
 *
 * @typeParam T The interface of the objects.
 * @typeParam Depth The greatest number of names.
 *
 * @example
 * ```ts
 * import type { Deployment, FieldPath } from "@kubeloop/controller/types";
 *
 * const paths: FieldPath<Deployment>[] = ["spec.replicas", "metadata.labels.app\\.kubernetes\\.io/name"];
 * paths.length;
 * ```
 */
export type FieldPath<T, Depth extends 0 | 1 | 2 | 3 | 4 = 4> = unknown extends FieldOf<T, "">
  ? string
  : Depth extends 0 ? [FieldName<T>] extends [never] ? never : string
  : {
    [Name in FieldName<T>]: Name extends `${string}.${string}` ? never
      : Name | `${Name}.${FieldPath<FieldOf<T, Name>, [0, 0, 1, 2, 3][Depth]>}`;
  }[FieldName<T>];

/**
 * `P` if it is a path of a field of `T`, of any length; otherwise the possible paths. So the compiler's error for a wrong
 * path lists the names that exist.
 *
 * @typeParam T The interface of the objects.
 * @typeParam P The type of the path: a literal text, or a list of literal names.
 */
export type CheckedPath<T, P extends JsonPath> = P extends readonly string[] ? CheckedNames<T, P, P>
  : string extends P ? string extends FieldPath<T> ? JsonPath : FieldPath<T>
  : P extends string ? CheckedText<T, P, `${P}.`>
  : never;

/**
 * `P` if the text `Rest` is a path of a field of `V`; otherwise the possible paths.
 *
 * @typeParam V The type of the value.
 * @typeParam P The type of the whole path.
 * @typeParam Rest The text to follow from the value, with a dot after each name.
 * @typeParam Done The text that led to the value, with a dot after each name.
 * @typeParam Start The start of a name with an escaped dot, with the backslash.
 * @typeParam Name The start of that name, without the backslash.
 */
export type CheckedText<
  V,
  P extends string,
  Rest extends string,
  Done extends string = "",
  Start extends string = "",
  Name extends string = "",
> = Rest extends "" ? P
  : Rest extends `${infer Head}.${infer Below}`
    ? Head extends `${infer Escaping}\\`
      ? CheckedText<V, P, Below, Done, `${Start}${Head}.`, `${Name}${Escaping}.`>
    : [FieldOf<V, `${Name}${Head}`>] extends [never]
      ? [FieldName<V>] extends [never] ? Done extends `${infer Parent}.` ? Parent : never
      : `${Done}${FieldName<V>}`
    : CheckedText<FieldOf<V, `${Name}${Head}`>, P, Below, `${Done}${Start}${Head}.`>
  : never;

/**
 * `P` if the list of names `Rest` is a path of a field of `V`; otherwise the possible paths.
 *
 * @typeParam V The type of the value.
 * @typeParam P The type of the whole path.
 * @typeParam Rest The names to follow from the value.
 * @typeParam Done The names that led to the value.
 */
export type CheckedNames<
  V,
  P extends readonly string[],
  Rest extends readonly string[],
  Done extends readonly string[] = readonly [],
> = Rest extends readonly [] ? P
  : Rest extends readonly [infer Name extends string, ...infer Below extends readonly string[]]
    ? [FieldOf<V, Name>] extends [never]
      ? [FieldName<V>] extends [never] ? Done : readonly [...Done, FieldName<V>]
    : CheckedNames<FieldOf<V, Name>, P, Below, readonly [...Done, Name]>
  // A list whose names only the program knows.
  : P;

/**
 * The names of the fields of a value: the indices of a list, none of a text or a number.
 *
 * @typeParam V The type of the value.
 */
export type FieldName<V> = V extends string | number | bigint | boolean | null | undefined ? never
  : V extends readonly unknown[] ? `${number}`
  : keyof V & string;

/**
 * The type of a field of a value: `never` if there is none of that name, `unknown` if nothing is known about the fields.
 *
 * @typeParam V The type of the value.
 * @typeParam Name The name of the field.
 */
export type FieldOf<V, Name extends string> = string extends Name ? unknown
  : unknown extends V ? unknown
  : V extends string | number | bigint | boolean | null | undefined ? never
  : V extends readonly (infer Element)[] ? Name extends `${number}` ? Element : never
  // Types without information about further fields: `object`, and types that have only metadata.
  : [keyof V, { kind: string; metadata: never }] extends [keyof KubeObject, V] ? unknown
  : Name extends keyof V ? V[Name]
  : never;
