import { assertEquals, assertRejects } from "@std/assert";
import { encodeHeader, padding, type TarHeader } from "../../src/kubectl/tar_format.ts";
import { readTar } from "../../src/kubectl/tar_reader.ts";

const NAME_LIMIT = 64 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Returns an entry with its content. `flag` overrides the type of the header. */
function entry(
  { text = "", flag, ...header }: Partial<TarHeader> & { text?: string; flag?: string },
): Uint8Array {
  const content = encoder.encode(text);
  const whole = { path: "f", type: "file", mode: 0o644, mtime: 0, target: "" } as const;
  const block = encodeHeader({ ...whole, size: content.length, ...header });
  if (flag !== undefined) {
    block[156] = flag.charCodeAt(0);
    block.fill(32, 148, 156);
    const sum = block.reduce((total, byte) => total + byte, 0).toString(8).padStart(6, "0");
    block.set(encoder.encode(`${sum}\0 `), 148);
  }
  return join([block, content, padding(content.length)]);
}

/** Returns an entry with other bytes at one place of its header, and the right checksum. */
function changed(whole: Uint8Array, at: number, bytes: readonly number[]): Uint8Array {
  whole.set(bytes, at);
  whole.fill(32, 148, 156);
  const sum = whole.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  whole.set(encoder.encode(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
  return whole;
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function* cut(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Returns the entries of an archive, with the content of the entries that `isRead` selects. */
async function read(
  parts: readonly Uint8Array[],
  { size = 1000, isRead = () => true }: { size?: number; isRead?: (path: string) => boolean } = {},
): Promise<string[]> {
  const found: string[] = [];
  for await (
    const { header, content } of readTar(cut(join([...parts, new Uint8Array(1024)]), size))
  ) {
    let text = "";
    if (isRead(header.path)) { for await (const part of content) text += decoder.decode(part); }
    const target = header.target === "" ? "" : ` -> ${header.target}`;
    found.push(`${header.type} ${header.path}${target} ${header.size} ${text}`);
  }
  return found;
}

/** A record of a POSIX header: its length counts itself. */
function record(text: string): string {
  const rest = encoder.encode(` ${text}\n`).length;
  return `${rest + (rest < 9 ? 1 : rest < 98 ? 2 : 3)} ${text}\n`;
}

Deno.test("readTar() reads entries in chunks of any size, and skips unread content", async () => {
  const block = "x".repeat(512);
  const parts = [
    entry({ path: "a", text: "hello" }),
    entry({ path: "b", text: block }),
    entry({ path: "c", text: `${block}y` }),
    // Directories and links have no content, whatever their size says.
    entry({ path: "d", type: "directory", size: 700 }),
    entry({ path: "l", type: "symlink", target: "a", size: 700 }),
    entry({ path: "o", type: "other", text: "device" }),
    entry({ path: "e" }),
  ];
  for (const size of [1, 511, 512, 513, 100_000]) {
    assertEquals(await read(parts, { size }), [
      "file a 5 hello",
      `file b 512 ${block}`,
      `file c 513 ${block}y`,
      "directory d 0 ",
      "symlink l -> a 0 ",
      "other o 6 device",
      "file e 0 ",
    ]);
    const few = await read(parts, { size, isRead: (path) => path === "o" });
    assertEquals(few.map((line) => line.split(" ").at(-1)), ["", "", "", "", "", "device", ""]);
  }
});

Deno.test("readTar() applies the extended headers before an entry to that entry only", async () => {
  const long = record(`path=${"ä".repeat(60)}`);
  const parts = [
    entry({ flag: "L", text: "long name\0junk" }),
    entry({ flag: "K", text: "long target\0" }),
    entry({ type: "symlink", target: "short" }),
    entry({ path: "a", text: "1" }),
    entry({ flag: "x", text: record("path=p") + record("linkpath=t=u") + record("mtime=1") }),
    entry({ type: "symlink", target: "short" }),
    entry({ flag: "x", text: record("size=3") }),
    join([entry({ path: "b", size: 0 }), encoder.encode("abc"), padding(3)]),
    // Later headers add to earlier headers. The global header is ignored.
    entry({ flag: "x", text: long }),
    entry({ flag: "x", text: record("path=q") }),
    entry({ flag: "g", text: record("path=no") }),
    entry({ path: "c", text: "2" }),
    entry({ flag: "x", text: long }),
    entry({ path: "d" }),
  ];
  assertEquals(await read(parts), [
    "symlink long name -> long target 0 ",
    "file a 1 1",
    "symlink p -> t=u 0 ",
    "file b 3 abc",
    "file q 1 2",
    `file ${"ä".repeat(60)} 0 `,
  ]);
});

Deno.test("readTar() refuses headers that are malformed, and names of more than 64 KiB", async () => {
  const malformed = [
    ...["path", "x path=p\n", " path=p\n", "0 path=p\n", "-5 path=p\n"],
    // Each of these is a number for JavaScript.
    ...["5e-324 path=y\n", "1e1 path=p\n", "0x9 path=p\n", "9.0 path=p\n", "Infinity path=p\n"],
    // Lengths that do not end with the record.
    ...["1 path=p\n", "2 path=p\n", "8 path=p\n", "11 path=p\n", `${"9".repeat(400)} path=p\n`],
    ...["9 path", "4 x\n"],
    ...["1x", "-1", "1e3", "", " 1", "9007199254740992"].map((size) => record(`size=${size}`)),
  ];
  for (const text of malformed) {
    await assertRejects(
      () => read([entry({ flag: "x", text }), entry({})]),
      Error,
      "An extended header of the archive is malformed",
    );
  }
  const longest = "n".repeat(NAME_LIMIT);
  const name = (text: string) => [entry({ flag: "L", text }), entry({})];
  assertEquals(await read(name(longest)), [`file ${longest} 0 `]);
  await assertRejects(
    () => read(name(`${longest}n`)),
    Error,
    "A name in the archive has 65537 bytes, the limit is 65536",
  );
});

Deno.test("readTar() refuses invalid numbers in a header", async () => {
  const SIZE = 124;
  const MODE = 100;
  for (
    const [at, bytes, message] of [
      [SIZE, [0xff, 0xff, 0xff], "is negative"],
      [SIZE, [0x80, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], "too large"],
      [SIZE, [0x2d, 0x31], "malformed"],
      [SIZE, [0x39], "malformed"],
      [MODE, [0x31, 0x65, 0x33], "malformed"],
    ] as const
  ) {
    await assertRejects(() => read([changed(entry({ text: "x" }), at, bytes)]), Error, message);
  }
});

Deno.test("readTar() gives entries with names that are not UTF-8 the type other", async () => {
  const invalid = [0xff, 0x61];
  const target = changed(entry({ path: "l", type: "symlink", target: "ok" }), 157, invalid);
  const parts = [
    changed(entry({ path: "ab", text: "1" }), 0, invalid),
    target,
    entry({ path: "c" }),
  ];
  assertEquals(await read(parts), ["other \ufffda 1 1", "other l -> \ufffda 0 ", "file c 0 "]);
  const long = entry({ flag: "L", text: "name" });
  long[512] = 0xff;
  assertEquals(await read([long, entry({ path: "c" })]), ["other \ufffdame 0 "]);
});

Deno.test("readTar() reads times before 1970, and does not read much after the end", async () => {
  const old = changed(entry({ path: "a" }), 136, [0xff, 0xff, 0xff, 0xff]);
  assertEquals(await read([old]), ["file a 0 "]);
  let chunks = 0;
  const endless = async function* () {
    yield entry({ path: "a" });
    while (true) {
      chunks++;
      yield new Uint8Array(64 * 1024);
    }
  };
  await assertRejects(
    async () => {
      for await (const _ of readTar(endless()));
    },
    Error,
    "goes on after its end",
  );
  assertEquals(chunks < 40, true, `${chunks} chunks were read`);
});

Deno.test("readTar() fails on an archive that ends early, and reads what follows its end", async () => {
  const whole = entry({ text: "x".repeat(600) });
  for (const length of [0, 100, 512, 1000, 1536]) {
    const entries = readTar(cut(whole.subarray(0, length), 512));
    await assertRejects(
      async () => {
        for await (const _ of entries);
      },
      Error,
      "ended before its end",
    );
  }
  const end = new Uint8Array(20 * 512);
  const chunks = cut(join([whole, end]), 512);
  for await (const _ of readTar(chunks));
  assertEquals(await chunks.next(), { done: true, value: undefined });
});
