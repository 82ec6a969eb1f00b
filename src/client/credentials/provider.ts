/** The credentials of one request. */
export interface Credentials {
  /** The value of the `Authorization` header. */
  readonly authorization?: string | undefined;
  /** A client certificate and its key, as PEM text, if a plugin printed them. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** A source of credentials for requests. */
export interface CredentialsProvider {
  /** Returns the credentials for the next request. */
  current(): Promise<Credentials>;
  /**
   * Looks for other credentials, after the server rejected `refused`.
   *
   * @returns Whether there are other credentials now.
   */
  renew(refused: Credentials): Promise<boolean>;
  /** Aborts running work, such as a plugin, with `reason`. */
  close(reason: Error): void;
}
