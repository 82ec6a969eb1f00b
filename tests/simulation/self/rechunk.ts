import type { Clock, Timer } from "../../../src/base/mod.ts";
import type { Draw } from "./draw.ts";

type Body = ReadableStream<Uint8Array>;

/** Passes on what arrives within `ms` milliseconds in one chunk, as a network does. */
export function joinChunks(body: Body, clock: Clock, ms: number): Body {
  const reader = body.getReader();
  let parts: Uint8Array[] = [];
  let timer: Timer | undefined;
  let isCancelled = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const flush = () => {
        timer?.cancel();
        timer = undefined;
        if (parts.length > 0) controller.enqueue(joined(parts));
        parts = [];
      };
      void (async () => {
        try {
          while (true) {
            const { done, value } = await reader.read();
            if (isCancelled) return;
            if (done) break;
            parts.push(value);
            timer ??= clock.setTimer(flush, ms);
          }
          flush();
          controller.close();
        } catch (error) {
          if (isCancelled) return;
          flush();
          controller.error(error);
        }
      })();
    },
    cancel(reason) {
      isCancelled = true;
      timer?.cancel();
      return reader.cancel(reason);
    },
  });
}

/** Splits each chunk in two, in the middle of a line or of a character. */
export function splitChunks(body: Body, draw: Draw): Body {
  const reader = body.getReader();
  let rest: Uint8Array | undefined;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (rest !== undefined) {
        controller.enqueue(rest);
        rest = undefined;
        return;
      }
      const { done, value } = await reader.read();
      if (done) return controller.close();
      const at = draw.int(0, value.length);
      if (at > 0 && at < value.length) rest = value.subarray(at);
      controller.enqueue(at > 0 ? value.subarray(0, at) : value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
