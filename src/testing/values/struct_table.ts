/**
 * The definitions of structs and enums by name, as `deno task schemas` writes them. A name consists of the package and
 * the Go type, as in `core.Pod`.
 *
 * The definition of an enum is `enum` and its values, separated by `|`. That of a struct lists its fields, separated by
 * semicolons. A field consists of its name, its type and options, separated by spaces. In place of a field, `@atomic`
 * makes the struct atomic, and `@object` adds `kind` and `apiVersion` of an object.
 *
 * A type is a scalar, the name of a struct or an enum, `STRUCT|bool`, `any`, `[]T` (a list) or `{}T` (a map). A suffix
 * says when the field is encoded:
 *
 * - No suffix: if the field is not empty.
 * - `?`: if the field was given.
 * - `!`: always, with the zero value if the field was not given.
 * - `!?`: always, with null if the field was not given.
 *
 * A `*` after that marks a field that is required.
 *
 * The options are:
 *
 * - `#7`: the number of the field in protobuf; `#2.1` is field 1 of the message in field 2, whose fields are inlined in JSON.
 *   Default: the number after that of the field before, from 1 on. The fields of `@object` have none: protobuf encodes
 *   them outside the message.
 * - `map=a,b`: server-side apply merges the list by the keys `a` and `b`.
 * - `set`: the list has no duplicates.
 * - `merge=a`: a strategic merge patch merges the list by the key `a`.
 * - `merge`: a strategic merge patch merges the list of scalars.
 * - `key=a`: short for `map=a merge=a`.
 * - `atomic`: a field manager owns the object or the list as a whole. Lists without an option are atomic, too, but the
 *   published schema does not say so.
 * - `granular`: field managers own the fields of the object, even if its struct is atomic.
 * - `retainKeys`: the field has the patch strategy `retainKeys`.
 * - `default=JSON`: the default.
 */
export type StructTable = Readonly<Record<string, string>>;

/** The changed definitions of another minor version; null for removed definitions. */
export type StructChanges = Readonly<Record<string, string | null>>;
