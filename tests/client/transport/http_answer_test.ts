import { assertEquals, assertRejects } from "@std/assert";
import { readAnswer } from "../../../src/client/transport/http_answer.ts";
import { bytePipe, type ByteSocket } from "../../../src/websocket/mod.ts";

const LIMIT = 64 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);

/** Returns a socket with the parts of an answer, whose peer then ends the connection, or only waits. */
function socketOf(parts: readonly string[], { isOpen = false } = {}): ByteSocket {
  const [near, far] = bytePipe();
  for (const part of parts) far.write(bytes(part)).catch(() => {});
  if (!isOpen) far.end();
  return near;
}

Deno.test("readAnswer() reads the head of an answer, however it is cut, and leaves the rest", async () => {
  const head =
    "HTTP/1.1 101 Switching Protocols\r\nA:  1 \r\nb: 2\r\nB:3\r\nno header\r\nnone\r\n: 4\r\n\r\n";
  for (const parts of [[`${head}rest`], [...head, "rest"], [head, "rest"]]) {
    const { status, headers, rest } = await readAnswer(socketOf(parts));
    assertEquals([status, [...headers]], [101, [["a", "1"], ["b", "2, 3"]]]);
    const socket = rest();
    assertEquals(await socket.read(), bytes("rest"));
    assertEquals(await socket.read(), undefined);
  }
});

Deno.test("readAnswer() takes what HTTP/1.1 says for an answer, and nothing else", async () => {
  const statusOf = async (line: string) => (await readAnswer(socketOf([`${line}\r\n\r\n`]))).status;
  for (
    const [line, status] of [
      ["HTTP/1.0 200 OK", 200],
      ["HTTP/1.1 599", 599],
      ["HTTP/1.1 101 ", 101],
    ] as const
  ) assertEquals(await statusOf(line), status);
  for (
    const line of [
      "HTTP/2 200 OK",
      "HTTP/1.1 600 x",
      "HTTP/1.1 2000",
      "HTTP/1.1 20",
      "",
      "x",
      "\r\n\r\n",
    ]
  ) {
    await assertRejects(() => statusOf(line), Error, "The answer is not HTTP/1.1", line);
  }
  await assertRejects(() => readAnswer(socketOf(["HTTP/1.1 200 OK\r\n\r"])), Error, "(EOF)");
});

Deno.test("readAnswer() reads a head of up to 64 KiB", async () => {
  const begin = "HTTP/1.1 200 OK\r\na: ";
  const longest = begin.padEnd(LIMIT, "x");
  const { headers } = await readAnswer(socketOf([longest, "\r\n\r\n"]));
  assertEquals(headers.get("a")?.length, LIMIT - begin.length);
  await assertRejects(
    () => readAnswer(socketOf([`${longest}x`, "\r\n\r\n"])),
    Error,
    "The head of the answer is longer than 65536 bytes",
  );
});

Deno.test("readAnswer() skips informational answers, together as long as a head", async () => {
  const hints = "HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n";
  const { status, rest } = await readAnswer(
    socketOf([hints, `HTTP/1.1 100 Continue\r\n\r\n${hints}HTTP/1.1 101 a\r\n\r\nrest`]),
  );
  assertEquals([status, await rest().read()], [101, bytes("rest")]);
  const many = Array.from({ length: 2_000 }, () => hints);
  await assertRejects(() => readAnswer(socketOf(many)), Error, "longer than 65536 bytes");
  await assertRejects(() => readAnswer(socketOf([hints])), Error, "(EOF)");
});

Deno.test("readAnswer() reads a long head that comes byte by byte", async () => {
  const head = bytes(`HTTP/1.1 200 OK\r\na: ${"x".repeat(60_000)}\r\n\r\n`);
  let at = 0;
  const socket: ByteSocket = {
    read: () => Promise.resolve(head.subarray(at++, at)),
    write: () => Promise.resolve(),
    end: () => {},
    destroy: () => {},
  };
  const { headers } = await readAnswer(socket);
  assertEquals(headers.get("a")?.length, 60_000);
});

Deno.test("readAnswer() reads the body that the head announces, and no further", async () => {
  const bodyOf = async (head: string, parts: readonly string[], isOpen: boolean) => {
    const answer = await readAnswer(socketOf([`${head}\r\n\r\n`, ...parts], { isOpen }));
    const response = await answer.response();
    return [response.status, await response.text()];
  };
  const ok = "HTTP/1.1 200 OK";
  const chunked = `${ok}\r\nTransfer-Encoding: gzip, Chunked`;
  const long = "x".repeat(LIMIT);
  for (
    const [head, parts, status, body] of [
      [`${ok}\r\nContent-Length: 5`, ["ab", "cdefg"], 200, "abcde"],
      [`${ok}\r\nContent-Length: 5`, ["abcd", "e"], 200, "abcde"],
      ["HTTP/1.1 403 x\r\nContent-Length: 0", [], 403, ""],
      [`${ok}\r\nContent-Length: ${LIMIT + 5}`, [long, "more"], 200, long],
      [`${ok}\r\nContent-Length: ${"9".repeat(400)}`, [long, "more"], 200, long],
      [chunked, ["3\r\nabc\r\n", "2\r\nde\r\n0\r\n\r\n"], 200, "abcde"],
      [chunked, ["1\r\na\r\n", "0\r\n\r\n"], 200, "a"],
      // However it is cut.
      [chunked, ["1\r\na\r\n0\r\n", "\r\n"], 200, "a"],
      [chunked, ["1\r\na\r\n0", "\r\n\r\n"], 200, "a"],
      [chunked, ["1", "\r", "\n", "a", "\r", "\n", "0", "\r", "\n", "\r", "\n"], 200, "a"],
      [chunked, ["1\r\na\r\n0\r\nTrailer: x\r\n"], 200, "a"],
      [chunked, ["00A ; a=b\r\n0123456789\r\n0;c\r\n\r\n"], 200, "0123456789"],
      [chunked, [`${(LIMIT + 5).toString(16)}\r\n`, long, "more"], 200, long],
      // A length that is malformed ends the body.
      [chunked, ["2\r\nab\r\n-1\r\nx"], 200, "ab"],
      [chunked, ["2\r\nab\r\n0x1\r\nx"], 200, "ab"],
      [chunked, [`2\r\nab\r\n${"F".repeat(20)}\r\nx`], 200, "ab"],
      [chunked, [`2\r\nab\r\n${" ".repeat(2_000)}`], 200, "ab"],
      // Text like the end within a chunk is content.
      [chunked, ["10\r\n\r\n", "x".repeat(14), "\r\n0\r\n\r\n"], 200, "\r\nxxxxxxxxxxxxxx"],
      [chunked, ["14;a=b\r\n", "x".repeat(20), "\r\n0\r\n\r\n"], 200, "x".repeat(20)],
      ["HTTP/1.1 204 x", [], 204, ""],
      ["HTTP/1.1 205 x\r\nContent-Length: 3", [], 205, ""],
      ["HTTP/1.1 304 x\r\nContent-Length: 3", [], 304, ""],
    ] as const
  ) assertEquals(await bodyOf(head, parts, true), [status, body], head);
  for (
    const [head, parts, body] of [
      [ok, ["ab", "c"], "abc"],
      [ok, [long, "more"], long],
      // The missing rest is left out.
      [`${ok}\r\nContent-Length: 5`, ["ab"], "ab"],
      // A length that is malformed is none.
      [`${ok}\r\nContent-Length: -1`, ["ab"], "ab"],
      [`${ok}\r\nContent-Length: 1e0`, ["ab"], "ab"],
      [`${ok}\r\nContent-Length: 1\r\nContent-Length: 2`, ["ab"], "ab"],
      [chunked, ["3\r\nabc\r\n5\r\nab"], "abcab"],
      [chunked, ["?\r\nabc"], ""],
    ] as const
  ) assertEquals(await bodyOf(head, parts, false), [200, body], head);
});
