/**
 * Sends a stream to `sink`, which is not closed; or reads it to its end without one.
 *
 * @returns The text of the stream, read as UTF-8; empty if there is a sink.
 * @throws {RangeError} If the stream is longer than `maxBytes`.
 */
export async function collect(
  name: "stdout" | "stderr",
  stream: ReadableStream<Uint8Array> | undefined,
  sink: WritableStream<Uint8Array> | undefined,
  maxBytes: number,
): Promise<string> {
  if (stream === undefined) return "";
  if (sink !== undefined) {
    await stream.pipeTo(sink, { preventClose: true, preventAbort: true });
    return "";
  }
  const decoder = new TextDecoder();
  const parts: string[] = [];
  const reader = stream.getReader();
  let size = 0;
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > maxBytes) {
      throw new RangeError(
        `${name} is longer than maxOutputBytes (${maxBytes}): raise it, or give a stream as ${name}`,
      );
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
  return parts.join("") + decoder.decode();
}
