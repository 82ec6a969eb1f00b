/** @jsxImportSource preact */
import type { VNode } from "preact";
import { visible } from "../../../src/see/page/kit/mod.ts";
import type { OutputLine } from "../protocol.ts";

/** The lines that the program and the library have written. */
export function OutputLines({ lines }: { readonly lines: readonly OutputLine[] }): VNode {
  if (lines.length === 0) return <p class="empty">Nothing was written yet.</p>;
  return (
    <ol class="output" aria-label="Output">
      {lines.map(({ level, number, text }) => (
        <li key={number} class={level}>
          {level !== "info" && <b>{level}</b>} {visible(text)}
        </li>
      ))}
    </ol>
  );
}
