/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type DiffLine, diffLines, foldLines } from "./diff.ts";
import { count, plural, visible } from "./format.ts";

const MARKS = { same: " ", added: "+", removed: "−", fold: " " } as const;
const WORDS = { same: "", added: "added: ", removed: "removed: ", fold: "" } as const;

/** Returns an object without the field that each write changes. */
function telling(value: unknown): unknown {
  const metadata = (value as { readonly metadata?: object } | null | undefined)?.metadata;
  if (typeof metadata !== "object" || metadata === null) return value;
  return { ...value as object, metadata: { ...metadata, resourceVersion: undefined } };
}

/** The properties of {@linkcode DiffView}. */
export interface DiffViewProps {
  /** The older value; undefined if only the newer one is known. */
  readonly before?: unknown;
  readonly after: unknown;
  /** The accessible name. */
  readonly label: string;
  /** The paths of fields that are marked, as in `spec.replicas`; a field inside of one is marked as well. */
  readonly marked?: readonly string[] | undefined;
}

/** Two versions of an object as lines, with the changes; unchanged parts are folded until a person unfolds them. */
export function DiffView({ after, before, label, marked = [] }: DiffViewProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const lines = useMemo(() => diffLines(telling(before), telling(after)), [before, after]);
  const shown = isOpen ? lines : foldLines(lines);
  const changes = lines.filter(({ kind }) => kind !== "same").length;
  const isFolded = shown.length !== lines.length;
  return (
    <div class="diff">
      <p class="diff-head">
        <span>
          {before === undefined
            ? "the only known version"
            : changes === 0
            ? "both versions are equal"
            : plural(changes, "changed line")}
        </span>
        {(isFolded || isOpen) && (
          <button
            type="button"
            class="quiet"
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? "Show changes only" : `Show all ${count(lines.length)} lines`}
          </button>
        )}
      </p>
      {/* A region that scrolls must be reachable with the keyboard. */}
      <div class="diff-lines" role="group" aria-label={label} tabIndex={0}>
        {shown.map((line, index) => (
          <DiffRow key={index} line={line} isMarked={isMarked(line, marked)} />
        ))}
      </div>
    </div>
  );
}

function DiffRow({ isMarked, line }: { line: DiffLine; isMarked: boolean }): VNode {
  const { depth, kind, text } = line;
  if (kind === "fold") {
    return <div class="diff-line fold">{plural(Number(text), "unchanged line")}</div>;
  }
  return (
    <div class={`diff-line ${kind}${isMarked ? " marked" : ""}`}>
      <span class="mark" aria-hidden="true">{MARKS[kind]}</span>
      {WORDS[kind] !== "" && <span class="vh">{WORDS[kind]}</span>}
      <code style={{ paddingLeft: `${depth * 1.1}em` }}>{visible(text)}</code>
    </div>
  );
}

function isMarked({ kind, path }: DiffLine, marked: readonly string[]): boolean {
  return kind !== "fold" && marked.some((one) => isWithin(path, one));
}

/** Reports whether a field is `outer`, or is inside of it. */
function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}
