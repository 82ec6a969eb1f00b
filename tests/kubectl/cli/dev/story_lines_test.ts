import { assertEquals } from "@std/assert";
import type { Story } from "@kubeloop/controller/operator";
import { storyLines } from "../../../../src/kubectl/cli/dev/story_lines.ts";
import { painter } from "../../../../src/kubectl/cli/terminal/mod.ts";

const STORY: Story = {
  controller: "widgets",
  key: "default/one",
  attempt: 1,
  causes: [{
    why: "added",
    resource: "widgets.acme.io",
    object: "default/one",
    count: 1,
    waitedMs: 1,
  }],
  startedAt: "2026-01-01T10:20:30.400Z",
  queuedMs: 1,
  durationMs: 12,
  requests: [],
  skippedWrites: 0,
  result: "success",
};

const host = { stdout: { isTerminal: true }, env: () => undefined };

Deno.test("storyLines() shows the result in its colour, and the details faint", () => {
  assertEquals(
    storyLines(STORY, painter("always", host)),
    "\u001b[2m10:20:30.400\u001b[0m \u001b[1mwidgets default/one\u001b[0m: \u001b[32msuccess\u001b[0m in 12 ms, after 1 ms in the queue\n" +
      "\u001b[2m  because widgets.acme.io default/one was added\u001b[0m\n",
  );
  const failed = storyLines({ ...STORY, result: "error", error: "no" }, painter("always", host));
  assertEquals(failed.includes("\u001b[31merror\u001b[0m in"), true);
  // The error itself is not faint.
  assertEquals(failed.endsWith("\n  error: no\n"), true);
});

Deno.test("storyLines() without colours, with stories that were missed", () => {
  assertEquals(
    storyLines({ ...STORY, missed: 3 }, painter("never", host)),
    "3 reconciles are not shown\n" +
      "10:20:30.400 widgets default/one: success in 12 ms, after 1 ms in the queue\n" +
      "  because widgets.acme.io default/one was added\n",
  );
});

Deno.test("storyLines() has no control characters of a story", () => {
  const hostile = {
    ...STORY,
    controller: "w\u001b[2J",
    key: "default/\u001b[31mone\nforged",
    error: "\u001b]0;",
  };
  const text = storyLines(hostile, painter("never", host));
  // deno-lint-ignore no-control-regex
  assertEquals(/[\u0000-\u0009\u000b-\u001f]/.test(text), false);
  assertEquals(text.includes("\nforged"), false);
});
