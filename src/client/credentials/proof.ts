/** What a request shows to prove who makes it. */
export interface Proof {
  /** The value of the Authorization header. */
  readonly authorization?: string | undefined;
  /** A client certificate and its key, PEM, when a plugin gave one. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** Where proofs come from. */
export interface Credentials {
  /** For the next request. */
  proof(): Promise<Proof>;
  /**
   * Looks for another proof, after the server refused one.
   *
   * @returns Whether there is another now.
   */
  renew(refused: Proof): Promise<boolean>;
  /** Ends what is under way with `reason`. */
  close(reason: Error): void;
}
