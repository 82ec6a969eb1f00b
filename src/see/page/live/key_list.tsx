/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { KeyView, SeeState } from "../../mod.ts";
import { type Column, count, plural, relative, Result, Table, visible } from "../kit/mod.ts";
import type { PageSource } from "./page_source.ts";
import { keyHash } from "./route.ts";
import { wordsOf } from "./words.ts";
import { useLoaded } from "./use_loaded.ts";

/** The number of keys that are shown at first, and how many more a click adds. */
const STEP = 100;
/** The time between two loads of the list, in milliseconds of the process. */
const REFRESH_MS = 2_000;

/** The list of keys, with a filter. The process selects them, so that a list of any length stays fluent. */
export function KeyList({ source, state }: { source: PageSource; state: SeeState }): VNode {
  const [text, setText] = useState("");
  const [controller, setController] = useState("");
  const [limit, setLimit] = useState(STEP);
  const query = {
    limit,
    text: text.trim() || undefined,
    controller: controller || undefined,
  };
  const { error, value } = useLoaded(() => source.keys(query), {
    subject: "keys",
    version: `${JSON.stringify(query)} ${Math.floor(Date.parse(state.at) / REFRESH_MS)}`,
  });
  const words = wordsOf(state.kind);
  const shown = value?.keys.length ?? 0;
  const total = value?.total ?? 0;
  const isFiltered = query.text !== undefined || query.controller !== undefined;
  return (
    <section aria-labelledby="keys">
      <div class="section-head">
        <h2 id="keys">{words.keys}</h2>
        <span class="soft" role="status">
          {value === undefined
            ? ""
            : shown < total
            ? `${count(shown)} of ${plural(total, words.key)}`
            : plural(total, words.key)}
        </span>
        <div class="filters">
          <input
            type="search"
            aria-label={`Filter ${words.keys.toLowerCase()}`}
            placeholder="Filter by name"
            value={text}
            data-filter
            spellcheck={false}
            // Enter leads on to the first key that was found.
            onKeyDown={(event) => {
              const { currentTarget, key } = event;
              if (key !== "Enter") return;
              // The link would take the same key.
              event.preventDefault();
              const section = currentTarget.closest("section")!;
              section.querySelector<HTMLElement>("tbody [data-item]")?.focus();
            }}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setLimit(STEP);
            }}
          />
          {state.controllers.length > 1 && (
            <select
              aria-label={words.filter}
              value={controller}
              onChange={(event) => setController(event.currentTarget.value)}
            >
              <option value="">{words.all}</option>
              {state.controllers.map(({ name }) => (
                <option key={name} value={name}>{visible(name)}</option>
              ))}
            </select>
          )}
        </div>
      </div>
      <div class="card">
        {error !== undefined && <p class="red-text" role="alert">{visible(error)}</p>}
        {value !== undefined && (
          <Table
            caption={`${words.keys} in the order of attention`}
            columns={columnsOf(state)}
            rows={value.keys}
            keyOf={({ controller, key }) => `${controller} ${key}`}
            empty={isFiltered ? `No ${words.key} matches the filter.` : words.noKey}
          />
        )}
        {shown < total && (
          <button type="button" class="more" onClick={() => setLimit(limit + STEP)}>
            Show {count(Math.min(STEP, total - shown))} more
          </button>
        )}
      </div>
    </section>
  );
}

function columnsOf({ at: now, controllers, kind }: SeeState): Column<KeyView>[] {
  const words = wordsOf(kind);
  const columns: Column<KeyView>[] = [
    {
      name: words.key[0]!.toUpperCase() + words.key.slice(1),
      cell: ({ controller, error, isGone, key }) => (
        <>
          <a href={keyHash(controller, key)} data-item>{visible(key)}</a>
          {isGone && <span class="soft gone">deleted</span>}
          {error !== undefined && <span class="row-error">{visible(error)}</span>}
        </>
      ),
    },
    { name: words.owner, cell: ({ controller }) => visible(controller), isWide: true },
    {
      name: "Last result",
      cell: ({ paused, result }) =>
        paused === undefined ? <Result result={result} /> : (
          <span title={visible(paused)}>
            <Result result="paused" />
          </span>
        ),
    },
    { name: "When", cell: ({ at }) => <When at={at} now={now} />, isWide: true },
    // An API server knows what its clients have done, but not what they will do.
    ...(kind === "cluster" ? [] : [
      {
        name: "Next",
        cell: ({ nextAt }: KeyView) => <When at={nextAt} now={now} />,
        isWide: true,
      },
    ]),
    {
      name: words.kept,
      cell: ({ stories }) => count(stories),
      isWide: true,
      isNumber: true,
    },
  ];
  return controllers.length > 1 ? columns : columns.filter(({ name }) => name !== words.owner);
}

function When({ at, now }: { at: string | undefined; now: string }): VNode {
  return <span class="when">{at && relative(at, now)}</span>;
}
