import { assertEquals } from "@std/assert";
import { type Cut, cutBody } from "../../../../src/testing/api_server/http/fault_bodies.ts";

/** Reads a body that consists of these chunks and is cut. */
async function read(
  chunks: readonly string[],
  cut: Cut,
  error?: Error,
  isFramed?: boolean,
): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const text of chunks) controller.enqueue(new TextEncoder().encode(text));
      controller.close();
    },
  });
  let text = "";
  try {
    for await (const chunk of cutBody(body, cut, error, isFramed)) {
      text += new TextDecoder().decode(chunk);
    }
  } catch (reason) {
    assertEquals(reason, error);
    return `${text}!`;
  }
  return text;
}

Deno.test("cutBody() ends a body after some lines and bytes", async () => {
  const broken = new Error("broken");
  for (
    const [chunks, cut, expected] of [
      [["abcd"], {}, "ab!"],
      [["abcd\n", "efgh\n"], { afterLines: 1 }, "abcd\nef!"],
      [["abcd\nefgh\n"], { afterLines: 1 }, "abcd\nef!"],
      [["ab", "cd\nefgh\n"], { afterLines: 1, afterBytes: 1 }, "abcd\ne!"],
      [["abcd\n", "ef", "gh"], { afterLines: 1, afterBytes: 3 }, "abcd\nefg!"],
      [["abcd"], { afterBytes: 0 }, "!"],
      [["abcd", "ef"], { afterBytes: 4 }, "abcd!"],
      [["abcd", "ef"], { afterBytes: 5 }, "abcde!"],
      [["a\n", "b\n", "c\n"], { afterLines: 2, afterBytes: 0 }, "a\nb\n!"],
      [["ab", "cd"], { afterBytes: 9 }, "abcd"],
      [["ab"], { afterLines: 3 }, "ab"],
    ] satisfies [string[], Cut, string][]
  ) {
    assertEquals(await read(chunks, cut, broken), expected, JSON.stringify([chunks, cut]));
    assertEquals(await read(chunks, cut), expected.replace("!", ""));
  }
});

Deno.test("cutBody() ends a body of frames after some frames and bytes", async () => {
  const frame = (text: string) => `\0\0\0${String.fromCharCode(text.length)}${text}`;
  // A newline is a byte as any other.
  const [one, other] = [frame("a\n\nb"), frame("cd")];
  const whole = one + other;
  for (
    const [chunks, cut, expected] of [
      [[one, other], { afterLines: 1 }, `${one}${other.slice(0, 3)}`],
      [[whole], { afterLines: 1, afterBytes: 5 }, `${one}${other.slice(0, 5)}`],
      [[...whole], { afterLines: 1, afterBytes: 1 }, `${one}${other.slice(0, 1)}`],
      [[frame(""), one], { afterLines: 2 }, `${frame("")}${one}`],
      [[whole], { afterLines: 3 }, whole],
    ] satisfies [string[], Cut, string][]
  ) assertEquals(await read(chunks, cut, undefined, true), expected, JSON.stringify(cut));
});
