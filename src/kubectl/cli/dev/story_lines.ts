import { storiesText, type Story } from "@kubeloop/controller/operator";
import type { Paint } from "../terminal/mod.ts";

/** Returns a story as coloured lines. */
export function storyLines(story: Story, paint: Paint): string {
  const { controller, key, missed = 0, result, startedAt } = story;
  const [head = "", ...details] = storiesText([story]).trimEnd().split("\n");
  const subject = `${startedAt} ${controller} ${key}: ${result} `;
  const first = head.startsWith(subject)
    ? `${paint.faint(startedAt.slice(11, 23))} ${paint.bold(`${controller} ${key}`)}: ${
      paint.status(result)
    } ${head.slice(subject.length)}`
    : head;
  const lines = details.map((line) => /^ {2}error: /.test(line) ? line : paint.faint(line));
  const before = missed > 0 ? [paint.faint(`${missed} reconciles are not shown`)] : [];
  return [...before, first, ...lines].map((line) => `${line}\n`).join("");
}
