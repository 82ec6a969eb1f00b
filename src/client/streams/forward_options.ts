import type { Logger } from "../../base/mod.ts";
import type { PodReference } from "../request/mod.ts";

/** Options of `Client.openPort`. */
export interface OpenPortOptions {
  /** The namespace of the Pod, if it is given by its name. */
  readonly namespace?: string | undefined;
  /** Ends the connection. Its streams then fail with `signal.reason`. */
  readonly signal?: AbortSignal | undefined;
}

/** A port to forward: that of the Pod, or that and the local one. */
export type PortInput = number | {
  /** The port of the Pod. */
  readonly port: number;
  /** The local port. Default 0, which picks a free one. */
  readonly localPort?: number | undefined;
};

/** Options of `Client.portForward`. */
export interface PortForwardOptions {
  /** The namespace of the Pod, if it is given by its name. */
  readonly namespace?: string | undefined;
  /** The address to listen on. Default `127.0.0.1`, which other machines cannot reach. */
  readonly address?: string | undefined;
  /**
   * How long a new connection waits for a Pod that does not exist or does not run, in milliseconds: a forward then
   * survives the restart of a Pod that comes back under its name. Default 0: the connection is closed at once.
   */
  readonly waitForPodMs?: number | undefined;
  /** The number of connections at most; others are closed at once. Default 1000. */
  readonly maxConnections?: number | undefined;
  /** Stops the forward when it aborts, as `close()` does. */
  readonly signal?: AbortSignal | undefined;
}

/** A port that is forwarded. */
export interface ForwardedPort {
  /** The port of the Pod. */
  readonly port: number;
  /** The local port. */
  readonly localPort: number;
}

/** A port forward that listens. */
export interface PortForward extends AsyncDisposable {
  /** The ports, in the order of the call. */
  readonly ports: readonly ForwardedPort[];
  /** The address that is listened on. */
  readonly address: string;
  /** Resolves when the forward has stopped and every connection is closed. */
  readonly finished: Promise<void>;
  /** Stops listening and closes every connection. Resolves when they are closed. */
  close(): Promise<void>;
}

/** Options of a listener. */
export interface ForwardPlan {
  readonly pod: PodReference;
  readonly ports: readonly ForwardedPort[];
  readonly namespace: string | undefined;
  readonly address: string;
  readonly waitForPodMs: number;
  readonly maxConnections: number;
  readonly logger: Logger;
}
