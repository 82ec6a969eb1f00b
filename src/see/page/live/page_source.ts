import type { Story } from "../../../operator/stories/mod.ts";
import type { ActionName, ExportForm, KeyQuery, KeyView, SeeState } from "../../mod.ts";

/** A key of a controller. */
export interface KeyName {
  readonly controller: string;
  readonly key: string;
}

/** The state of the connection of a page. */
export type Connection =
  | { readonly kind: "connecting" | "live" | "paused" }
  /** `lost` is tried again; `refused` is not, because the token is wrong. */
  | { readonly kind: "lost" | "refused"; readonly why: string };

/** Listeners of {@linkcode PageSource.watch}. */
export interface StateListener {
  readonly state: (state: SeeState) => void;
  readonly connection: (connection: Connection) => void;
}

/** The two last known versions of an object. */
export interface Versions {
  readonly before?: unknown;
  readonly after: unknown;
}

/** The source of a page: a process over HTTP. */
export interface PageSource {
  /** Calls the listener with each state, until the signal is aborted. */
  watch(listener: StateListener, signal: AbortSignal): void;
  keys(query: KeyQuery): Promise<{ readonly keys: readonly KeyView[]; readonly total: number }>;
  stories(name: KeyName): Promise<readonly Story[]>;
  versions(name: KeyName): Promise<Versions | undefined>;
  act(action: KeyName & { readonly name: ActionName }): Promise<string>;
  export(query: KeyName & { readonly form: ExportForm }): Promise<string>;
}
