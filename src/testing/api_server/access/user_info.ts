/** The user that makes a request. */
export interface UserInfo {
  /** The name of the user. */
  readonly username: string;
  /** The UID of the user. */
  readonly uid?: string | undefined;
  /** The groups of the user. */
  readonly groups: readonly string[];
  /** The extra values of the user, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined;
}
