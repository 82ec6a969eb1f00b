import { isRecord } from "@kubeloop/controller/internal/base";
import type { Cause, Story, StoryRequest } from "@kubeloop/controller/operator";

/**
 * Reads a response of `/debug/reconciles`, possibly of another version of kubeloop.
 *
 * @returns The stories; undefined if the response has none.
 */
export function readStories(answer: unknown): Story[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer.stories)) return undefined;
  return answer.stories.filter(isRecord).map((story): Story => ({
    ...story,
    controller: text(story.controller),
    key: text(story.key),
    attempt: number(story.attempt) || 1,
    causes: records(story.causes).map((cause): Cause => ({
      ...cause,
      why: text(cause.why) as Cause["why"],
      count: number(cause.count) || 1,
      waitedMs: number(cause.waitedMs),
      changed: Array.isArray(cause.changed) ? cause.changed.map(String) : undefined,
    })),
    startedAt: text(story.startedAt),
    queuedMs: number(story.queuedMs),
    durationMs: number(story.durationMs),
    requests: records(story.requests).map((request): StoryRequest => ({
      ...request,
      method: text(request.method),
      path: text(request.path),
      durationMs: number(request.durationMs),
    })),
    skippedWrites: number(story.skippedWrites),
    result: text(story.result) as Story["result"],
  }));
}

function records(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
