import { assertEquals, assertRejects } from "@std/assert";
import {
  chmod,
  link,
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
import { copyFrom, type CopyProgress, copyTo } from "../../src/kubectl/mod.ts";
import {
  decodeHeader,
  encodeHeader,
  padding,
  type TarHeader,
} from "../../src/kubectl/tar_format.ts";
import { NAMESPACE, PodWorld } from "../client/streams/_pods.ts";
import { localProgram } from "../support/local_program.ts";

const namespace = NAMESPACE;
const MIB = 1024 * 1024;

/** A local folder, and a Pod whose files are in another one. */
async function copyWorld() {
  const root = await realpath(await mkdtemp(`${tmpdir()}/kubeloop-cp-`));
  const [local, remote] = [`${root}/local`, `${root}/remote`];
  await mkdir(local);
  await mkdir(remote);
  const program = localProgram(remote);
  const world = await PodWorld.create([program]);
  return {
    client: world.client,
    local,
    remote,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await program.ended();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A Pod whose `tar` sends what a test says. */
async function hostileWorld(archive: Uint8Array, exitCode = 0) {
  const root = await realpath(await mkdtemp(`${tmpdir()}/kubeloop-cp-`));
  const world = await PodWorld.create([{
    exec: async ({ stdout }) => {
      await stdout.write(archive);
      return exitCode;
    },
  }]);
  const pod = { pod: "web", namespace, path: "/d" };
  return {
    root,
    copy: () => copyFrom(world.client, pod, `${root}/to`),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

function archiveOf(...entries: (Partial<TarHeader> & { text?: string })[]): Uint8Array {
  const parts = entries.map(({ text = "", ...header }) => {
    const content = new TextEncoder().encode(text);
    return [
      encodeHeader({
        path: "d",
        type: "file",
        mode: 0o644,
        mtime: 0,
        target: "",
        size: content.length,
        ...header,
      }),
      content,
      padding(content.length),
    ];
  }).flat();
  return new Uint8Array([...parts, new Uint8Array(1024)].flatMap((part) => [...part]));
}

async function modeOf(path: string): Promise<number> {
  return (await lstat(path)).mode & 0o7777;
}

async function writeTree(folder: string): Promise<string> {
  const long = `${"long-".repeat(30)}name`;
  await mkdir(`${folder}/tree/sub/${long}`, { recursive: true });
  await writeFile(`${folder}/tree/a b`, "hello");
  await writeFile(`${folder}/tree/empty`, "");
  await writeFile(`${folder}/tree/sub/${long}/ü`, new Uint8Array(3 * MIB).map((_, at) => at % 251));
  await writeFile(`${folder}/tree/run`, "#!/bin/sh\n");
  await chmod(`${folder}/tree/run`, 0o755);
  await chmod(`${folder}/tree/a b`, 0o600);
  await symlink("../a b", `${folder}/tree/sub/link`);
  await link(`${folder}/tree/a b`, `${folder}/tree/hard`);
  await chmod(`${folder}/tree/sub`, 0o750);
  return long;
}

async function assertTree(tree: string, long: string): Promise<void> {
  assertEquals((await readdir(tree)).sort(), ["a b", "empty", "hard", "run", "sub"]);
  assertEquals(await readFile(`${tree}/a b`, "utf8"), "hello");
  assertEquals(await readFile(`${tree}/hard`, "utf8"), "hello");
  assertEquals((await readFile(`${tree}/empty`)).length, 0);
  const large = await readFile(`${tree}/sub/${long}/ü`);
  assertEquals([large.length, large.every((byte, at) => byte === at % 251)], [3 * MIB, true]);
  assertEquals(await readlink(`${tree}/sub/link`), "../a b");
  const modes = ["a b", "run", "sub"].map((name) => modeOf(`${tree}/${name}`));
  assertEquals(await Promise.all(modes), [0o600, 0o755, 0o750]);
}

Deno.test("copyFrom() copies a directory with modes, links and long names", async () => {
  await using world = await copyWorld();
  const { client, local, remote } = world;
  const long = await writeTree(remote);
  const from = { pod: "web", namespace, path: "/tree" };
  const { files, bytes, skipped } = await copyFrom(client, from, `${local}/got`);
  assertEquals([files, bytes, skipped], [5, 3 * MIB + 5 + 10, []]);
  await assertTree(`${local}/got`, long);
  // Again, over what is there.
  await copyFrom(client, from, `${local}/got`);
  await assertTree(`${local}/got`, long);
});

Deno.test("copyTo() copies a directory with modes, links and long names", async () => {
  await using world = await copyWorld();
  const { client, local, remote } = world;
  const long = await writeTree(local);
  const to = { pod: "web", namespace, path: "/got" };
  const { files, bytes } = await copyTo(client, `${local}/tree`, to);
  assertEquals([files, bytes], [5, 3 * MIB + 5 + 5 + 10]);
  await assertTree(`${remote}/got`, long);
});

Deno.test("copyFrom() and copyTo() copy a file to the path that is given", async () => {
  await using world = await copyWorld();
  const { client, local, remote } = world;
  await writeFile(`${remote}/-a`, "from");
  await writeFile(`${local}/b`, "to");
  const progress: CopyProgress[] = [];
  const onProgress = (step: CopyProgress) => void progress.push(step);
  await copyFrom(client, { pod: "web", namespace, path: "-a" }, `${local}/a`, { onProgress });
  assertEquals(await readFile(`${local}/a`, "utf8"), "from");
  assertEquals(progress, [{ path: ".", files: 1, bytes: 0 }, { path: ".", files: 1, bytes: 4 }]);
  await copyTo(client, `${local}/b`, { pod: "web", namespace, path: "/c" });
  assertEquals(await readFile(`${remote}/c`, "utf8"), "to");
});

Deno.test("the error of copyFrom() has the message of tar", async () => {
  await using world = await copyWorld();
  const { client, local } = world;
  await assertRejects(
    () => copyFrom(client, { pod: "web", namespace, path: "/nope" }, `${local}/a`),
    Error,
    'tar in the container failed with exit code 2 on "/nope": ',
  );
  assertEquals(await readdir(local), []);
});

Deno.test("the error of copyTo() has the message of tar, or names the missing local file", async () => {
  await using world = await copyWorld();
  const { client, local } = world;
  await writeFile(`${local}/a`, "a");
  await assertRejects(
    () => copyTo(client, `${local}/a`, { pod: "web", namespace, path: "/no/such/b" }),
    Error,
    "tar in the container failed with exit code 2",
  );
  await assertRejects(
    () => copyTo(client, `${local}/nope`, { pod: "web", namespace, path: "/b" }),
    Error,
    "ENOENT",
  );
  await assertRejects(
    () => copyTo(client, `${local}/a`, { pod: "web", namespace, path: "/b/.." }),
    TypeError,
    'ends with ".."',
  );
});

Deno.test("copyFrom() ends with the error of onProgress, and leaves no part of a file", async () => {
  await using world = await copyWorld();
  const { client, local, remote } = world;
  await writeFile(`${remote}/large`, new Uint8Array(20 * MIB));
  const onProgress = ({ bytes }: CopyProgress) => {
    if (bytes > MIB) throw new Error("enough");
  };
  await assertRejects(
    () =>
      copyFrom(client, { pod: "web", namespace, path: "/large" }, `${local}/large`, {
        onProgress,
      }),
    Error,
    "enough",
  );
  assertEquals(await readdir(local), []);
});

Deno.test("copyFrom() writes nothing outside of its destination", async () => {
  const outside = "tries to write outside";
  const attacks: readonly (readonly [string, Uint8Array])[] = [
    [outside, archiveOf({ path: "/etc/passwd", text: "x" })],
    [outside, archiveOf({ path: "/d/out", text: "x" })],
    [outside, archiveOf({ path: "d/../../out", text: "x" })],
    [outside, archiveOf({ path: "./../out", text: "x" })],
    [outside, archiveOf({ path: "out", text: "x" })],
    [outside, archiveOf({ path: "d/a\\..\\out", text: "x" })],
    [
      outside,
      archiveOf({ path: "d", type: "directory" }, {
        path: "d/a",
        type: "hardlink",
        target: "/etc/passwd",
      }),
    ],
    [outside, archiveOf({ path: "d/a", type: "hardlink", target: "d/../../secret" })],
  ];
  for (const [message, archive] of attacks) {
    await using world = await hostileWorld(archive);
    await writeFile(`${world.root}/secret`, "secret");
    await assertRejects(world.copy, Error, message);
    assertEquals((await readdir(world.root)).filter((name) => name !== "to"), ["secret"]);
  }
});

Deno.test("copyFrom() skips links that lead out of the destination, and does not write through links", async () => {
  const symlinkTo = (path: string, target: string) => ({ path, type: "symlink" as const, target });
  {
    const targets = ["/etc", "..", "../..", "sub/../../x", "../x/../../y"];
    await using world = await hostileWorld(archiveOf(
      { path: "d", type: "directory", mode: 0o755 },
      ...targets.map((target, at) => symlinkTo(`d/l${at}`, target)),
      symlinkTo("d/good", "l1"),
    ));
    const { skipped } = await world.copy();
    assertEquals(skipped, ["l0", "l1", "l2", "l3", "l4"]);
    assertEquals(await readdir(`${world.root}/to`), ["good"]);
  }
  {
    // A link, and then a file through it: the file is written first, and its directory keeps the link out.
    await using world = await hostileWorld(archiveOf(
      symlinkTo("d/l", "x"),
      { path: "d/l/file", text: "x" },
    ));
    await assertRejects(world.copy, Error, "Cannot replace the directory");
  }
  {
    // A link that was there before.
    await using world = await hostileWorld(archiveOf({ path: "d/l/file", text: "x" }));
    await mkdir(`${world.root}/to`);
    await symlink("..", `${world.root}/to/l`);
    await assertRejects(world.copy, Error, "which is not a directory");
    assertEquals(await readdir(world.root), ["to"]);
  }
  {
    // A file in place of a link that was there before replaces the link.
    await using world = await hostileWorld(archiveOf({ path: "d/l", text: "x" }));
    await mkdir(`${world.root}/to`);
    await writeFile(`${world.root}/secret`, "secret");
    await symlink("../secret", `${world.root}/to/l`);
    await world.copy();
    assertEquals(await readFile(`${world.root}/secret`, "utf8"), "secret");
  }
});

Deno.test("copyFrom() removes setuid, and skips devices", async () => {
  await using world = await hostileWorld(
    archiveOf(
      { path: "d", type: "directory", mode: 0o755 },
      { path: "d/suid", mode: 0o6755, text: "x" },
      { path: "d/device", type: "other" },
    ),
  );
  assertEquals((await world.copy()).skipped, ["device"]);
  assertEquals(await modeOf(`${world.root}/to/suid`), 0o755);
});

Deno.test("copyFrom() refuses output that is not an archive, or ends early", async () => {
  const whole = archiveOf({ path: "d", text: "x".repeat(2000) });
  const cases: readonly (readonly [Uint8Array, string])[] = [
    [new TextEncoder().encode("hello ".repeat(200)), "is no archive"],
    [whole.subarray(0, 1000), "ended before its end"],
    [new Uint8Array(0), "ended before its end"],
  ];
  for (const [archive, message] of cases) {
    await using world = await hostileWorld(archive);
    await assertRejects(world.copy, Error, message);
    assertEquals(await readdir(world.root), []);
  }
});

Deno.test("copyFrom() and copyTo() check their paths", async () => {
  await using world = await copyWorld();
  const pod = { pod: "web", namespace };
  for (const path of ["", undefined, "a\0b"]) {
    await assertRejects(() => copyFrom(world.client, { ...pod, path: path! }, "a"), TypeError);
    await assertRejects(() => copyTo(world.client, path!, { ...pod, path: "a" }), TypeError);
  }
});

Deno.test("Headers of an archive have octal sizes of up to eleven digits, and binary ones beyond", () => {
  const octal = 8 ** 11 - 1;
  for (const [size, first] of [[0, 0x30], [octal, 0x37], [octal + 1, 0x80]] as const) {
    const block = encodeHeader({
      path: "a",
      type: "file",
      mode: 0o644,
      size,
      mtime: 5,
      target: "",
    });
    assertEquals([block.length, block[124]], [512, first]);
    const { path, size: read, mode, mtime } = decodeHeader(block)!;
    assertEquals([path, read, mode, mtime], ["a", size, 0o644, 5]);
  }
  const [short, long] = [100, 101].map((length) =>
    encodeHeader({
      path: "p".repeat(length),
      type: "symlink",
      mode: 0o644,
      size: 0,
      mtime: 5,
      target: "t".repeat(length),
    }).length
  );
  // A name that is too long has a header and a block of its own.
  assertEquals([short, long], [512, 5 * 512]);
});
