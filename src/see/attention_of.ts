import { visibleText } from "../base/mod.ts";
import type { KeyTrouble } from "../operator/stories/mod.ts";
import type { Attention } from "./model.ts";
import { RIGHT_REMEDY } from "./problem_of.ts";

const MAX_LENGTH = 600;

/** Returns a fact about a key of a controller in words, with what to do about it. */
export function attentionOf(controller: string, trouble: KeyTrouble): Attention {
  const { key, kind, sinceMs } = trouble;
  const { remedy, text } = wordsOf(trouble);
  return {
    kind,
    text: visibleText(text, MAX_LENGTH),
    remedy,
    ...(sinceMs !== undefined && { since: new Date(sinceMs).toISOString() }),
    controller,
    key,
  };
}

function wordsOf(trouble: KeyTrouble): Pick<Attention, "text" | "remedy"> {
  const { key } = trouble;
  switch (trouble.kind) {
    case "backoff": {
      const { error, failures, isGivenUp } = trouble;
      return isGivenUp
        ? {
          text: `The controller has given up on ${key}: ${error}`,
          remedy: "Correct the cause, then change the object or reconcile it now.",
        }
        : {
          text: `The reconcile of ${key} has failed ${failures} times in a row: ${error}`,
          remedy: "Correct the cause; the next attempt follows by itself, or reconcile it now.",
        };
    }
    case "hot_loop":
      return {
        text: `${key} is reconciled again and again: ${trouble.why}`,
        remedy: "Write only what differs, or let only one program write the field.",
      };
    case "gate_timeout":
      return {
        text: `The caches have not shown what ${key} has written: ${trouble.missing.join(", ")}`,
        remedy:
          "Check the watch of that resource, and that its selectors select what the controller writes.",
      };
    case "stuck_finalizer": {
      const { error, finalizers } = trouble;
      const why = error === undefined ? "" : `: ${error}`;
      return {
        text: `The deletion of ${key} waits for the finalizer ${finalizers.join(", ")}${why}`,
        remedy: "Correct the cause of the failing cleanup; the story of the key has its requests.",
      };
    }
    case "right_missing":
      return { text: `${trouble.request} is refused: ${trouble.error}`, remedy: RIGHT_REMEDY };
    case "hung_reconcile":
      return {
        text: `The reconcile of ${key} is past its deadline and ignores its signal`,
        remedy: "Pass the signal to each call that takes long; the worker is free when it ends.",
      };
    case "paused":
      return {
        text: `${key} is not reconciled. ${trouble.why}`,
        remedy: "Resume it when the work on it is done.",
      };
  }
}
