/// <reference lib="dom" />
import type { ExampleTexts } from "../examples.ts";

/** The texts that are embedded into the page. */
export interface PageData {
  readonly examples: readonly ExampleTexts[];
  /** The script of the worker. */
  readonly worker: string;
}

/** Reads the embedded texts. */
export function readPageData(page: Document): PageData {
  const text = (id: string) => page.getElementById(id)!.textContent!;
  return { examples: JSON.parse(text("examples")), worker: text("worker") };
}
