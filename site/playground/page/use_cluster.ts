/// <reference lib="dom" />
import { useEffect, useRef, useState } from "preact/hooks";
import {
  type ClusterView,
  MAX_LINES,
  MAX_STORIES,
  type NumberedStory,
  type ObjectName,
  type OutputLine,
  type Request,
} from "../protocol.ts";
import { Session, SessionError } from "./session.ts";

/** The time between two looks at a cluster, in milliseconds. */
const VIEW_MS = 400;

/** A cluster in a worker, as the page sees it. */
export interface ClusterState {
  readonly is: "off" | "starting" | "on";
  readonly view: ClusterView | undefined;
  readonly lines: readonly OutputLine[];
  readonly stories: readonly NumberedStory[];
  /** The full name of the resource whose table is shown, undefined for the overview; and the object whose versions are. */
  readonly resource: string | undefined;
  readonly object: ObjectName | undefined;
  select(resource: string | undefined, object?: ObjectName): void;
  /** Starts a new cluster. Rejects with the problem of the program. */
  run(program: string, yaml: string): Promise<void>;
  stop(): void;
  call(request: Request): Promise<unknown>;
}

interface Shown extends Pick<ClusterState, "lines" | "stories" | "view"> {
  readonly session: Session | undefined;
  readonly isStarting: boolean;
}

const NOTHING: Shown = {
  session: undefined,
  isStarting: false,
  view: undefined,
  lines: [],
  stories: [],
};

const OVERVIEW = { resource: undefined, object: undefined };

/** Runs clusters, one at a time. `onProblem` is called when the program has failed, or was stopped because of what it does. */
export function useCluster(
  worker: string,
  onProblem: (problem: SessionError) => void,
): ClusterState {
  const [shown, setShown] = useState<Shown>(NOTHING);
  const [selected, setSelected] = useState<Pick<ClusterState, "object" | "resource">>(OVERVIEW);
  const latest = useRef(shown);
  latest.current = shown;
  const { isStarting, lines, session, stories, view } = shown;

  useEffect(() => {
    if (session === undefined) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async () => {
      if (document.hidden) return;
      const { lines, stories } = latest.current;
      const next = await session.call({
        do: "view",
        query: {
          resources: selected.resource === undefined ? [] : [selected.resource],
          object: selected.object,
          afterLine: lines.at(-1)?.number ?? 0,
          afterStory: stories.at(-1)?.number ?? 0,
        },
      }) as ClusterView;
      if (isOver) return;
      if (next.problem !== undefined && latest.current.view?.problem === undefined) {
        onProblem(new SessionError(next.problem));
      }
      setShown((old) => ({
        ...old,
        view: next,
        lines: next.lines.length === 0
          ? old.lines
          : [...old.lines, ...next.lines].slice(-MAX_LINES),
        stories: next.stories.length === 0
          ? old.stories
          : [...old.stories, ...next.stories].slice(-MAX_STORIES),
      }));
    };
    const loop = async () => {
      // The answer to a request before the start is an error.
      await look().catch(() => {});
      if (!isOver) timer = setTimeout(loop, VIEW_MS);
    };
    void loop();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [session, selected]);

  const stop = () => {
    latest.current.session?.end();
    latest.current = NOTHING;
    setShown(({ lines, stories }) => ({ ...NOTHING, lines, stories }));
  };
  return {
    is: session === undefined ? "off" : isStarting ? "starting" : "on",
    view,
    lines,
    stories,
    resource: selected.resource,
    object: selected.object,
    select: (resource, object) => setSelected({ resource, object }),
    async run(program, yaml) {
      latest.current.session?.end();
      const own = new Session(worker, (reason) => {
        if (latest.current.session !== own) return;
        stop();
        onProblem(new SessionError({ message: reason }));
      });
      latest.current = { ...NOTHING, session: own, isStarting: true };
      setShown(latest.current);
      setSelected(OVERVIEW);
      try {
        await own.call({ do: "run", program });
      } catch (error) {
        if (latest.current.session === own) stop();
        throw error;
      }
      setShown((old) => old.session === own ? { ...old, isStarting: false } : old);
      await own.call({ do: "apply", yaml });
    },
    stop,
    call: (request) =>
      session?.call(request) ??
        Promise.reject(new SessionError({ message: "No cluster runs: press Run first" })),
  };
}
