/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { groupedPaths } from "../../../fields/mod.ts";
import {
  causeText,
  type SentFields,
  type Story,
  type StoryRequest,
} from "../../../operator/stories/mod.ts";
import { Chip, Result, resultTone, type Tone } from "./chip.tsx";
import { diffLines } from "./diff.ts";
import { count, duration, plural, relative, timeOfDay, visible } from "./format.ts";
import type { Highlight } from "./highlight.ts";
import { WaitBar } from "./wait_bar.tsx";
import { waitsOf } from "./waits.ts";

/** The number of stories that are open at first. */
const OPEN = 3;

/** The properties of {@linkcode StoryView}. */
export interface StoryViewProps {
  /** The stories of a key, the oldest first. */
  readonly stories: readonly Story[];
  /** The time that ages are counted to (RFC 3339). */
  readonly now: string;
  /** The level of the heading of each story. Default: 3. */
  readonly level?: 3 | 4;
  /** The place that is marked as the cause. */
  readonly highlight?: Highlight | undefined;
  /** The explanation of the marked place. */
  readonly remark?: ComponentChildren;
}

/** The reconciles of a key as a timeline, the newest first, each with its causes, waits, requests and result. */
export function StoryView({ highlight, level = 3, now, remark, stories }: StoryViewProps): VNode {
  if (stories.length === 0) {
    return <p class="empty">Nothing about it is kept yet; what happens next will be shown.</p>;
  }
  const names = namesOf(stories);
  const items = stories.map((story, index) => ({ story, index })).reverse();
  return (
    <ol class="stories" reversed>
      {items.map(({ index, story }, position) => (
        <StoryItem
          key={names[index]}
          story={story}
          previous={stories[index - 1]}
          now={now}
          level={level}
          isOpen={position < OPEN}
          highlight={highlight?.story === index ? highlight : undefined}
          remark={remark}
        />
      ))}
    </ol>
  );
}

/** Returns a name for each story, which stays while newer stories are added: its start, and a number among equal ones. */
function namesOf(stories: readonly Story[]): string[] {
  const counts = new Map<string, number>();
  return stories.map(({ startedAt }) => {
    const count = counts.get(startedAt) ?? 0;
    counts.set(startedAt, count + 1);
    return `${startedAt} ${count}`;
  });
}

interface StoryItemProps {
  readonly story: Story;
  readonly previous: Story | undefined;
  readonly now: string;
  readonly level: 3 | 4;
  readonly isOpen: boolean;
  readonly highlight: Highlight | undefined;
  readonly remark: ComponentChildren;
}

function StoryItem(props: StoryItemProps): VNode {
  const { highlight, level, now, previous, remark, story } = props;
  const { attempt, durationMs, result, startedAt } = story;
  const isMarked = highlight !== undefined;
  const [isOpen, setOpen] = useState(props.isOpen || isMarked);
  // A place that is marked later is shown.
  useEffect(() => {
    if (isMarked) setOpen(true);
  }, [isMarked]);
  const Heading = `h${level}` as "h3" | "h4";
  const first = story.causes[0];
  return (
    <li class={`story ${resultTone(result)}${highlight?.part === "story" ? " marked" : ""}`}>
      <Heading>
        <button
          type="button"
          class="story-head"
          aria-expanded={isOpen}
          data-item
          onClick={() => setOpen(!isOpen)}
        >
          <time dateTime={startedAt} title={startedAt}>{timeOfDay(startedAt)}</time>{" "}
          <Result result={result} />
          <span class="soft">
            {result === "running" ? " for " : " in "}
            {duration(durationMs)}
            {attempt > 1 && `, attempt ${attempt}`}
          </span>
          {!isOpen && first !== undefined && <span class="story-why">{causeText(first)}</span>}
          <span class="story-age soft">{relative(startedAt, now)}</span>
        </button>
      </Heading>
      {isOpen && (
        <div class="story-body">
          {highlight?.part === "story" && <Remark>{remark}</Remark>}
          <Causes story={story} highlight={highlight} remark={remark} />
          <WaitBar waits={waitsOf(story, previous)} isMarked={highlight?.part === "waits"}>
            {highlight?.part === "waits" && <Remark>{remark}</Remark>}
          </WaitBar>
          <Requests story={story} highlight={highlight} remark={remark} />
          <Ending story={story} highlight={highlight} remark={remark} />
        </div>
      )}
    </li>
  );
}

interface PartProps {
  readonly story: Story;
  readonly highlight: Highlight | undefined;
  readonly remark: ComponentChildren;
}

/** The explanation beside a marked place. */
function Remark({ children }: { children: ComponentChildren }): VNode {
  return <div class="remark">{children ?? "This is the cause."}</div>;
}

function Causes({ highlight, remark, story: { causes, moreCauses = 0 } }: PartProps): VNode {
  return (
    <div class="part">
      <span class="part-name">Because</span>
      <ul>
        {causes.map((cause, index) => {
          const { by, changed, count: times, patch: _patch, ...rest } = cause;
          const isMarked = highlight?.part === "cause" && highlight.index === index;
          const isListed = changed !== undefined && changed.length > 0;
          return (
            <li key={index} class={isMarked ? "marked" : ""} data-marked={isMarked || undefined}>
              {causeText({ ...rest, count: 1 })}
              {isListed && (
                <>
                  {": "}
                  {changed.map((field) => <code key={field} class="field">{visible(field)}</code>)}
                </>
              )}
              {by !== undefined && (
                <>
                  {isListed ? " " : ", "}
                  {cause.why === "refused" ? "tried by " : "written by "}
                  <b>{visible(by)}</b>
                </>
              )}
              {times > 1 && <span class="soft">, {count(times)} times</span>}
              {isMarked && <Remark>{remark}</Remark>}
            </li>
          );
        })}
        {moreCauses > 0 && <li class="soft">and {plural(moreCauses, "more cause")}</li>}
      </ul>
    </div>
  );
}

function Requests({ highlight, remark, story }: PartProps): VNode | null {
  const { moreRequests = 0, requests, skipped = [], skippedWrites } = story;
  if (requests.length + moreRequests + skippedWrites === 0) return null;
  return (
    <div class="part">
      <span class="part-name">Requests</span>
      <ul class="requests">
        {requests.map((request, index) => {
          const isMarked = highlight?.part === "request" && highlight.index === index;
          return (
            <li key={index} class={isMarked ? "marked" : ""} data-marked={isMarked || undefined}>
              <Request request={request} />
              {isMarked && <Remark>{remark}</Remark>}
            </li>
          );
        })}
        {moreRequests > 0 && <li class="soft">and {plural(moreRequests, "more request")}</li>}
        {skippedWrites > 0 && (
          <li class="soft">
            {plural(skippedWrites, "write")} skipped, nothing to change
            {skipped.map(({ path, write }) => (
              <div key={`${write} ${path}`}>
                {write} <code class="path">{visible(path)}</code>
              </div>
            ))}
          </li>
        )}
      </ul>
    </div>
  );
}

function Request({ request }: { request: StoryRequest }): VNode {
  const { auditId, changed, code, durationMs, error, method, path, sent } = request;
  return (
    <>
      <b class={`method ${method === "GET" ? "grey" : "blue"}`}>{visible(method)}</b>{" "}
      <code class="path">{visible(path)}</code>{" "}
      <Chip tone={codeTone(code)}>{code ?? visible(error ?? "no answer")}</Chip>{" "}
      <span class="soft">
        in {duration(durationMs)}
        {changed === false && ", nothing changed"}
        {codeTone(code) === "red" && auditId !== undefined && `, Audit-Id ${visible(auditId)}`}
      </span>
      {sent !== undefined && <Sent sent={sent} />}
    </>
  );
}

/** The fields that a write has sent, and the values if they are known. */
function Sent({ sent: { fields, moreFields = 0, values } }: { sent: SentFields }): VNode | null {
  if (fields.length === 0) return null;
  const names = (
    <>
      sent{" "}
      {groupedPaths(fields).map((field) => <code key={field} class="field">{visible(field)}</code>)}
      {moreFields > 0 && `and ${plural(moreFields, "more field")}`}
    </>
  );
  if (values === undefined) return <div class="soft">{names}</div>;
  return (
    <details class="sent">
      <summary class="soft">{names}</summary>
      <pre tabIndex={0} aria-label="The values that were sent">{linesOf(values)}</pre>
    </details>
  );
}

function linesOf(values: unknown): string {
  return diffLines(undefined, values).map(({ depth, text }) =>
    `${"  ".repeat(depth)}${visible(text)}`
  ).join("\n");
}

function codeTone(code: number | undefined): Tone {
  if (code === undefined || code >= 500) return "red";
  // A conflict is an answer that is expected, and leads to another attempt.
  if (code === 409 || code === 404) return "amber";
  return code >= 400 ? "red" : "green";
}

function Ending({ highlight, remark, story }: PartProps): VNode | null {
  const { error, requeueAfterMs, supersededBy } = story;
  const isMarked = highlight?.part === "error";
  return (
    <>
      {error !== undefined && (
        <div class={`part${isMarked ? " marked" : ""}`} data-marked={isMarked || undefined}>
          <span class="part-name">Error</span>
          <p class="error-text">
            {visible(error)}
            {isMarked && <Remark>{remark}</Remark>}
          </p>
        </div>
      )}
      {supersededBy !== undefined && (
        <div class="part">
          <span class="part-name">Ended</span>
          <p>by generation {supersededBy} of the object</p>
        </div>
      )}
      {requeueAfterMs !== undefined && (
        <div class="part">
          <span class="part-name">Next</span>
          <p>again after {duration(requeueAfterMs)}</p>
        </div>
      )}
    </>
  );
}
