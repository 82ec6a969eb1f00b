/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type DiffLine, diffLines, foldLines, plural, visible } from "../kit/mod.ts";

/** A line of both sides; undefined where a side has none. */
export interface SidePair {
  readonly left?: DiffLine | undefined;
  readonly right?: DiffLine | undefined;
}

/** Returns the lines of two values beside each other. A value that is undefined has no lines. */
export function sidePairs(left: unknown, right: unknown): SidePair[] {
  const pairs: SidePair[] = [];
  const removed: DiffLine[] = [];
  const added: DiffLine[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      pairs.push({ left: removed[i], right: added[i] });
    }
    removed.length = added.length = 0;
  };
  for (const line of linesOf(left, right)) {
    if (line.kind === "removed") {
      // A removed line after added ones begins another change.
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      flush();
      pairs.push({ left: line, right: line });
    }
  }
  flush();
  return pairs;
}

function linesOf(left: unknown, right: unknown): DiffLine[] {
  if (left !== undefined && right !== undefined) return foldLines(diffLines(left, right));
  const kind = left === undefined ? "added" : "removed";
  return diffLines(undefined, left ?? right).map((line) => ({ ...line, kind }));
}

/** The properties of {@linkcode SideBySide}. */
export interface SideBySideProps {
  readonly left: unknown;
  readonly right: unknown;
  readonly leftTitle: ComponentChildren;
  readonly rightTitle: ComponentChildren;
  /** Shown on a side without a value. */
  readonly leftEmpty: string;
  readonly rightEmpty: string;
}

/** Two values beside each other, with their differences. */
export function SideBySide(props: SideBySideProps): VNode {
  const { left, leftEmpty, leftTitle, right, rightEmpty, rightTitle } = props;
  const pairs = useMemo(() => sidePairs(left, right), [left, right]);
  return (
    <table class="sides">
      <thead>
        <tr>
          <th scope="col">{leftTitle}</th>
          <th scope="col">{rightTitle}</th>
        </tr>
      </thead>
      <tbody>
        {(left === undefined || right === undefined) && (
          <tr>
            <td class="empty-side">{left === undefined ? leftEmpty : ""}</td>
            <td class="empty-side">{right === undefined ? rightEmpty : ""}</td>
          </tr>
        )}
        {pairs.map((pair, index) => (
          <tr key={index}>
            <Side line={pair.left} side="left" />
            <Side line={pair.right} side="right" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ line, side }: { line: DiffLine | undefined; side: "left" | "right" }): VNode {
  if (line === undefined) return <td />;
  const { depth, kind, text } = line;
  if (kind === "fold") return <td class="fold">{plural(Number(text), "equal line")}</td>;
  return (
    <td class={kind === "same" ? undefined : `differs ${side}`}>
      <code style={{ paddingLeft: `${depth * 1.1}em` }}>{visible(text)}</code>
    </td>
  );
}
