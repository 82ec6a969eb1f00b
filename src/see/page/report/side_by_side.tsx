/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";
import { useMemo } from "preact/hooks";
import { type DiffLine, plural, visible } from "../kit/mod.ts";
import { type SidePair, sidePairs } from "./side_pairs.ts";

/** One side of a {@linkcode SideBySide}. */
export interface SideProps {
  readonly title: ComponentChildren;
  /** The value; undefined if there is none. */
  readonly value: unknown;
  /** Shown in place of a value. */
  readonly empty: string;
}

/** Two values beside each other, with their differences. */
export function SideBySide({ left, right }: { left: SideProps; right: SideProps }): VNode {
  const pairs = useMemo(() => sidePairs(left.value, right.value), [left.value, right.value]);
  const rows = pairs.length === 0 ? [{}] : pairs;
  const cell = (side: SideProps, line: DiffLine | undefined, name: "left" | "right", row: number) =>
    side.value === undefined
      ? row === 0 && <td class="absent" rowSpan={rows.length}>{side.empty}</td>
      : <Side line={line} name={name} />;
  return (
    <table class="sides" aria-label="Both versions">
      <thead>
        <tr>
          <th scope="col">{left.title}</th>
          <th scope="col">{right.title}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((pair: SidePair, row) => (
          <tr key={row}>
            {cell(left, pair.left, "left", row)}
            {cell(right, pair.right, "right", row)}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Side({ line, name }: { line: DiffLine | undefined; name: "left" | "right" }): VNode {
  if (line === undefined) return <td class="none" />;
  const { depth, kind, text } = line;
  if (kind === "fold") return <td class="fold">{plural(Number(text), "equal line")}</td>;
  return (
    <td class={kind === "same" ? undefined : `differs ${name}`}>
      <code style={{ paddingLeft: `${depth * 1.1}em` }}>{visible(text)}</code>
    </td>
  );
}
