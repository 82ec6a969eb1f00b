/// <reference lib="dom" />

/** The keys of a page, for its help. */
export const KEYS: readonly (readonly [key: string, words: string])[] = [
  ["/", "filter"],
  ["j k", "move"],
  ["Enter", "open"],
  ["Esc", "back"],
];

/** Returns the item that `j` and `k` go to: the next or the previous element with `data-item`. */
function neighbour(page: Document, step: 1 | -1): HTMLElement | undefined {
  const items = [...page.querySelectorAll<HTMLElement>("[data-item]")];
  const active = page.activeElement;
  const at = items.findIndex((item) => item === active);
  if (at >= 0) return items[at + step];
  if (active === null || active === page.body) return step > 0 ? items[0] : items.at(-1);
  // From another place of the page, the items before and after it.
  const after = items.findIndex((item) =>
    (active.compareDocumentPosition(item) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  );
  if (step > 0) return after < 0 ? undefined : items[after];
  return after < 0 ? items.at(-1) : items[after - 1];
}

/** Options of {@linkcode handleKeys}. */
export interface KeyboardOptions {
  /** Called by Escape, unless a field takes it. */
  readonly back: () => void;
}

/**
 * Handles `/` (the element with `data-filter`), `j` and `k` (elements with `data-item`) and Escape, until the returned
 * function is called.
 */
export function handleKeys(page: Document, { back }: KeyboardOptions): () => void {
  const listener = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    const target = event.target as HTMLElement | null;
    const isField = target !== null && target.matches?.("input,select,textarea,[contenteditable]");
    if (event.key === "Escape") {
      if (isField) target.blur();
      else back();
      return;
    }
    if (isField) return;
    const to = event.key === "/"
      ? page.querySelector<HTMLElement>("[data-filter]")
      : event.key === "j"
      ? neighbour(page, 1)
      : event.key === "k"
      ? neighbour(page, -1)
      : undefined;
    if (to === undefined || to === null) return;
    event.preventDefault();
    to.focus();
    to.scrollIntoView({ block: "nearest" });
  };
  page.addEventListener("keydown", listener);
  return () => page.removeEventListener("keydown", listener);
}
