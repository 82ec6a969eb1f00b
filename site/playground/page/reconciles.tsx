/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Chip, plural, StoryView, visible } from "../../../src/see/page/kit/mod.ts";
import type { NumberedStory } from "../protocol.ts";

/** The properties of {@linkcode Reconciles}. */
export interface ReconcilesProps {
  /** The last stories, the oldest first. */
  readonly stories: readonly NumberedStory[];
  readonly isRunning: boolean;
}

/** The reconciles by key, each with its causes and its requests. */
export function Reconciles({ isRunning, stories }: ReconcilesProps): VNode {
  const [chosen, setChosen] = useState<string | undefined>(undefined);
  const keys = new Map<string, NumberedStory[]>();
  for (const one of stories) {
    const name = `${one.story.controller} ${one.story.key}`;
    keys.set(name, [...keys.get(name) ?? [], one]);
  }
  if (keys.size === 0) {
    return (
      <p class="empty">
        {isRunning
          ? "No reconcile has ended yet. Reconciles of a Manager are shown here; a Controller without one keeps none."
          : "Press Run. Each reconcile is shown here with its causes, its requests and its result."}
      </p>
    );
  }
  const selected = chosen !== undefined && keys.has(chosen) ? chosen : [...keys.keys()][0]!;
  const shown = keys.get(selected)!.map(({ story }) => story);
  const failed = shown.filter(({ result }) => result === "error" || result === "terminal").length;
  return (
    <div class="reconciles">
      <nav class="kinds" aria-label="Keys">
        {[...keys].map(([name, of]) => (
          <button
            key={name}
            type="button"
            aria-pressed={name === selected}
            onClick={() => setChosen(name)}
          >
            {visible(name)} <span class="count">{of.length}</span>
          </button>
        ))}
      </nav>
      <p class="summary">
        {plural(shown.length, "reconcile")}
        {failed > 0 && (
          <>
            <Chip tone="red">{failed} failed</Chip>
          </>
        )}
      </p>
      <StoryView stories={shown.slice(-40)} now={new Date().toISOString()} />
    </div>
  );
}
