/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeeState } from "../../mod.ts";
import {
  DiffView,
  fieldsOf,
  highlightOf,
  plural,
  relative,
  Result,
  StoryView,
  visible,
} from "../kit/mod.ts";
import { AttentionChip, AttentionSince } from "./attention_list.tsx";
import { KeyActions } from "./key_actions.tsx";
import type { KeyName, PageSource } from "./page_source.ts";
import { wordsOf } from "./words.ts";
import { useHeld } from "./use_held.ts";
import { useLoaded } from "./use_loaded.ts";

/** The number of keys among which the state of the key is looked for. */
const NAMESAKES = 100;

/** The properties of {@linkcode KeyPage}. */
export interface KeyPageProps {
  readonly name: KeyName;
  readonly source: PageSource;
  readonly state: SeeState;
  /** The kind of attention that the page was opened for. */
  readonly about?: string | undefined;
  /** Offers a text as a file. */
  readonly download: (name: string, text: string, type: string) => void;
}

/** The story of a key: its reconciles, the change of its object, and the actions of a person. */
export function KeyPage({ about, download, name, source, state }: KeyPageProps): VNode {
  const { controller, key } = name;
  const words = wordsOf(state.kind);
  const subject = JSON.stringify(name);
  const [done, setDone] = useState(0);
  const stories = useLoaded(() => source.stories(name), {
    subject,
    version: `${state.at} ${done}`,
  });
  const view = useLoaded(async () => {
    const { keys } = await source.keys({ controller, text: key, limit: NAMESAKES });
    return keys.find((one) => one.key === key && one.controller === controller);
  }, { subject, version: `${state.at} ${done}` });
  const newest = stories.value ?? [];
  const last = newest.at(-1);
  const versions = useLoaded(() => source.versions(name), {
    subject,
    // The object is read again after each reconcile, not with each state.
    version: `${last?.startedAt} ${last?.result} ${last?.causes.length}`,
  });
  const entries = state.attention.filter((one) => one.controller === controller && one.key === key);
  const entry = entries.find(({ kind }) => kind === about) ?? entries[0];
  const { isGone = false, paused } = view.value ?? {};
  const other = paused === undefined ? "resume" : "pause";
  const actions = isGone ? [] : state.actions.filter((one) => one !== other);
  const { newer, release, stories: list } = useHeld(newest, {
    subject: `${subject} ${about}`,
    isWanted: about !== undefined && entry !== undefined &&
      highlightOf(entry, newest) !== undefined,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [subject]);
  // Once, when the stories are there: later ones do not move the page under the reader.
  const isShown = stories.value !== undefined;
  useEffect(() => {
    if (about === undefined || !isShown) return;
    const place = heading.current?.ownerDocument.querySelector("[data-marked]");
    place?.scrollIntoView({ block: "nearest" });
  }, [subject, about, isShown]);
  return (
    <>
      <nav aria-label="Back">
        <a href="#/">← All {words.keys.toLowerCase()}</a>
      </nav>
      <div class="key-head">
        <div>
          <h2 class="key-name" tabIndex={-1} ref={heading}>{visible(key)}</h2>
          <p class="soft">
            {visible(controller)}
            {view.value !== undefined && <Result result={view.value.result} />}
            {isGone && "deleted"}
            {view.value?.nextAt !== undefined &&
              `next run ${relative(view.value.nextAt, state.at)}`}
          </p>
        </div>
        <KeyActions
          key={subject}
          name={name}
          source={source}
          actions={actions}
          done={() => {
            setDone(done + 1);
            release();
          }}
          download={download}
        />
      </div>
      {paused !== undefined && entries.every(({ kind }) => kind !== "paused") && (
        <p class="card notice">{visible(paused)}</p>
      )}
      {entries.length > 0 && (
        <ul class="card entries" aria-label="Needs attention">
          {entries.map((one) => (
            <li key={`${one.kind} ${one.text}`}>
              <AttentionChip kind={one.kind} />
              <div class="entry-body">
                <b class="entry-text">{visible(one.text)}</b>
                <span>{visible(one.remedy)}</span>
              </div>
              <AttentionSince entry={{ ...one, key: undefined }} now={state.at} />
            </li>
          ))}
        </ul>
      )}
      <div class="key-grid">
        <section aria-labelledby="reconciles">
          <div class="section-head">
            <h3 id="reconciles">{words.stories}</h3>
            <span class="soft">
              {list.length > 0 &&
                `${plural(list.length, words.story)}, the newest first; times in UTC`}
            </span>
          </div>
          <div class="card">
            {newer > 0 && (
              <button
                type="button"
                class="quiet"
                onClick={release}
              >
                Show {plural(newer, `newer ${words.story}`)}
              </button>
            )}
            {stories.error !== undefined && (
              <p class="red-text" role="alert">{visible(stories.error)}</p>
            )}
            {stories.value !== undefined && (
              <StoryView
                stories={list}
                now={state.at}
                level={4}
                highlight={entry && highlightOf(entry, list)}
                remark={entry && <AttentionChip kind={entry.kind} />}
              />
            )}
          </div>
        </section>
        <section aria-labelledby="object">
          <div class="section-head">
            <h3 id="object">Object, before and after its last change</h3>
          </div>
          <div class="card">
            {versions.error !== undefined
              ? <p class="red-text" role="alert">{visible(versions.error)}</p>
              : versions.value !== undefined
              ? (
                <DiffView
                  before={versions.value.before}
                  after={versions.value.after}
                  label="The object before and after its last change"
                  marked={entry && fieldsOf(entry, list)}
                />
              )
              : "value" in versions && <p class="empty">{words.noObject}</p>}
          </div>
        </section>
      </div>
    </>
  );
}
