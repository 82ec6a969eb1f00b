import type { KubernetesMinor } from "../../src/testing/api_server/release/mod.ts";
import type { TokenUser } from "../../src/testing/mod.ts";

/** The settings that a scenario requires of its server. */
export interface ServerSetting {
  /** The wall time at which the recording began; a server with the real clock ignores it. */
  readonly start?: string;
  /** The minor version of our server. Without it, our server has its default. A real server is the installed one. */
  readonly kubernetes?: KubernetesMinor;
  /** The minimum time until a watch without `timeoutSeconds` ends. */
  readonly minRequestTimeoutMs?: number;
  /** The maximum number of concurrent requests. */
  readonly maxRequestsInFlight?: number;
}

/** The server of a scenario: ours in this process, or a real kube-apiserver. */
export interface ServerUnderTest extends AsyncDisposable {
  /** The kind of server. */
  readonly name: "ours" | "real";
  /** The URL of the server, which some answers contain. */
  readonly origin: string;
  /** Whether times and resource versions equal the recorded ones, so that they can be compared literally. */
  readonly followsRecording: boolean;
  /** Sends a request. */
  fetch(request: Request): Promise<Response>;
  /** Waits for `promise` while time passes. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** Returns a time in milliseconds, to measure durations. */
  now(): number;
  /** Runs everything that is due. */
  settle(): Promise<void>;
  /** Lets `ms` pass, or less if `done` returns true before. */
  pass(ms: number, done?: () => boolean): Promise<void>;
  /** Advances to a wall time of the recording, if the server can. */
  at(wallMs: number): Promise<void>;
  /** The resource version of the next write; undefined if others write to the server too. */
  readonly nextRevision: number | undefined;
  /** Compacts the history, as etcd does; the watch cache keeps its events. */
  compact(): Promise<void>;
  /** Kills the server and starts it again on the same state. */
  restart(): Promise<void>;
  /** Runs `action` while the server is at its limit of concurrent requests. */
  whileBusy(action: () => Promise<void>): Promise<void>;
  /** Stops the server gracefully, which takes a minute. */
  stopGracefully(): Promise<void>;
  /** Runs `action` while the storage does not answer. */
  whileStorageIsDown(action: () => Promise<void>): Promise<void>;
}

/** Creates a new server for one scenario. */
export type ServerFactory = (setting: ServerSetting) => Promise<ServerUnderTest>;

/** The bearer tokens of the scenarios. */
export const TOKENS: Readonly<Record<string, TokenUser>> = {
  "demo-admin-token": { user: "demo-admin", uid: "uid-admin", groups: ["system:masters"] },
  "demo-nobody-token": { user: "demo-nobody", uid: "uid-nobody", groups: ["demo-none"] },
};
