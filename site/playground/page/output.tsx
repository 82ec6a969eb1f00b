/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { visible } from "../../../src/see/page/kit/mod.ts";
import type { OutputLine } from "../protocol.ts";

/** The lines that the program and the library have written. The newest one stays in sight. */
export function OutputLines({ lines }: { readonly lines: readonly OutputLine[] }): VNode {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => list.current?.lastElementChild?.scrollIntoView({ block: "nearest" }), [
    lines,
  ]);
  if (lines.length === 0) return <p class="empty">Nothing was written yet.</p>;
  return (
    <ol class="output" ref={list}>
      {lines.map(({ level, number, text }) => (
        <li key={number} class={level}>
          {level !== "info" && <b>{level}</b>} {visible(text)}
        </li>
      ))}
    </ol>
  );
}
