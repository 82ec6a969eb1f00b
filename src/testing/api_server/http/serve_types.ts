/** Answers a request, as `fetch` does. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Where to serve. */
export interface ServeOptions {
  /** The port. Default: 0, any that is free. */
  readonly port?: number;
  /** The address. Default: `127.0.0.1`, which nobody else can reach. */
  readonly hostname?: string;
  /** Serves over TLS with this certificate and key, both PEM. Default: plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Stops serving when it aborts. */
  readonly signal?: AbortSignal;
}

/** An API server on a socket. */
export interface ServedApi {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  /** The port. */
  readonly port: number;
  /** Resolves once nothing is served any more. */
  readonly finished: Promise<void>;
  /** Stops serving: open answers may end for half a second, then they are cut. Resolves when all is quiet. */
  close(): Promise<void>;
}
