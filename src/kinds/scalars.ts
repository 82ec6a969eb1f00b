/** A time, in RFC 3339, such as `2026-01-31T12:00:00Z`; see `formatTime`. */
export type Time = string;

/** A time with six fraction digits, such as `2026-01-31T12:00:00.000000Z`; see `formatMicroTime`. */
export type MicroTime = string;

/**
 * A quantity, such as `500m` or `1.5Gi`. The server also accepts numbers, but it answers with strings only, so the type
 * is that of the answers: `"2"`, not `2`.
 */
export type Quantity = string;

/** A number, or a string such as the name of a port or a percentage. */
export type IntOrString = number | string;

/** Bytes, base64-encoded. */
export type Base64 = string;

/**
 * One of the known values `T`, or any other string: later versions of Kubernetes and drivers add values. Editors suggest
 * the known ones.
 *
 * @typeParam T The known values.
 */
export type OpenEnum<T extends string> = T | (string & Record<never, never>);
