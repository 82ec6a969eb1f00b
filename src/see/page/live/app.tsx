/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { SeeState } from "../../mod.ts";
import { Chip, handleKeys, KEYS, Pipeline, plural, visible } from "../kit/mod.ts";
import { AttentionList } from "./attention_list.tsx";
import { RateHistory } from "./history.ts";
import { KeyList } from "./key_list.tsx";
import { KeyPage } from "./key_page.tsx";
import type { Connection, PageSource } from "./page_source.ts";
import { parseRoute, type Route } from "./route.ts";
import { wordsOf } from "./words.ts";

/** The properties of {@linkcode App}. */
export interface AppProps {
  readonly source: PageSource;
  /** The window of the page, whose hash names the place. */
  readonly view: Window;
  /** Offers a text as a file. */
  readonly download: (name: string, text: string, type: string) => void;
}

/** The page of a program that runs. */
export function App({ download, source, view }: AppProps): VNode {
  const [state, setState] = useState<SeeState>();
  const [connection, setConnection] = useState<Connection>({ kind: "connecting" });
  const [isPaused, setPaused] = useState(false);
  const route = useRoute(view);
  const history = useRef(new RateHistory()).current;
  useEffect(() => {
    if (isPaused) {
      setConnection({ kind: "paused" });
      return;
    }
    const stop = new AbortController();
    source.watch({
      connection: setConnection,
      state: (next) => {
        history.add(next);
        setState(next);
      },
    }, stop.signal);
    return () => stop.abort();
  }, [source, isPaused]);
  useEffect(() => handleKeys(view.document, { back: () => view.location.hash = "#/" }), [view]);
  useEffect(() => {
    if (state === undefined) return;
    const place = route.kind === "key" ? `${visible(route.key)} · ` : "";
    view.document.title = `${place}${visible(state.title)}`;
  }, [route, state?.title]);
  return (
    <>
      <header class="top">
        <div>
          <h1>{state === undefined ? "kubeloop" : visible(state.title)}</h1>
          {state !== undefined && (
            <p class="soft">
              <Chip tone={/lead|run/.test(state.phase) ? "green" : "grey"}>
                {visible(state.phase)}
              </Chip>
              {visible(state.server)}
            </p>
          )}
        </div>
        <div class="connection">
          <ConnectionStatus connection={connection} />
          <button type="button" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
            Pause updates
          </button>
        </div>
      </header>
      <main>
        {state === undefined
          ? connection.kind === "connecting" && <p class="empty">Waiting for the first state …</p>
          : route.kind === "key"
          ? (
            <KeyPage
              name={{ controller: route.controller, key: route.key }}
              source={source}
              state={state}
              about={route.about}
              download={download}
            />
          )
          : <Overview source={source} state={state} history={history} route={route} view={view} />}
      </main>
      <footer class="soft">
        <ul aria-label="Keys of the keyboard">
          {KEYS.map(([key, words]) => (
            <li key={key}>
              <kbd>{key}</kbd> {words}
            </li>
          ))}
        </ul>
      </footer>
    </>
  );
}

function ConnectionStatus({ connection }: { connection: Connection }): VNode {
  return (
    <p role="status">
      {connection.kind === "lost" || connection.kind === "refused"
        ? (
          <>
            <Chip tone="red">
              {connection.kind === "lost" ? "connection lost, trying again" : "refused"}
            </Chip>
            <span class="soft">{visible(connection.why)}</span>
          </>
        )
        : connection.kind === "live"
        ? <Chip tone="green">live</Chip>
        : <Chip tone="grey">{connection.kind}</Chip>}
    </p>
  );
}

interface OverviewProps {
  readonly source: PageSource;
  readonly state: SeeState;
  readonly history: RateHistory;
  readonly route: Route & { readonly kind: "overview" };
  readonly view: Window;
}

function Overview({ history, route, source, state, view }: OverviewProps): VNode {
  const { attention, at, controllers, notes = [], watches } = state;
  const { watch } = route;
  useEffect(() => {
    if (watch === undefined) return;
    // Only a name that the state has can be marked.
    const card = view.document.querySelector<HTMLElement>("[data-watch][data-marked]");
    card?.scrollIntoView({ block: "center" });
    card?.focus({ preventScroll: true });
  }, [watch]);
  return (
    <>
      <AttentionList attention={attention} now={at} />
      <section aria-labelledby="pipeline">
        <div class="section-head">
          <h2 id="pipeline">Pipeline</h2>
          <span class="soft">{wordsOf(state.kind).flow}</span>
        </div>
        <Pipeline
          watches={watches}
          controllers={controllers}
          now={at}
          ratesOf={(name) => history.of(name)}
          marked={watch}
        />
      </section>
      <KeyList source={source} state={state} />
      {notes.length > 0 && (
        <section aria-labelledby="notes">
          <h2 id="notes">Notes</h2>
          <ul class="card soft">{notes.map((note) => <li key={note}>{visible(note)}</li>)}</ul>
        </section>
      )}
      <p class="vh" role="status">
        {attention.length === 0
          ? "Nothing needs attention"
          : `${plural(attention.length, "thing")} in the list of attention`}
      </p>
    </>
  );
}

/** Returns the place that the hash names. Going back puts the focus on the link of the place before. */
function useRoute(view: Window): Route {
  const [hash, setHash] = useState(view.location.hash);
  useEffect(() => {
    const listener = (event: HashChangeEvent) => {
      setHash(view.location.hash);
      const left = new URL(event.oldURL).hash.split("?")[0]!;
      if (parseRoute(view.location.hash).kind === "overview" && left.startsWith("#/key/")) {
        focusLater(view, left);
      }
    };
    view.addEventListener("hashchange", listener);
    return () => view.removeEventListener("hashchange", listener);
  }, [view]);
  return parseRoute(hash);
}

/** The number of frames in which the list may come back after a page was left. */
const FRAMES = 30;

function focusLater(view: Window, left: string, frames = FRAMES): void {
  view.requestAnimationFrame(() => {
    const links = [...view.document.querySelectorAll<HTMLElement>("a[data-item]")];
    const link = links.find((one) => one.getAttribute("href")!.split("?")[0] === left);
    if (link !== undefined) link.focus();
    else if (frames > 0) focusLater(view, left, frames - 1);
  });
}
