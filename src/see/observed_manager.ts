import type { Clock, Redact } from "../base/mod.ts";
import type { KeyTrouble, StoryBook } from "../operator/stories/mod.ts";
import type { ResourceDescriptor } from "../types/mod.ts";
import type { ActionName, ControllerView } from "./model.ts";

/** The load of a controller: the present lengths of its queue, and counts from its start on. */
export interface ObservedLoad
  extends Omit<ControllerView, "name" | "resource" | "reconcilesPerSecond" | "errorsPerSecond"> {
  readonly reconciles: number;
  readonly errors: number;
}

/** A controller of an {@linkcode ObservedManager}. */
export interface ObservedController {
  readonly name: string;
  /** The resource that it reconciles. */
  readonly resource: ResourceDescriptor;
  load(): ObservedLoad;
  /** Returns what has gone wrong with keys: at most `limit` of each kind. */
  troubles(limit: number): readonly KeyTrouble[];
  isQueued(key: string): boolean;
  /** Reports whether the cache has the object of a key. */
  hasObject(key: string): boolean;
  pauseOf(key: string): string | undefined;
  /** Returns the time at which a delayed key is due, in milliseconds since the Unix epoch. */
  dueMs(key: string): number | undefined;
  /** The keys of the cached objects. */
  keys(): Iterable<string>;
  /** Returns the last two versions of the object of a key. Values of Secrets are masked. */
  versions(key: string): { readonly before?: unknown; readonly after: unknown } | undefined;
  /** Does an action on the object of a key. */
  act(key: string, name: ActionName): Promise<void>;
}

/** A watch of an {@linkcode ObservedManager}. */
export interface ObservedWatch {
  readonly name: string;
  readonly controllers: readonly string[];
  readonly lagMs?: number | undefined;
  readonly objects: number;
  readonly queued: number;
  readonly phase: "idle" | "listing" | "streaming-list" | "watching" | "backing-off" | "stopped";
  /** The number of lists, of streaming lists, of watches and of events so far. */
  readonly lists: number;
  readonly streamingLists: number;
  readonly watches: number;
  readonly events: number;
  readonly lastError: unknown;
  readonly lastErrorTimeMs: number | undefined;
}

/** The parts of a manager that a {@linkcode ManagerSource} reads. */
export interface ObservedManager {
  readonly name: string;
  /** The server, without credentials. */
  readonly server: string;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly stories: StoryBook;
  /** Whether people may act on objects. */
  readonly takesActions: boolean;
  phase(): string;
  watches(): readonly ObservedWatch[];
  controllers(): readonly ObservedController[];
  /** The kinds that the server does not serve, and that controllers have declared as optional. */
  absentKinds(): readonly string[];
  /** Called when the first page is opened, and when the last one is closed. */
  watched(isWatched: boolean): void;
}
