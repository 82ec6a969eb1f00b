/** Copies from and to containers that stall, flood or lie: they end, and change nothing but what they have made. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { delay, TerminalError } from "../../src/base/mod.ts";
import { Client } from "../../src/client/mod.ts";
import { copyFrom, type CopyOptions, copyTo } from "../../src/kubectl/mod.ts";
import { type PodProgram, VirtualClock } from "../../src/testing/mod.ts";
import { encodeHeader, padding, type TarHeader } from "../../src/kubectl/tar_format.ts";
import { NAMESPACE, PodWorld } from "../client/streams/_pods.ts";
import { slowTest } from "../support/kinds_of_tests.ts";

const namespace = NAMESPACE;
const MIB = 1024 * 1024;
const encoder = new TextEncoder();

/** A folder of its own, and a Pod that runs one program, on a virtual clock. */
async function world(exec: PodProgram["exec"]) {
  const root = await realpath(await mkdtemp(`${tmpdir()}/kubeloop-cp-`));
  const clock = new VirtualClock();
  const pods = await PodWorld.create([{ exec }], { clock });
  const client = new Client(pods.server.clientOptions);
  return {
    root,
    clock,
    client,
    pods,
    from: (options: CopyOptions = {}) =>
      copyFrom(client, { pod: "web", namespace, path: "/d" }, `${root}/to`, options),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await pods[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

interface Entry extends Partial<TarHeader> {
  readonly text?: string;
}

function entryOf({ text = "", ...header }: Entry): Uint8Array[] {
  const content = encoder.encode(text);
  const whole = { path: "d", type: "file", mode: 0o644, mtime: 0, target: "" } as const;
  return [
    encodeHeader({ ...whole, size: content.length, ...header }),
    content,
    padding(content.length),
  ];
}

/** A container whose `tar` sends some entries. */
const sends = (...entries: Entry[]): PodProgram["exec"] => async ({ stdout }) => {
  for (const entry of entries) for (const part of entryOf(entry)) await stdout.write(part);
  await stdout.write(new Uint8Array(1024));
  return 0;
};

const directory = (path: string, mode = 0o755): Entry => ({ path, mode, type: "directory" });
const linkTo = (path: string, target: string): Entry => ({ path, type: "symlink", target });
const hardLinkTo = (path: string, target: string): Entry => ({ path, type: "hardlink", target });

async function turns(count = 100): Promise<void> {
  for (let turn = 0; turn < count; turn++) await delay(0);
}

const BAD_CONTAINERS: Readonly<Record<string, PodProgram["exec"]>> = {
  "says nothing": async ({ signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    return 0;
  },
  "stalls within a file": async ({ stdout, signal }) => {
    await stdout.write(encodeHeader({
      path: "d",
      type: "file",
      mode: 0o644,
      mtime: 0,
      target: "",
      size: 5 * MIB,
    }));
    await stdout.write(new Uint8Array(100));
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    return 0;
  },
  "floods": async ({ stdout }) => {
    const size = 8 ** 11 - 1;
    const whole = { path: "d", type: "file", mode: 0o644, mtime: 0, target: "", size } as const;
    await stdout.write(encodeHeader(whole));
    while (true) await stdout.write(new Uint8Array(MIB));
  },
  "sends entries for ever": async ({ stdout }) => {
    for (let count = 0;; count++) {
      for (const part of entryOf({ path: `d/${count % 3}` })) await stdout.write(part);
    }
  },
};

for (const [what, exec] of Object.entries(BAD_CONTAINERS)) {
  Deno.test(`copyFrom() of a container that ${what} ends with timeoutMs, its signal and the client`, async () => {
    await using t = await world(exec);
    const late = assertRejects(() => t.from({ timeoutMs: 60_000 }), DOMException, "timed out");
    await t.clock.run(late);

    const stop = new AbortController();
    const reason = new Error("enough");
    const aborted = assertRejects(() => t.from({ signal: stop.signal }));
    await turns();
    stop.abort(reason);
    assertEquals(await aborted, reason);

    const closed = assertRejects(() => t.from(), TerminalError);
    await turns();
    await t.client.close();
    await closed;
    // No part of a file is left.
    const left = await readdir(`${t.root}/to`).catch(() => []);
    assertEquals(left.filter((name) => !/^[0-9]$/.test(name)), []);
    await t.clock.run(t.pods.untilQuiet());
  });
}

Deno.test("copyTo() a container that reads nothing ends with timeoutMs, its signal and the client", async () => {
  await using t = await world(BAD_CONTAINERS["says nothing"]);
  const local = `${t.root}/large`;
  await writeFile(local, new Uint8Array(20 * MIB));
  const to = { pod: "web", namespace, path: "/d" };
  const late = assertRejects(
    () => copyTo(t.client, local, to, { timeoutMs: 60_000 }),
    DOMException,
    "timed out",
  );
  await t.clock.run(late);
  const stop = new AbortController();
  const aborted = assertRejects(() => copyTo(t.client, local, to, { signal: stop.signal }));
  await turns();
  const reason = new Error("enough");
  stop.abort(reason);
  assertEquals(await aborted, reason);
  const closed = assertRejects(() => copyTo(t.client, local, to), TerminalError);
  await turns();
  await t.client.close();
  await closed;
  // The server looks for the end of a connection that it does not read every ten seconds.
  await t.clock.run(t.pods.untilQuiet());
});

Deno.test("copyFrom() ends with its signal while it makes links", async () => {
  const links = Array.from({ length: 200 }, (_, at) => linkTo(`d/l${at}`, "x"));
  await using t = await world(sends(directory("d"), ...links));
  const stop = new AbortController();
  // A signal that aborts once the first link is there.
  const made = (async () => {
    while (!(await readdir(`${t.root}/to`).catch(() => [])).some((name) => name.startsWith("l"))) {
      await delay(0);
    }
    stop.abort(new Error("enough"));
  })();
  await assertRejects(() => t.from({ signal: stop.signal }), Error, "enough");
  await made;
  assert((await readdir(`${t.root}/to`)).length < 200);
});

async function modeOf(path: string): Promise<number> {
  return (await lstat(path)).mode & 0o777;
}

Deno.test("copyFrom() keeps the mode of an existing directory", async () => {
  await using t = await world(sends(
    directory("d", 0o777),
    directory("d/old", 0o777),
    directory("d/new", 0o750),
    { path: "d/old/file", text: "x" },
  ));
  await mkdir(`${t.root}/to/old`, { recursive: true });
  await chmod(`${t.root}/to`, 0o700);
  await chmod(`${t.root}/to/old`, 0o700);
  await t.from();
  assertEquals(
    [
      await modeOf(`${t.root}/to`),
      await modeOf(`${t.root}/to/old`),
      await modeOf(`${t.root}/to/new`),
    ],
    [0o700, 0o700, 0o750],
  );
  assertEquals(await readFile(`${t.root}/to/old/file`, "utf8"), "x");
});

Deno.test("copyFrom() keeps existing files if the copy fails", async () => {
  await using t = await world(async ({ stdout }) => {
    const whole = { path: "d/a", type: "file", mode: 0o644, mtime: 0, target: "" } as const;
    await stdout.write(encodeHeader({ ...whole, size: 1000 }));
    await stdout.write(encoder.encode("new"));
    return 1;
  });
  await mkdir(`${t.root}/to`);
  await writeFile(`${t.root}/to/a`, "old");
  await assertRejects(() => t.from(), Error, "exit code 1");
  assertEquals(await readdir(`${t.root}/to`), ["a"]);
  assertEquals(await readFile(`${t.root}/to/a`, "utf8"), "old");
});

Deno.test("copyFrom() copies hard links to files and to links, but not to existing files", async () => {
  await using t = await world(sends(
    directory("d"),
    { path: "d/file", text: "x" },
    linkTo("d/link", "file"),
    directory("d/sub"),
    linkTo("d/sub/up", "../file"),
    linkTo("d/out", "../out"),
    hardLinkTo("d/hard", "d/file"),
    hardLinkTo("d/linked", "d/link"),
    // The same link in another directory leads out.
    hardLinkTo("d/up", "d/sub/up"),
    hardLinkTo("d/out2", "d/out"),
    hardLinkTo("d/secret2", "d/secret"),
    hardLinkTo("d/none", "d/nothing"),
    hardLinkTo("d/file", "d/file"),
    hardLinkTo("d/dir", "d/sub"),
  ));
  await mkdir(`${t.root}/to`);
  await writeFile(`${t.root}/to/secret`, "secret");
  const { files, skipped } = await t.from();
  assertEquals([files, [...skipped].sort()], [2, [
    "dir",
    "none",
    "out",
    "out2",
    "secret2",
    "up",
  ]]);
  assertEquals((await readdir(`${t.root}/to`)).sort(), [
    "file",
    "hard",
    "link",
    "linked",
    "secret",
    "sub",
  ]);
  assertEquals((await lstat(`${t.root}/to/hard`)).ino, (await lstat(`${t.root}/to/file`)).ino);
  assertEquals(await readlink(`${t.root}/to/linked`), "file");
  assertEquals((await lstat(`${t.root}/to/secret`)).nlink, 1);
});

Deno.test("copyFrom() keeps the last entry of a path, and no temporary files", async () => {
  await using t = await world(sends(
    directory("d"),
    linkTo("d/a", "b"),
    { path: "d/a", text: "file" },
    { path: "d/b", text: "1" },
    { path: "d/b", text: "2" },
    linkTo("d/c", "a"),
    linkTo("d/c", "b"),
    hardLinkTo("d/e", "d/b"),
    hardLinkTo("d/e", "d/b"),
  ));
  await t.from();
  assertEquals((await readdir(`${t.root}/to`)).sort(), ["a", "b", "c", "e"]);
  assertEquals(await readFile(`${t.root}/to/a`, "utf8"), "file");
  assertEquals(await readFile(`${t.root}/to/b`, "utf8"), "2");
  assertEquals(await readlink(`${t.root}/to/c`), "b");
});

slowTest("copyFrom() keeps a bounded number of names in memory", async () => {
  const target = "t".repeat(60_000);
  await using t = await world(async ({ stdout }) => {
    for (let count = 0; count < 10_000; count++) {
      for (const part of entryOf(linkTo(`d/l${count}`, target))) await stdout.write(part);
    }
    return 0;
  });
  await assertRejects(() => t.from(), Error, "too many directories and links");
});

Deno.test("copyFrom() replaces a pipe and a link at its destination by the file", async () => {
  await using t = await world(sends({ path: "d", text: "x" }));
  await writeFile(`${t.root}/other`, "other");
  await symlink("other", `${t.root}/to`);
  await t.from();
  assertEquals(await readFile(`${t.root}/to`, "utf8"), "x");
  assertEquals((await lstat(`${t.root}/to`)).isFile(), true);
  assertEquals(await readFile(`${t.root}/other`, "utf8"), "other");
});

Deno.test("copyFrom() and copyTo() show no credentials and no control characters of a container", async () => {
  const token = "secret-token-0123456789";
  const pods = await PodWorld.create([{
    exec: async ({ stderr }) => {
      await stderr.write(`tar: \u001b[2J${token}\nno`);
      return 2;
    },
  }]);
  await using _pods = pods;
  const root = await mkdtemp(`${tmpdir()}/kubeloop-cp-`);
  await writeFile(`${root}/a`, "a");
  const { server } = pods;
  await using client = new Client({
    ...server.clientOptions,
    token,
    upgrade: (request) => {
      const headers = new Headers(request.headers);
      headers.delete("authorization");
      return server.upgrade(new Request(request, { headers }));
    },
  });
  const place = { pod: "web", namespace, path: "/d" };
  for (
    const copy of [
      () => copyFrom(client, place, `${root}/to`),
      () => copyTo(client, `${root}/a`, place),
    ]
  ) {
    const { message } = await assertRejects(copy, Error, "exit code 2");
    assert(message.includes("(hidden)") && message.includes("\\u001b[2J"), message);
    assert(![token, "\n", "\u001b"].some((part) => message.includes(part)), message);
  }
  await rm(root, { recursive: true });
});

Deno.test("copyFrom() shows no credentials that a container has put into a path", async () => {
  const token = "secret-token-0123456789";
  const pods = await PodWorld.create([{ exec: sends({ path: `/${token}\u001b[2J`, text: "x" }) }]);
  await using _pods = pods;
  const root = await mkdtemp(`${tmpdir()}/kubeloop-cp-`);
  const { server } = pods;
  await using client = new Client({
    ...server.clientOptions,
    token,
    upgrade: (request) => {
      const headers = new Headers(request.headers);
      headers.delete("authorization");
      return server.upgrade(new Request(request, { headers }));
    },
  });
  const { message } = await assertRejects(
    () => copyFrom(client, { pod: "web", namespace, path: "/d" }, `${root}/to`),
    Error,
    'tries to write outside of the destination: "/(hidden)',
  );
  assert(![token, "\u001b"].some((part) => message.includes(part)), message);
  await rm(root, { recursive: true });
});

Deno.test("copyFrom() and copyTo() check their options before any request", async () => {
  await using client = new Client({ fetch: () => Promise.reject(new Error("a request was made")) });
  const place = { pod: "web", namespace, path: "/d" };
  const cases: readonly (readonly [unknown, unknown, string])[] = [
    [undefined, {}, "takes an object"],
    [{ ...place, namespce: "a" }, {}, 'has no option "namespce": did you mean "namespace"?'],
    [{ ...place, container: "" }, {}, "container must be a text"],
    [place, { timeoutMS: 5 }, 'has no option "timeoutMS": did you mean "timeoutMs"?'],
    [place, { timeoutMs: 0 }, "timeoutMs must be"],
    [place, { signal: 5 }, "an AbortSignal"],
    [place, { onProgress: "log" }, "onProgress must be a function"],
    [place, null, "takes an object"],
  ];
  for (const [remote, options, message] of cases) {
    for (
      const copy of [
        () => copyFrom(client, remote as never, "a", options as never),
        () => copyTo(client, "a", remote as never, options as never),
      ]
    ) await assertRejects(copy, Error, message);
  }
});
