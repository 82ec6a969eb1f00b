/// <reference lib="dom" />
import type { ExampleTexts } from "../examples.ts";

/** The texts that are embedded into the page. */
export interface PageData {
  readonly examples: readonly ExampleTexts[];
  /** The URL of the script of the worker. */
  readonly worker: string;
}

/** Reads the embedded texts. */
export function readPageData(page: Document): PageData {
  const text = (id: string) => page.getElementById(id)!.textContent!;
  // A worker of a blob has the policy of the page, and needs no other file.
  const script = new Blob([text("worker")], { type: "text/javascript" });
  return { examples: JSON.parse(text("examples")), worker: URL.createObjectURL(script) };
}
