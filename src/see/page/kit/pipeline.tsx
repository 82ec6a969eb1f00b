/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ControllerView, WatchView } from "../../mod.ts";
import { Chip, type Tone } from "./chip.tsx";
import { count, duration, plural, rate, relative, visible } from "./format.ts";
import { Spark } from "./spark.tsx";

/** The last values of a watch or of a controller, the oldest first. */
export interface Rates {
  readonly good: readonly number[];
  readonly bad: readonly number[];
}

/** The properties of {@linkcode Pipeline}. */
export interface PipelineProps {
  readonly watches: readonly WatchView[];
  readonly controllers: readonly ControllerView[];
  /** The time of the state (RFC 3339). */
  readonly now: string;
  /** Returns the last rates of `watch NAME` or `controller NAME`. */
  readonly ratesOf: (name: string) => Rates;
  /** The name of the watch that is marked. */
  readonly marked?: string | undefined;
}

/** A queue that is longer than this is drawn as a warning. */
const LONG_QUEUE = 100;
/** A change that takes longer than this to reach the cache is drawn as a warning, in milliseconds. */
const LONG_LAG_MS = 5_000;
/** A key that has waited longer than this is drawn as a warning, in milliseconds. */
const LONG_WAIT_MS = 10_000;
/** The maximum number of workers that are drawn one by one. */
const MAX_WORKERS = 16;

/** The way of a change: from a watch through its queue into its cache, then as a key to a worker of a controller. */
export function Pipeline({ controllers, marked, now, ratesOf, watches }: PipelineProps): VNode {
  const flow = useRef<HTMLDivElement>(null);
  const links = watches.flatMap(({ controllers, eventsPerSecond, name }) =>
    controllers.map((controller) => ({ watch: name, controller, pace: eventsPerSecond }))
  );
  return (
    <div class={`flow${watches.length === 0 ? " alone" : ""}`} ref={flow}>
      {watches.length > 0 && (
        <ul class="flow-side" aria-label="Watches, with their queues and caches">
          {watches.map((watch) => (
            <Watch
              key={watch.name}
              watch={watch}
              now={now}
              rates={ratesOf(`watch ${watch.name}`)}
              isMarked={watch.name === marked}
            />
          ))}
        </ul>
      )}
      <Links parent={flow} links={links} />
      <ul class="flow-side" aria-label="Controllers, with their keys and workers">
        {controllers.map((controller) => (
          <Controller
            key={controller.name}
            controller={controller}
            rates={ratesOf(`controller ${controller.name}`)}
          />
        ))}
      </ul>
    </div>
  );
}

const PHASES: Readonly<Record<WatchView["phase"], Tone>> = {
  waiting: "grey",
  listing: "blue",
  watching: "green",
  retrying: "red",
  ended: "grey",
};

interface WatchProps {
  readonly watch: WatchView;
  readonly now: string;
  readonly rates: Rates;
  readonly isMarked: boolean;
}

function Watch({ isMarked, now, rates, watch }: WatchProps): VNode {
  const { controllers, eventsPerSecond, lagMs, name, objects, phase, problem } = watch;
  const { queued, reconnects, silentMs } = watch;
  return (
    <li
      class={`card watch${isMarked ? " marked" : ""}`}
      data-watch={name}
      tabIndex={isMarked ? -1 : undefined}
      data-marked={isMarked || undefined}
    >
      <div class="card-head">
        <h3>{visible(name)}</h3>
        <Chip tone={PHASES[phase] ?? "grey"}>{phase}</Chip>
      </div>
      <div class="stations">
        <div class="station">
          <span class="station-name">watch</span>
          <span class="station-value">
            {rate(eventsPerSecond)}
            <Spark values={rates.good} />
          </span>
        </div>
        <Arrow pace={eventsPerSecond} />
        <div class={`station${queued > LONG_QUEUE ? " amber" : ""}`}>
          <span class="station-name">queue</span>
          <span class="station-value">{count(queued)}</span>
        </div>
        <Arrow pace={eventsPerSecond} />
        <div class="station">
          <span class="station-name">cache</span>
          <span class="station-value">{plural(objects, "object")}</span>
        </div>
      </div>
      <p class="card-foot">
        {lagMs !== undefined && (
          <span class={lagMs > LONG_LAG_MS ? "amber-text" : ""}>{duration(lagMs)} behind</span>
        )}
        {silentMs !== undefined && (
          <span>heard {silentMs < 1_000 ? "just now" : `${duration(silentMs)} ago`}</span>
        )}
        {reconnects > 0 && <span>{plural(reconnects, "reconnect")}</span>}
        {controllers.length > 0 && (
          <span class="feeds">feeds {controllers.map(visible).join(", ")}</span>
        )}
      </p>
      {problem !== undefined && (
        <div class="problem">
          <p>{visible(problem.text)}</p>
          <p>
            {visible(problem.remedy)} <span class="soft">{relative(problem.at, now)}</span>
          </p>
        </div>
      )}
    </li>
  );
}

/** An arrow with a drop that moves along it. Only the drop is animated, by a transform, which costs the browser least. */
function Arrow({ pace }: { pace: number }): VNode {
  return (
    <span class={`arrow ${paceOf(pace)}`} aria-hidden="true">
      <svg viewBox="0 0 28 12">
        <path class="wire" d="M0,6H22" />
        <path class="head" d="M28,6L20,2.5V9.5Z" />
      </svg>
      <span class="drop" />
    </span>
  );
}

function Controller(
  { controller, rates }: { controller: ControllerView; rates: Rates },
): VNode {
  const { busy, delayed, errorsPerSecond, failing, isRunning, name, oldestMs, queued } = controller;
  const { reconcilesPerSecond, resource, workers } = controller;
  // A server knows what its clients write, but not how.
  const isClient = workers === 0;
  return (
    <li class="card controller" data-controller={name}>
      <div class="card-head">
        <h3>{visible(name)}</h3>
        <span class="soft">{resource === name ? "" : visible(resource)}</span>
        {!isRunning && <Chip tone="grey">not running</Chip>}
      </div>
      <div class="stations">
        {!isClient && (
          <>
            <div class={`station${(oldestMs ?? 0) > LONG_WAIT_MS ? " amber" : ""}`}>
              <span class="station-name">keys</span>
              <span class="station-value">{count(queued)} due</span>
            </div>
            <Arrow pace={reconcilesPerSecond} />
            <div class="station grow">
              <span class="station-name">workers</span>
              <span class="station-value">
                {workers <= MAX_WORKERS && <Workers busy={busy} workers={workers} />}
                {count(busy)} of {count(workers)} busy
              </span>
            </div>
          </>
        )}
        <div class="station">
          <span class="station-name">{isClient ? "writes" : "reconciles"}</span>
          <span class="station-value">
            {rate(reconcilesPerSecond)}
            <Spark values={rates.good} bad={rates.bad} />
          </span>
        </div>
        {isClient && (
          <div class="station">
            <span class="station-name">refused</span>
            <span class="station-value">{rate(errorsPerSecond)}</span>
          </div>
        )}
      </div>
      <p class="card-foot">
        {oldestMs !== undefined && (
          <span class={oldestMs > LONG_WAIT_MS ? "amber-text" : ""}>
            oldest waits {duration(oldestMs)}
          </span>
        )}
        {delayed > 0 && <span>{count(delayed)} wait for a time</span>}
        {failing > 0 && <span class="red-text">{count(failing)} failing</span>}
        {errorsPerSecond > 0 && !isClient && (
          <span class="red-text">{rate(errorsPerSecond)} errors</span>
        )}
      </p>
    </li>
  );
}

function Workers({ busy, workers }: { busy: number; workers: number }): VNode {
  return (
    <span class="workers" aria-hidden="true">
      {Array.from(
        { length: workers },
        (_, index) => <span key={index} class={index < busy ? "worker busy" : "worker"} />,
      )}
    </span>
  );
}

interface Link {
  readonly watch: string;
  readonly controller: string;
  readonly pace: number;
}

/** Lines from the caches to the controllers. They are drawn where the cards are, which depends on their texts. */
function Links(
  { links, parent }: { links: readonly Link[]; parent: { readonly current: HTMLElement | null } },
): VNode {
  const [paths, setPaths] = useState<readonly string[]>([]);
  const draw = () => {
    const box = parent.current;
    if (box === null) return;
    const { left, top } = box.getBoundingClientRect();
    const cards = (name: string) =>
      new Map(
        [...box.querySelectorAll<HTMLElement>(`[data-${name}]`)].map((card) =>
          [card.dataset[name], card.getBoundingClientRect()] as const
        ),
      );
    const from = cards("watch");
    const to = cards("controller");
    const next = links.map(({ controller, watch }) => {
      const start = from.get(watch);
      const end = to.get(controller);
      if (start === undefined || end === undefined) return "";
      const [x1, y1] = [start.right - left, start.top + start.height / 2 - top];
      const [x2, y2] = [end.left - left - 7, end.top + end.height / 2 - top];
      const bend = (x2 - x1) / 2;
      return `M${x1},${y1}C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
    });
    if (next.join() !== paths.join()) setPaths(next);
  };
  useLayoutEffect(draw);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(draw);
    if (parent.current !== null) observer.observe(parent.current);
    return () => observer.disconnect();
  });
  return (
    <svg class="links" aria-hidden="true">
      {paths.map((path, index) => (
        <path key={index} class={`wire ${paceOf(links[index]?.pace ?? 0)}`} d={path} />
      ))}
    </svg>
  );
}

/** Returns the class of a line, which moves with what goes through it. */
function paceOf(perSecond: number): string {
  if (!(perSecond > 0)) return "still";
  return perSecond < 5 ? "slow" : perSecond < 100 ? "brisk" : "fast";
}
