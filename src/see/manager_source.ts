import type { Story, StoryKey } from "../operator/stories/mod.ts";
import { resourceName } from "../types/mod.ts";
import { Refusal } from "./admission.ts";
import { attentionOf } from "./attention_of.ts";
import { exportedStories } from "./exported_stories.ts";
import { Listeners } from "./listeners.ts";
import type {
  ActionName,
  Attention,
  ControllerView,
  ExportForm,
  KeyQuery,
  KeyView,
  SeeSource,
  SeeState,
} from "./model.ts";
import type { ObservedController, ObservedManager } from "./observed_manager.ts";
import { DEFINITION_REMEDY } from "./problem_of.ts";
import { Rates } from "./rates.ts";
import { WatchViews } from "./watch_views.ts";

/** The maximum number of things that need attention: of each kind for each controller, and in all. */
const MAX_OF_KIND = 20;
const MAX_ATTENTION = 200;
/** The maximum numbers of watches, of stories of a key, and of cached keys that a search visits. */
const MAX_WATCHES = 500;
const MAX_STORIES = 200;
const MAX_VISITED = 500_000;

/** The result of each action, in words. */
const DONE: Readonly<Record<ActionName, string>> = {
  reconcile: "is to be reconciled now",
  pause: "is paused until it is resumed; a deletion still cleans up",
  resume: "is resumed",
};

interface KeyName {
  readonly controller: string;
  readonly key: string;
}

/** A manager as the source of a page. Nothing is computed, and no timer runs, while no page is open. */
export class ManagerSource implements SeeSource {
  readonly #manager: ObservedManager;
  readonly #rates = new Rates();
  readonly #watches: WatchViews;
  readonly #listeners: Listeners;

  constructor(manager: ObservedManager) {
    this.#manager = manager;
    const { clock, redact } = manager;
    this.#watches = new WatchViews({ clock, redact, rates: this.#rates });
    this.#listeners = new Listeners({
      clock,
      opened: () => manager.watched(true),
      closed: () => {
        this.#watches.forget();
        manager.watched(false);
      },
    });
  }

  state(): SeeState {
    const { clock, name, server, stories, takesActions } = this.#manager;
    const controllers = this.#manager.controllers();
    const now = clock.now();
    const watches = this.#manager.watches();
    const { attention, views } = this.#watches.look(watches.slice(0, MAX_WATCHES));
    const state: SeeState = {
      title: name,
      kind: "manager",
      phase: this.#manager.phase(),
      at: new Date(clock.wallNow()).toISOString(),
      server,
      watches: views,
      controllers: controllers.map((one) => this.#viewOf(one, now)),
      attention: [...attention, ...this.#absent(), ...troublesOf(controllers)]
        .slice(0, MAX_ATTENTION),
      actions: takesActions ? ["reconcile", "pause", "resume"] : [],
      ...notesOf([
        [stories.snapshot().dropped, "older stories were dropped"],
        [watches.length - MAX_WATCHES, "more watches are not shown"],
      ]),
    };
    this.#rates.endRound();
    return state;
  }

  keys({ controller, limit, text = "" }: KeyQuery): { keys: KeyView[]; total: number } {
    const controllers = this.#manager.controllers()
      .filter(({ name }) => controller === undefined || name === controller);
    const byName = new Map(controllers.map((one) => [one.name, one]));
    const matches = (name: string, key: string) =>
      byName.has(name) && (text === "" || key.includes(text) || name.includes(text));
    const book = this.#manager.stories.keys(matches);
    const stories = new Map(book.map((one) => [`${one.controller} ${one.key}`, one]));
    const found = new Map<string, KeyView>();
    const add = (one: ObservedController, key: string) => {
      const id = `${one.name} ${key}`;
      // The key whose name is the whole text is found among any number of longer names.
      if ((found.size >= limit && key !== text) || found.has(id)) return;
      found.set(id, keyViewOf(one, key, stories.get(id)));
    };
    for (const { controller = "", key } of troublesOf(controllers)) {
      const one = byName.get(controller);
      if (one !== undefined && key !== undefined && matches(controller, key)) add(one, key);
    }
    for (const { controller, key } of book) add(byName.get(controller)!, key);
    const others = this.#others(controllers, stories, text, add);
    return { keys: [...found.values()], total: Math.max(found.size, book.length + others) };
  }

  stories({ controller, key }: KeyName): readonly Story[] {
    return this.#manager.stories.listWithValues({ controller, key, limit: MAX_STORIES });
  }

  versions({ controller, key }: KeyName): { before?: unknown; after: unknown } | undefined {
    const one = this.#controllerOf(controller);
    return one.versions(key);
  }

  async act(
    { controller, key, name }: KeyName & { readonly name: ActionName },
  ): Promise<string> {
    if (!this.#manager.takesActions) throw new Error("The manager writes nothing: it has dryRun");
    const one = this.#controllerOf(controller);
    await one.act(key, name);
    return `${key} ${DONE[name]}`;
  }

  export({ form, ...subject }: KeyName & { readonly form: ExportForm }): string {
    const { resource } = this.#controllerOf(subject.controller);
    const stories = this.stories(subject);
    const text = () => this.#manager.stories.text({ ...subject, limit: MAX_STORIES });
    return exportedStories({ ...subject, resource, stories, text }, form);
  }

  subscribe(changed: () => void): () => void {
    return this.#listeners.add(changed);
  }

  #viewOf(one: ObservedController, now: number): ControllerView {
    const { name, resource } = one;
    const { errors, oldestMs, reconciles, ...load } = one.load();
    return {
      name,
      resource: resourceName(resource),
      ...load,
      ...(oldestMs !== undefined && { oldestMs: Math.round(oldestMs) }),
      reconcilesPerSecond: this.#rates.sample(`reconciles ${name}`, reconciles, now),
      errorsPerSecond: this.#rates.sample(`errors ${name}`, errors, now),
    };
  }

  #absent(): Attention[] {
    return this.#manager.absentKinds().slice(0, MAX_OF_KIND).map((kind) => ({
      kind: "definition_missing",
      text: `The server does not serve ${kind}, which a controller has declared as optional`,
      remedy: DEFINITION_REMEDY,
    }));
  }

  /** Adds cached keys without a story that match a text. Returns the number of those, as far as the search goes. */
  #others(
    controllers: readonly ObservedController[],
    known: ReadonlyMap<string, unknown>,
    text: string,
    add: (one: ObservedController, key: string) => void,
  ): number {
    let count = 0;
    let visited = 0;
    if (text === "") return 0;
    for (const one of controllers) {
      const isWhole = one.name.includes(text);
      for (const key of one.keys()) {
        if (++visited > MAX_VISITED) return count;
        if ((!isWhole && !key.includes(text)) || known.has(`${one.name} ${key}`)) continue;
        count++;
        add(one, key);
      }
    }
    return count;
  }

  #controllerOf(name: string): ObservedController {
    const found = this.#manager.controllers().find((one) => one.name === name);
    if (found === undefined) {
      throw new Refusal(404, `The controller ${JSON.stringify(name)} does not exist`);
    }
    return found;
  }
}

function keyViewOf(
  one: ObservedController,
  key: string,
  known: StoryKey | undefined,
): KeyView {
  const dueMs = one.dueMs(key);
  const paused = one.pauseOf(key);
  const { durationMs = 0, error, result, startedAt }: Partial<Story> = known?.last() ?? {};
  const atMs = startedAt === undefined
    ? undefined
    : Date.parse(startedAt) + (result === "running" ? 0 : durationMs);
  return {
    controller: one.name,
    key,
    result: result ?? (one.isQueued(key) ? "queued" : "idle"),
    ...(atMs !== undefined && { at: new Date(atMs).toISOString() }),
    stories: known?.stories ?? 0,
    ...(dueMs !== undefined && { nextAt: new Date(dueMs).toISOString() }),
    ...(error !== undefined && { error }),
    ...(paused !== undefined && { paused }),
    ...(!one.hasObject(key) && { isGone: true }),
  };
}

/** Returns what has gone wrong with keys: what a person must mend first, and pauses last. */
function troublesOf(controllers: readonly ObservedController[]): Attention[] {
  const all = controllers.flatMap((one) =>
    one.troubles(MAX_OF_KIND).map((trouble) => attentionOf(one.name, trouble))
  );
  return [
    ...all.filter(({ kind }) => kind !== "paused"),
    ...all.filter(({ kind }) => kind === "paused"),
  ];
}

function notesOf(
  counts: readonly (readonly [count: number, what: string])[],
): { readonly notes?: readonly string[] } {
  const notes = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return notes.length === 0 ? {} : { notes };
}
