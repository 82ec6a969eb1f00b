import type { TokenUser } from "../../src/testing/mod.ts";
import { isMinor, releaseOf, type Span } from "../../src/testing/api_server/release/mod.ts";
import type { ScriptedWebhooks, Scripts } from "./scripted_webhooks.ts";

/** The settings that a recorded set requires of its server. */
export interface ServerSetting {
  /** The minimum time until a watch without `timeoutSeconds` ends. */
  readonly minRequestTimeoutMs?: number;
  /** The maximum number of concurrent requests. */
  readonly maxRequestsInFlight?: number;
  /** Whether the history of the storage is compacted, by {@linkcode ServerUnderTest.compact}. */
  readonly isCompacted?: boolean;
  /** The feature gates that are turned on, each in the minor versions that have it. */
  readonly featureGates?: Readonly<Record<string, Span>>;
  /** Whether the server keeps the Endpoints of its own Service. */
  readonly hasEndpoints?: boolean;
  /** The answers of the webhooks at `{{hooks.url}}`, whose certificate `{{hooks.ca}}` signs. */
  readonly webhooks?: Scripts;
}

/** The webhooks of a scenario as a server reaches them. */
export interface ReachableWebhooks {
  readonly webhooks: ScriptedWebhooks;
  /** Their URL, without a slash at the end. */
  readonly url: string;
  /** The authority that signs their certificate, in base64. */
  readonly caBundle: string;
}

/** The server of a recorded set: ours in this process, or a real kube-apiserver. */
export interface ServerUnderTest extends AsyncDisposable {
  /** The kind of server. */
  readonly name: "ours" | "real";
  /** The URL of the server, which some answers contain. */
  readonly origin: string;
  /** The webhooks that the setting asks for. The reviews that they receive become results. */
  readonly hooks: ReachableWebhooks | undefined;
  /** Sends a request. */
  fetch(request: Request): Promise<Response>;
  /** Waits for `promise` while time passes. */
  run<T>(promise: Promise<T>): Promise<T>;
  /** Runs everything that is due. */
  settle(): Promise<void>;
  /** Lets `ms` pass, or less if `done` returns true before. */
  pass(ms: number, done?: () => boolean): Promise<void>;
  /** Kills the server and starts it again on the same state. */
  restart(): Promise<void>;
  /** Compacts the history of the storage. Watch caches keep theirs. */
  compact(): Promise<void>;
  /** Runs `action` while the server is at its limit of concurrent requests. */
  whileBusy(action: () => Promise<void>): Promise<void>;
}

/** Returns the feature gates of a setting that a minor version has. */
export function gatesOf({ featureGates = {} }: ServerSetting, minor: string): readonly string[] {
  if (!isMinor(minor)) throw new Error(`The server does not know ${minor}`);
  const release = releaseOf(minor);
  return Object.keys(featureGates).filter((gate) => release.has(featureGates[gate]!));
}

/** Creates a new server for one recorded set. */
export type ServerFactory = (setting: ServerSetting) => Promise<ServerUnderTest>;

/** The bearer tokens of the scenarios. */
export const TOKENS: Readonly<Record<string, TokenUser>> = {
  "demo-admin-token": { user: "demo-admin", uid: "uid-admin", groups: ["system:masters"] },
  "demo-nobody-token": { user: "demo-nobody", uid: "uid-nobody", groups: ["demo-none"] },
};
