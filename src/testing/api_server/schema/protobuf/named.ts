/** The kind and the version of an object, which its message does not have. */
export interface Named {
  /** The API version. */
  readonly apiVersion: string;
  /** The kind. */
  readonly kind: string;
}
