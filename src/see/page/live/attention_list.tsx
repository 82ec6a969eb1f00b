/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { Attention, AttentionKind } from "../../mod.ts";
import { Chip, count, duration, type Tone, visible } from "../kit/mod.ts";
import { keyHash, watchHash } from "./route.ts";

/** The number of entries that are shown; the others are counted. */
const MAX_SHOWN = 50;

const KINDS: Readonly<Record<AttentionKind, readonly [words: string, tone: Tone]>> = {
  backoff: ["failing", "red"],
  hot_loop: ["hot loop", "red"],
  gate_timeout: ["cache late", "amber"],
  stuck_finalizer: ["stuck finalizer", "amber"],
  definition_missing: ["definition missing", "red"],
  right_missing: ["right missing", "red"],
  watch_failing: ["watch failing", "red"],
  hung_reconcile: ["hung", "red"],
  conflict: ["conflicts", "amber"],
  not_settled: ["not settled", "amber"],
  paused: ["paused", "grey"],
};

/** The words and the colour of a kind of attention. */
export function AttentionChip({ kind }: { kind: AttentionKind }): VNode {
  const [words, tone] = KINDS[kind] ?? [String(kind), "amber" as const];
  return <Chip tone={tone}>{words}</Chip>;
}

/** Returns the place that shows the cause of an entry; undefined if it names neither a key nor a watch. */
export function placeOf({ controller, key, kind, watch }: Attention): string | undefined {
  if (controller !== undefined && key !== undefined) return keyHash(controller, key, kind);
  return watch === undefined ? undefined : watchHash(watch);
}

/** The list of the things that need a person, each with its remedy and the way to its cause. */
export function AttentionList(
  { attention, now }: { attention: readonly Attention[]; now: string },
): VNode {
  return (
    <section class="attention" aria-labelledby="attention">
      <h2 id="attention">Needs attention</h2>
      {attention.length === 0
        ? (
          <p class="card calm">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M4,10.5L8.3,14.8L16,6.5" />
            </svg>
            Nothing needs attention.
          </p>
        )
        : (
          <ul class="card entries">
            {attention.slice(0, MAX_SHOWN).map((one) => (
              <Entry
                key={JSON.stringify([one.kind, placeOf(one), one.text])}
                entry={one}
                now={now}
              />
            ))}
            {attention.length > MAX_SHOWN && (
              <li class="soft">and {count(attention.length - MAX_SHOWN)} more</li>
            )}
          </ul>
        )}
    </section>
  );
}

function Entry({ entry, now }: { entry: Attention; now: string }): VNode {
  const { kind, remedy, text } = entry;
  const place = placeOf(entry);
  const what = <span class="entry-text">{visible(text)}</span>;
  return (
    <li>
      <AttentionChip kind={kind} />
      <div class="entry-body">
        {place === undefined ? what : <a href={place} data-item>{what}</a>}
        <span class="soft">{visible(remedy)}</span>
      </div>
      <AttentionSince entry={entry} now={now} />
    </li>
  );
}

/** The key or the watch of an entry, and for how long it has needed attention. */
export function AttentionSince({ entry, now }: { entry: Attention; now: string }): VNode {
  const { key, since, watch } = entry;
  const subject = key ?? watch;
  const ms = since === undefined ? NaN : Date.parse(now) - Date.parse(since);
  return (
    <span class="entry-since soft">
      {subject !== undefined && <span>{visible(subject)}</span>}
      {ms >= 0 && <span>for {duration(ms)}</span>}
    </span>
  );
}
