import { type Column, tryAll } from "../column.ts";

/** Every byte from the server comes by itself. */
export const bytes: Column = {
  name: "bytes",
  trouble: "every byte of the answers comes by itself",
  try: (row) =>
    tryAll(row, [{
      what: "byte by byte",
      trouble: { begin: ({ wire }) => void (wire.chunks = each) },
      expected: { maxLines: 0 },
    }]),
};

function* each(chunk: Uint8Array): Generator<Uint8Array> {
  for (let i = 0; i < chunk.length; i++) yield chunk.slice(i, i + 1);
}
