import {
  abortable,
  type Clock,
  LinkedAbort,
  type Random,
  redactOf,
  type ResettingBackoff,
  safeLogger,
  TerminalError,
  visibleText,
  Waiters,
  watchBackoff,
  withTimeLimit,
} from "../base/mod.ts";
import type { Client, LogLine, LogsOptions, LogStream } from "../client/mod.ts";
import { type Cached, isNotFound, type Pod, Pods, StatusError } from "../types/mod.ts";
import { type ContainerState, stateOf } from "./container_state.ts";
import type { FollowedLine } from "./line_queue.ts";
import { readTime } from "./log_time.ts";
import { type Replay, ResumePoint } from "./resume_point.ts";
import type { Slots } from "./slots.ts";

/** A log that is silent for so long is opened again, because its connection may be dead. */
const SILENT_MS = 300_000;

/** A log that is silent for so long after its Pod is gone has no more lines. */
const SILENT_AFTER_REMOVAL_MS = 30_000;

/** How long a container that does not run is left alone, unless its Pod changes. */
const PAUSE_MS = 60_000;

/** How long the server may take to answer, and the log of an ended instance may be silent. */
const ANSWER_MS = 30_000;

/** A kubelet answers with the first line, which may be hours away. By then it has long chosen the instance. */
const CHOICE_MS = 2_000;

/** The longest text of a kubelet that an error shows, in characters. */
const MAX_SHOWN = 200;

/** Options of a {@linkcode ContainerFollower}. */
export interface FollowerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  /** Which lines of a container that ran before the follow began. */
  readonly since: Pick<LogsOptions, "sinceSeconds" | "sinceTime" | "tailLines">;
  readonly maxLineBytes: number | undefined;
  readonly slots: Slots;
  /** Takes a line, when there is room. */
  readonly deliver: (line: FollowedLine, signal: AbortSignal) => Promise<void>;
  /** Called with each failure that is retried. */
  readonly tell: (error: unknown, retryMs: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Follows the log of one container of one Pod, through all of its instances. Each time the log is opened again, the
 * log of the instance before is read too, and what was delivered before is left out.
 */
export class ContainerFollower {
  readonly #options: FollowerOptions;
  readonly #container: string;
  readonly #namespace: string;
  readonly #name: string;
  readonly #uid: string;
  readonly #changes = new Waiters();
  readonly #point: ResumePoint;
  readonly #startedAtMs: number;
  /** Whether all of the log is wanted, because the Pod is younger than the follow. */
  readonly #isFresh: boolean;
  #state: ContainerState;
  #isGone = false;
  /** Aborts with the follow, and once the Pod is gone. */
  readonly #present: LinkedAbort;
  readonly #backoff: ResettingBackoff;
  /** Whether a line was delivered since the last step of the backoff. */
  #hasProgress = false;
  /** The end of the last answer that had no line break. */
  #heldTail: string | undefined;

  constructor(
    options: FollowerOptions,
    pod: Cached<Pod>,
    { container, isFresh }: { readonly container: string; readonly isFresh: boolean },
  ) {
    this.#options = options;
    this.#container = container;
    this.#isFresh = isFresh;
    this.#point = new ResumePoint(isFresh);
    this.#namespace = pod.metadata.namespace ?? "";
    this.#name = pod.metadata.name;
    this.#uid = pod.metadata.uid;
    this.#startedAtMs = options.clock.now();
    this.#state = stateOf(pod, container);
    this.#present = new LinkedAbort(options.signal);
    this.#backoff = watchBackoff(options);
  }

  /** Notes a new state of the Pod; undefined once it is gone. */
  update(pod: Cached<Pod> | undefined): void {
    const before = this.#state;
    if (pod === undefined) {
      this.#isGone = true;
      this.#present.abort(new OtherPodError());
    } else this.#state = stateOf(pod, this.#container);
    if (pod === undefined || before.mark !== this.#state.mark || this.#state.isOver) {
      this.#changes.wakeAll();
    }
  }

  /**
   * Follows the log until the container has ended for good, or its Pod is gone.
   *
   * @throws {TerminalError} If the client is closed.
   * @throws The reason of the signal.
   */
  async run(): Promise<void> {
    try {
      await this.#follow();
    } finally {
      this.#present.release();
    }
  }

  async #follow(): Promise<void> {
    let isFirst = !this.#isFresh;
    while (!this.#isGone) {
      const opened = this.#state;
      if (!opened.hasRun && !opened.isOver) {
        await this.#waitForChange(Infinity);
        continue;
      }
      const failure = await this.#attempt(isFirst, opened.isOver);
      if (this.#isGone) return;
      if (opened.isOver && (failure === undefined || isNoLog(failure.error))) return;
      isFirst = false;
      if (opened.mark !== this.#state.mark) continue;
      const pauseMs = failure !== undefined || opened.isRunning ? this.#step() : PAUSE_MS;
      // The watch will tell of a Pod that is gone, and of a container that starts.
      if (failure !== undefined && !isNoLog(failure.error)) {
        this.#options.tell(failure.error, pauseMs);
      }
      await this.#waitForChange(pauseMs);
    }
  }

  /** Reads the log once, to its end. Returns a failure that may pass. */
  async #attempt(
    isFirst: boolean,
    isOver: boolean,
  ): Promise<{ readonly error: unknown } | undefined> {
    let give = () => {};
    try {
      // A removed Pod has no log, so its follower does not wait for a slot.
      give = await this.#options.slots.take(this.#present.signal);
      await this.#pass(isFirst, isOver);
      return undefined;
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (TerminalError.is(error)) throw error;
      return { error };
    } finally {
      give();
    }
  }

  async #pass(isFirst: boolean, isOver: boolean): Promise<void> {
    const streams: LogStream[] = [];
    const open = (previous: boolean) => {
      const stream = this.#stream(previous);
      streams.push(stream);
      return stream;
    };
    try {
      if (isFirst) return await this.#read(open(false), isOver);
      // If the container restarts between two of these requests, one of the others has the log of the instance before.
      const before = await this.#openPrevious(open(true));
      const current = open(false);
      await this.#waitFor(() => current.open(), CHOICE_MS);
      const between = await this.#openPrevious(open(true));
      await this.#requireSamePod();
      for (const stream of [before, between]) {
        if (stream !== undefined) await this.#read(stream, true, ANSWER_MS);
      }
      await this.#read(current, isOver);
    } finally {
      for (const stream of streams) await stream.close();
    }
  }

  /** Opens the log of the instance before. Returns undefined if there is none, or its log is gone. */
  async #openPrevious(stream: LogStream): Promise<LogStream | undefined> {
    try {
      await this.#within(stream.open(), stream, ANSWER_MS);
      return stream;
    } catch (error) {
      if (isNoLog(error)) return undefined;
      throw error;
    }
  }

  #stream(previous: boolean): LogStream {
    const { client, maxLineBytes, signal } = this.#options;
    const pod = { metadata: { name: this.#name, namespace: this.#namespace } };
    return client.logs(pod, {
      ...this.#since(previous),
      container: this.#container,
      follow: !previous,
      previous,
      timestamps: true,
      maxLineBytes,
      // The backoff of this follower sees every failure.
      maxRetries: 0,
      signal,
    });
  }

  /** Returns from when on the log is to be read. */
  #since(previous: boolean): FollowerOptions["since"] {
    const { fromSecond } = this.#point;
    // A node without a clock writes times of 1970, before which a server takes none.
    if (fromSecond !== undefined) return { sinceTime: new Date(Math.max(0, fromSecond) * 1000) };
    const { since } = this.#options;
    if (this.#isFresh) return {};
    const elapsed = Math.ceil((this.#options.clock.now() - this.#startedAtMs) / 1000);
    // Nothing was delivered yet. What came since the follow began must not be lost, and what was left out must not
    // come.
    if (previous) return { sinceSeconds: Math.max(1, elapsed) };
    if (elapsed === 0) return since;
    if (since.tailLines !== undefined) return { sinceSeconds: elapsed };
    if (since.sinceSeconds === undefined) return since;
    return { sinceSeconds: since.sinceSeconds + elapsed };
  }

  /** Delivers the new lines of an answer. Returns at its end, or when it was silent for too long. */
  async #read(stream: LogStream, isOver: boolean, silentMs = SILENT_MS): Promise<void> {
    const replay = this.#point.replay();
    let held: LogLine | undefined;
    let time: string | undefined;
    for (;;) {
      const limitMs = this.#isGone ? SILENT_AFTER_REMOVAL_MS : silentMs;
      const line = await this.#within(stream.nextLine(), stream, limitMs);
      // Only the last line of an answer is followed by nothing and has no line break.
      if (held !== undefined && (line !== undefined || this.#isWhole(held, isOver))) {
        time = await this.#deliver(held, replay, time);
      }
      if (line === undefined) return;
      held = line.isComplete ? undefined : line;
      if (held === undefined) time = await this.#deliver(line, replay, time);
    }
  }

  /**
   * Reports whether the text after the last line break is all that there is: the container has ended, or the log ends
   * so for a second time.
   */
  #isWhole({ text }: LogLine, isOver: boolean): boolean {
    const isWhole = isOver || this.#isGone || this.#heldTail === text;
    this.#heldTail = text;
    return isWhole;
  }

  /** Delivers a line that is new. Returns the text of its time, with which its next part begins. */
  async #deliver(
    { text, part }: LogLine,
    replay: Replay,
    timeOfLine: string | undefined,
  ): Promise<string | undefined> {
    const timed = readTime(part > 0 && timeOfLine !== undefined ? `${timeOfLine} ${text}` : text);
    if (timed === undefined) {
      // A kubelet that cannot read a log says so in place of its lines.
      const redact = redactOf(safeLogger(this.#options.client.environment.logger));
      const shown = visibleText(redact(text), MAX_SHOWN);
      throw new Error(`The server answered with text in place of lines: ${shown}`);
    }
    const { line, time } = timed;
    if (replay.isNew(timed, part)) {
      const { deliver, signal } = this.#options;
      const place = { pod: this.#name, namespace: this.#namespace, container: this.#container };
      await deliver({ ...place, line, time }, signal);
      this.#hasProgress = true;
    }
    return time;
  }

  /** Settles like `promise`. If that takes too long, the stream is closed, so that it ends. */
  async #within<T>(promise: Promise<T>, stream: LogStream, limitMs: number): Promise<T> {
    const timer = this.#options.clock.setTimer(() => void stream.close(), limitMs);
    try {
      return await promise;
    } finally {
      timer.cancel();
    }
  }

  /** Logs are named by the name of a Pod, which another Pod may have by now. */
  async #requireSamePod(): Promise<void> {
    const { client, signal } = this.#options;
    const call = { namespace: this.#namespace, maxRetries: 0, timeoutMs: ANSWER_MS, signal };
    const { metadata } = await client.get(Pods, this.#name, call);
    if (metadata.uid !== this.#uid) throw new OtherPodError();
  }

  /** Waits until the container has changed, or for as long. */
  #waitForChange(limitMs: number): Promise<void> {
    return this.#waitFor((signal) => this.#changes.wait(signal), limitMs);
  }

  /** Waits for something that may take longer than there is time. */
  async #waitFor(what: (signal: AbortSignal) => Promise<void>, limitMs: number): Promise<void> {
    const { clock, signal } = this.#options;
    const over = new DOMException("The wait is over", "AbortError");
    await withTimeLimit(
      { clock, signal, limitMs, late: () => over },
      (signal) => abortable(what(signal), signal),
    ).catch((error) => {
      if (error !== over) throw error;
    });
  }

  #step(): number {
    if (this.#hasProgress) this.#backoff.restart();
    this.#hasProgress = false;
    return this.#backoff.step();
  }
}

/** The failure of a request about a Pod that is gone, and whose name another Pod has. */
class OtherPodError extends Error {}

/** Reports whether there is no log: the Pod is gone, or the container has not started. */
function isNoLog(error: unknown): boolean {
  return error instanceof OtherPodError || isNotFound(error) ||
    (StatusError.is(error) && error.code === 400);
}
