import { useState } from "preact/hooks";
import type { Story } from "../../../operator/stories/mod.ts";

/** Stories that stay on a page while newer ones come. */
export interface HeldStories {
  readonly stories: readonly Story[];
  /** The number of newer reconciles, which are not shown. */
  readonly newer: number;
  /** Shows the newest stories from now on. */
  readonly release: () => void;
}

/**
 * Holds the stories once `isWanted` says so, so that a marked cause stays under the reader's eyes, also in a hot loop. Another
 * `subject` begins anew.
 */
export function useHeld(
  newest: readonly Story[],
  { isWanted, subject }: { readonly isWanted: boolean; readonly subject: string },
): HeldStories {
  const [held, setHeld] = useState<{ subject: string; stories: readonly Story[] | undefined }>();
  if (isWanted && held?.subject !== subject) setHeld({ subject, stories: newest });
  const stories = (held?.subject === subject ? held.stories : undefined) ?? newest;
  const lastStart = stories.at(-1)?.startedAt ?? "";
  return {
    stories,
    newer: newest.filter(({ startedAt }) => startedAt > lastStart).length,
    release: () => setHeld({ subject, stories: undefined }),
  };
}
