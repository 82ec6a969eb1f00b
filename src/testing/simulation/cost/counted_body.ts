/** Passes a body on. Calls `onChunk` with each chunk, and `onEnd` once at the end. */
export function countedBody(
  body: ReadableStream<Uint8Array>,
  { onChunk, onEnd }: { onChunk(chunk: Uint8Array): void; onEnd(): void },
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      let result;
      try {
        result = await reader.read();
      } catch (error) {
        onEnd();
        throw error;
      }
      if (result.done) {
        onEnd();
        controller.close();
        return;
      }
      onChunk(result.value);
      controller.enqueue(result.value);
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
