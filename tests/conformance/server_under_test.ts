import type { TokenUser } from "../../src/testing/mod.ts";

/** What a scenario needs of its server. */
export interface ServerSetting {
  /** The wall time at which the recording began; a server with a clock of its own cannot follow. */
  readonly start?: string;
  /** After what time a watch without `timeoutSeconds` ends, at least. */
  readonly minRequestTimeoutMs?: number;
  /** How many requests are worked on at once. */
  readonly maxRequestsInFlight?: number;
}

/** A server that scenarios run against without knowing which it is: ours in this process, or a real kube-apiserver. */
export interface ServerUnderTest extends AsyncDisposable {
  /** How it is told from the others. */
  readonly name: "ours" | "real";
  /** Its URL, which it repeats in some answers. */
  readonly origin: string;
  /** Whether times and revisions are those that a recording had, so that they can be compared as they are. */
  readonly followsRecording: boolean;
  /** Sends a request. */
  fetch(request: Request): Promise<Response>;
  /** Waits for `promise`, letting time pass. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** A time in milliseconds, to measure with. */
  now(): number;
  /** Lets happen what is due. */
  settle(): Promise<void>;
  /** Lets `ms` pass, or less where `done` says so before. */
  pass(ms: number, done?: () => boolean): Promise<void>;
  /** Moves on to a wall time of the recording, where that is possible. */
  at(wallMs: number): Promise<void>;
  /** The revision that the next write will get; undefined where others write too. */
  readonly nextRevision: number | undefined;
  /** Forgets the past, as etcd's compaction does; the window of watches stays. */
  compact(): Promise<void>;
  /** Kills the server and starts it again on the same state. */
  restart(): Promise<void>;
  /** Does `action` while the server works on as many requests as it takes. */
  whileBusy(action: () => Promise<void>): Promise<void>;
  /** Stops the server in good order, which takes it a minute. */
  stopGracefully(): Promise<void>;
  /** Does `action` while the storage does not answer. */
  whileStorageIsDown(action: () => Promise<void>): Promise<void>;
}

/** Makes a fresh server for one scenario. */
export type ServerFactory = (setting: ServerSetting) => Promise<ServerUnderTest>;

/** The bearer tokens of the scenarios. */
export const TOKENS: Readonly<Record<string, TokenUser>> = {
  "demo-admin-token": { user: "demo-admin", uid: "uid-admin", groups: ["system:masters"] },
  "demo-nobody-token": { user: "demo-nobody", uid: "uid-nobody", groups: ["demo-none"] },
};
