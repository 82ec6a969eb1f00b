import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import fc from "fast-check";
import { silentLogger } from "../../../src/base/mod.ts";
import type { ServerState, ServerWrite } from "../../../src/testing/mod.ts";
import { type FileOperations, machineFiles } from "../../../src/testing/serve/log_file.ts";
import { encodeRecord } from "../../../src/testing/serve/log_records.ts";
import { replay } from "../../../src/testing/serve/recover_state.ts";
import {
  SavedState,
  type SavedStateOptions,
  type StatefulServer,
} from "../../../src/testing/serve/saved_state.ts";
import { assertProperty } from "../../support/seeded_runs.ts";
import { Cluster } from "../api_server/cluster.ts";

const options: SavedStateOptions = { logger: silentLogger };

/** A folder with a saved state, and copies of it as a crash would leave it. */
class Disk implements AsyncDisposable {
  readonly folder: string;
  readonly path: string;
  #copies = 0;

  private constructor(folder: string) {
    this.folder = folder;
    this.path = `${folder}/state`;
  }

  static async create(): Promise<Disk> {
    return new Disk(await Deno.makeTempDir({ prefix: "kubeloop-state-" }));
  }

  /** Returns the names of the files, except copies. */
  names(): string[] {
    return [...Deno.readDirSync(this.folder)].map(({ name }) => name)
      .filter((name) => name.startsWith("state")).sort();
  }

  /** Copies the files to another name, but not the lock. Returns the path. */
  copy(): string {
    const copy = `${this.folder}/copy-${++this.#copies}`;
    for (const name of this.names()) {
      if (!/^state(\.log-[0-9]+)?$/.test(name)) continue;
      Deno.copyFileSync(`${this.folder}/${name}`, `${copy}${name.slice("state".length)}`);
    }
    return copy;
  }

  /** Puts a copy in the place of the files. */
  replaceBy(copy: string): void {
    for (const name of this.names()) Deno.removeSync(`${this.folder}/${name}`);
    for (const { name } of [...Deno.readDirSync(this.folder)]) {
      const from = `${this.folder}/${name}`;
      if (from.startsWith(copy)) Deno.renameSync(from, `${this.path}${from.slice(copy.length)}`);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.folder, { recursive: true });
  }
}

/** A server that keeps its state on a disk. */
class Server extends Cluster {
  readonly saved: SavedState;

  private constructor(saved: SavedState) {
    super(saved.restored === undefined ? {} : { state: saved.restored });
    this.saved = saved;
  }

  static async start(path: string, more: Partial<SavedStateOptions> = {}): Promise<Server> {
    const saved = await SavedState.open(path, { ...options, ...more });
    try {
      const server = new Server(saved);
      await saved.keep(server.server);
      return server;
    } catch (error) {
      await saved.close();
      throw error;
    }
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.saved.close();
  }
}

/** Returns what a server would start from. Changes the files as a start does. */
async function read(path: string): Promise<ServerState> {
  const saved = await SavedState.open(path, options);
  await saved.close();
  return saved.restored!;
}

/** The texts of the objects by resource, which are the same in any order. */
function objectsOf({ objects }: ServerState): string[] {
  return objects.map(({ resource, text }) => `${resource} ${text}`).sort();
}

Deno.test("SavedState has each write in its files before it is answered", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  for (let i = 0; i < 5; i++) {
    assertEquals((await cluster.configMap(`m${i}`)).status, 201);
    assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
  }
  await cluster.merge(Cluster.path("configmaps", "m1"), { data: { a: "ä\n" } });
  assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
  await cluster.call("DELETE", Cluster.path("configmaps", "m2"));
  assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
});

Deno.test("SavedState leaves a snapshot alone after a proper end, with the same resource version", async () => {
  await using disk = await Disk.create();
  let version = "";
  {
    await using cluster = await Server.start(disk.path);
    await cluster.configMap("a");
    assertEquals(disk.names(), ["state", "state.lock", "state.log-1"]);
    version = cluster.server.resourceVersion;
  }
  assertEquals(disk.names(), ["state"]);
  if (Deno.build.os !== "windows") {
    assertEquals((await Deno.stat(disk.path)).mode! & 0o777, 0o600);
  }
  assertEquals((await read(disk.path)).resourceVersion, version);
  const [header] = (await Deno.readTextFile(disk.path)).split("\n");
  assertEquals("log" in JSON.parse(header!), false);
});

Deno.test("SavedState keeps what any requests did, through crashes and snapshots", async () => {
  const step = fc.tuple(
    fc.constantFrom("create", "patch", "delete", "crash", "end"),
    fc.nat(5),
    fc.string({ unit: "grapheme" }),
  );
  await assertProperty(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(1, 2000, 1_000_000),
      async (steps, snapshotAfterBytes) => {
        await using disk = await Disk.create();
        let cluster = await Server.start(disk.path, { snapshotAfterBytes });
        let newest = 0;
        try {
          for (const [what, n, text] of steps) {
            const object = Cluster.path("configmaps", `m${n}`);
            if (what === "create") await cluster.configMap(`m${n}`);
            else if (what === "patch") await cluster.merge(object, { data: { text } });
            else if (what === "delete") await cluster.call("DELETE", object);
            else {
              const before = cluster.server.state();
              newest = Number(before.resourceVersion);
              const copy = disk.copy();
              await cluster[Symbol.asyncDispose]();
              if (what === "crash") {
                disk.replaceBy(copy);
              }
              cluster = await Server.start(disk.path, { snapshotAfterBytes });
              assertEquals(objectsOf(cluster.server.state()), objectsOf(before));
              const version = Number(cluster.server.resourceVersion);
              assert(what === "crash" ? version > newest : version === newest);
            }
          }
        } finally {
          await cluster[Symbol.asyncDispose]();
        }
      },
    ),
    40,
  );
});

Deno.test("SavedState never goes back in resource versions after a crash, also when the log has lost its end", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  for (let i = 0; i < 10; i++) await cluster.configMap(`m${i}`);
  const seen = Number(cluster.server.resourceVersion);
  const copy = disk.copy();
  // A loss of power: nothing after the start has reached the disk.
  const text = await Deno.readTextFile(`${copy}.log-1`);
  await Deno.writeTextFile(`${copy}.log-1`, `${text.split("\n")[0]}\n`);
  await using next = await Server.start(copy);
  assertEquals((await next.get(Cluster.path("configmaps"))).json.items, []);
  const created = await next.configMap("m1");
  assert(Number(created.json.metadata.resourceVersion) > seen);
});

Deno.test("SavedState reserves more resource versions before they are used up", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  const path = Cluster.path("configmaps", "a");
  await cluster.configMap("a");
  for (let i = 0; i < 21; i++) {
    // Versions that reads and bookmarks show, without writes of their own.
    for (let j = 0; j < 997; j++) cluster.server.progress();
    for (const write of [false, true]) {
      if (write) await cluster.merge(path, { data: { i: String(i) } });
      const seen = Number(cluster.server.resourceVersion);
      const { resourceVersion } = await read(disk.copy());
      assert(Number(resourceVersion) > seen, `${resourceVersion} follows ${seen}`);
    }
  }
});

/** Copies a snapshot and the first two files of its log, before anything else happens. */
function copyNow(from: string, to: string): void {
  for (const end of ["", ".log-1", ".log-2"]) Deno.copyFileSync(from + end, to + end);
}

/** Files that know what is on the disk, and not only with the operating system. */
class SyncedFiles implements FileOperations {
  readonly #paths = new Map<number, string>();
  readonly #lengths = new Map<string, number>();
  readonly write = machineFiles.write;
  readonly truncate = machineFiles.truncate;
  readonly close = machineFiles.close;

  readonly open = (path: string): number => {
    const file = machineFiles.open(path);
    this.#paths.set(file, path);
    this.#lengths.set(path, 0);
    return file;
  };

  readonly sync = (file: number): void => {
    machineFiles.sync(file);
    const path = this.#paths.get(file)!;
    this.#lengths.set(path, Deno.statSync(path).size);
  };

  /** Copies the files as a loss of power would leave them. Returns the path. */
  copyOf(disk: Disk): string {
    const copy = disk.copy();
    for (const [path, length] of this.#lengths) {
      const other = `${copy}${path.slice(disk.path.length)}`;
      if (disk.names().some((name) => path.endsWith(`/${name}`))) Deno.truncateSync(other, length);
    }
    return copy;
  }
}

Deno.test("SavedState never goes back in resource versions after a loss of power, also without fsync", async () => {
  await using disk = await Disk.create();
  const files = new SyncedFiles();
  await using cluster = await Server.start(disk.path, { files });
  await cluster.configMap("a");
  for (let i = 0; i < 25; i++) {
    const { resourceVersion } = await read(files.copyOf(disk));
    const seen = cluster.server.resourceVersion;
    assert(Number(resourceVersion) > Number(seen), `${resourceVersion} follows ${seen}`);
    for (let j = 0; j < 900; j++) cluster.server.progress();
    await cluster.merge(Cluster.path("configmaps", "a"), { data: { i: String(i) } });
  }
});

Deno.test("SavedState has on the disk what the last file of its log follows, also without fsync", async () => {
  await using disk = await Disk.create();
  const files = new SyncedFiles();
  await using cluster = await Server.start(disk.path, { files, snapshotAfterBytes: 5000 });
  let copy: string | undefined;
  // At this moment, no snapshot has taken the place of the first file yet.
  cluster.server.onWrite(() => {
    if (disk.names().includes("state.log-2")) copy ??= files.copyOf(disk);
  });
  let before: string[] = [];
  for (let i = 0; i < 100 && copy === undefined; i++) {
    before = objectsOf(cluster.server.state());
    await cluster.configMap(`m${i}`);
  }
  assertEquals(objectsOf(await read(copy!)), before);
});

Deno.test("SavedState: a watch or a list from before a crash gets a 410, never silence", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  const definition = {
    metadata: { name: "gadgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "gadgets", kind: "Gadget" },
      versions: [{
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object" } },
      }],
    },
  };
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const gadgets = "/apis/example.com/v1/namespaces/default/gadgets";
  await cluster.call("POST", definitions, definition);
  const gadget = { apiVersion: "example.com/v1", kind: "Gadget", metadata: { name: "g" } };
  assertEquals((await cluster.call("POST", gadgets, gadget)).status, 201);
  for (const name of ["a", "b"]) await cluster.configMap(name);
  const page = (await cluster.get(`${Cluster.path("configmaps")}?limit=1`)).json.metadata;
  const seen = cluster.server.resourceVersion;
  assertEquals((await cluster.call("DELETE", `${definitions}/gadgets.example.com`)).status, 200);
  await using next = await Server.start(disk.copy());
  await next.call("POST", definitions, definition);
  for (const path of [Cluster.path("configmaps"), Cluster.path("pods"), gadgets]) {
    await using watch = await next.watch(`${path}?resourceVersion=${seen}`);
    assertEquals(watch.lines[0]?.object.code, 410, path);
    const list = await next.get(`${path}?resourceVersion=${seen}&resourceVersionMatch=Exact`);
    assertEquals(list.status, 410, path);
  }
  const more = await next.get(`${Cluster.path("configmaps")}?limit=1&continue=${page.continue}`);
  assertEquals(more.status, 410);
});

Deno.test("SavedState continues what a crash has interrupted, whichever write was the last", async () => {
  await using disk = await Disk.create();
  const copies: string[] = [];
  await using cluster = await Server.start(disk.path);
  cluster.server.onWrite(() => copies.push(disk.copy()));
  const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  const names = { plural: "gadgets", kind: "Gadget" };
  const schema = { openAPIV3Schema: { type: "object" } };
  const versions = [{ name: "v1", served: true, storage: true, schema }];
  await cluster.call("POST", definitions, {
    metadata: { name: "gadgets.example.com" },
    spec: { group: "example.com", scope: "Cluster", names, versions },
  });
  const created = copies.splice(0);
  assert(created.length >= 3);
  for (const copy of created) {
    await using next = await Server.start(copy);
    assertEquals((await next.get("/apis/example.com/v1/gadgets")).status, 200);
  }
  const gadget = {
    apiVersion: "example.com/v1",
    kind: "Gadget",
    metadata: { name: "g", finalizers: ["example.com/hold"] },
  };
  await cluster.call("POST", "/apis/example.com/v1/gadgets", gadget);
  copies.splice(0);
  await cluster.call("DELETE", `${definitions}/gadgets.example.com`);
  const deleted = copies.splice(0);
  assert(deleted.length >= 2);
  for (const copy of deleted) {
    await using next = await Server.start(copy);
    await next.merge("/apis/example.com/v1/gadgets/g", { metadata: { finalizers: null } });
    await next.clock.advance(5000);
    assertEquals((await next.get(`${definitions}/gadgets.example.com`)).status, 404);
  }
});

/** Files that fail on demand. */
class BadFiles implements FileOperations {
  /** How many bytes can still be written; the rest of a write fails. */
  room = Infinity;
  failing = new Set<"truncate" | "sync" | "open">();
  readonly open = (path: string) => this.#try("open", () => machineFiles.open(path));
  readonly truncate = (file: number, length: number) =>
    this.#try("truncate", () => machineFiles.truncate(file, length));
  readonly sync = (file: number) => this.#try("sync", () => machineFiles.sync(file));
  readonly close = machineFiles.close;
  syncs = 0;

  readonly write = (file: number, bytes: Uint8Array, at: number): number => {
    if (this.room === 0) throw new Error("ENOSPC: no space left on device");
    // A full disk takes the beginning of a write.
    const part = bytes.subarray(0, Math.min(bytes.length, this.room));
    this.room -= part.length;
    return machineFiles.write(file, part, at);
  };

  #try<T>(what: "truncate" | "sync" | "open", operation: () => T): T {
    if (what === "sync") this.syncs++;
    if (this.failing.has(what)) throw new Error(`EIO: ${what}`);
    return operation();
  }
}

Deno.test("SavedState: a write that cannot be recorded gets a 500 that names the file, and stores nothing", async () => {
  await using disk = await Disk.create();
  const files = new BadFiles();
  await using cluster = await Server.start(disk.path, { files });
  await cluster.configMap("before");
  const version = cluster.server.resourceVersion;
  const names = async () => {
    const { items } = (await cluster.get(Cluster.path("configmaps"))).json;
    return items.map(({ metadata }: { metadata: { name: string } }) => metadata.name);
  };
  await using watch = await cluster.watch(Cluster.path("configmaps"));
  for (const room of [0, 1, 60]) {
    files.room = room;
    for (
      const refused of [
        await cluster.configMap("during"),
        await cluster.merge(Cluster.path("configmaps", "before"), { data: { a: "b" } }),
        await cluster.call("DELETE", Cluster.path("configmaps", "before")),
      ]
    ) {
      assertEquals(refused.status, 500);
      assertStringIncludes(refused.json.message, `Cannot write the log ${disk.path}.log-1: ENOSPC`);
    }
    assertEquals(await names(), ["before"]);
    assertEquals(cluster.server.resourceVersion, version);
  }
  files.room = Infinity;
  assertEquals((await cluster.configMap("after")).status, 201);
  await cluster.clock.settle();
  assertEquals(watch.events, ["ADDED before", "ADDED after"]);
  assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
});

Deno.test("SavedState writes nothing more after part of a record that it cannot remove, or a disk that fails", async () => {
  for (const failing of ["truncate", "sync"] as const) {
    await using disk = await Disk.create();
    const files = new BadFiles();
    await using cluster = await Server.start(disk.path, { files, fsync: true });
    await cluster.configMap("before");
    if (failing === "truncate") files.room = 10;
    files.failing.add(failing);
    assertEquals((await cluster.configMap("during")).status, 500);
    files.failing.clear();
    files.room = Infinity;
    const refused = await cluster.configMap("later");
    assertEquals(refused.status, 500);
    assertStringIncludes(refused.json.message, `EIO: ${failing}`);
    const state = await read(disk.copy());
    assert(objectsOf(state).some((text) => text.includes('"name":"before"')));
    assert(!objectsOf(state).some((text) => text.includes('"name":"later"')));
  }
});

Deno.test("SavedState waits for the disk at each write with fsync, and else not", async () => {
  for (const [fsync, expected] of [[true, 10], [false, 0]] as const) {
    await using disk = await Disk.create();
    const files = new BadFiles();
    await using cluster = await Server.start(disk.path, { files, fsync });
    const before = files.syncs;
    for (let i = 0; i < 10; i++) await cluster.configMap(`m${i}`);
    assertEquals(files.syncs - before, expected);
  }
});

Deno.test("SavedState replaces the log by a snapshot when it has grown", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path, { snapshotAfterBytes: 5000 });
  const numbers = new Set<string>();
  for (let i = 0; i < 400; i++) {
    await cluster.merge(Cluster.path("configmaps", "a"), { data: { i: String(i) } });
    if (i === 0) await cluster.configMap("a");
    const logs = disk.names().filter((name) => name.includes(".log-"));
    for (const name of logs) numbers.add(name);
    assert(logs.length <= 2, logs.join());
    if (i % 50 === 0) {
      assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
    }
  }
  assert(numbers.size > 3, [...numbers].join());
  const size = (name: string) => Deno.statSync(`${disk.folder}/${name}`).size;
  const bound = 3 * size("state") + 20_000;
  for (const name of disk.names()) assert(size(name) < bound, `${name} has ${size(name)} bytes`);
});

Deno.test("SavedState replaces a small log only at the end", async () => {
  await using disk = await Disk.create();
  {
    await using cluster = await Server.start(disk.path);
    const size = (name: string) => Deno.statSync(`${disk.folder}/${name}`).size;
    const data = { x: "x".repeat(100_000) };
    for (let i = 0; i < 9 || size("state.log-1") < 2 * size("state"); i++) {
      await cluster.call("POST", Cluster.path("configmaps"), { metadata: { name: `m${i}` }, data });
    }
    assertEquals(disk.names().filter((name) => name.includes("log-")), ["state.log-1"]);
  }
  assertEquals(disk.names(), ["state"]);
});

Deno.test("SavedState continues its log when a snapshot cannot be written", async () => {
  await using disk = await Disk.create();
  const files = new BadFiles();
  const errors: string[] = [];
  const logger = { ...silentLogger, error: (message: string) => errors.push(message) };
  await using cluster = await Server.start(disk.path, { files, logger, snapshotAfterBytes: 1000 });
  files.failing.add("open");
  for (let i = 0; i < 30; i++) assertEquals((await cluster.configMap(`m${i}`)).status, 201);
  // The pauses become longer, so that the log does not take longer with each write.
  assert(errors.length > 0 && errors.length <= 6, `${errors.length}`);
  assertEquals(disk.names().filter((name) => name.includes("log")), ["state.log-1"]);
  assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
  files.failing.clear();
  for (let i = 0; !disk.names().includes("state.log-2"); i++) await cluster.configMap(`n${i}`);
  assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
});

Deno.test("SavedState begins another log as soon as a full disk has room for it", async () => {
  await using disk = await Disk.create();
  const files = new BadFiles();
  await using cluster = await Server.start(disk.path, { files, snapshotAfterBytes: 1000 });
  const size = () => Deno.statSync(`${disk.path}.log-1`).size;
  for (let i = 0; size() <= 1000; i++) await cluster.configMap(`m${i}`);
  files.room = 0;
  assertEquals((await cluster.configMap("refused")).status, 500);
  assertEquals(disk.names().filter((name) => name.includes("log")), ["state.log-1"]);
  files.room = Infinity;
  for (let i = 0; i < 50 && !disk.names().includes("state.log-2"); i++) {
    assertEquals((await cluster.configMap(`n${i}`)).status, 201);
  }
  assert(disk.names().includes("state.log-2"), disk.names().join());
  assertEquals(objectsOf(await read(disk.copy())), objectsOf(cluster.server.state()));
});

Deno.test("SavedState names the file when it cannot write a snapshot, at the start and at the end", async () => {
  await using disk = await Disk.create();
  const problem = `Cannot write the state ${disk.path}: `;
  const saved = await SavedState.open(disk.path, options);
  await using cluster = new Cluster();
  // The snapshot cannot take the place of a folder.
  await Deno.mkdir(disk.path);
  await assertRejects(() => saved.keep(cluster.server), Error, problem);
  await assertRejects(() => saved.close(), Error, problem);
  assert(!disk.names().includes("state.lock"));
});

Deno.test("SavedState refuses damaged and missing files, says what to do, and changes nothing", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  for (let i = 0; i < 3; i++) await cluster.configMap(`m${i}`);
  const contents = (path: string) =>
    [...Deno.readDirSync(disk.folder)].map(({ name }) => `${disk.folder}/${name}`)
      .filter((name) => name.startsWith(path)).sort()
      .map((name) => `${name}: ${Deno.readTextFileSync(name)}`);
  const lines = (await Deno.readTextFile(`${disk.path}.log-1`)).split("\n");
  const offset = lines[0]!.length + 1;
  const cases: [problem: string, damage: (path: string) => void][] = [
    [`.log-1: the record at byte ${offset} is damaged`, (path) =>
      Deno.writeTextFileSync(
        `${path}.log-1`,
        lines.with(1, lines[1]!.replace("m0", "mX")).join("\n"),
      )],
    [`(truncate -s ${offset} `, (path) =>
      Deno.writeTextFileSync(
        `${path}.log-1`,
        lines.with(1, lines[1]!.replace("m0", "mX")).join("\n"),
      )],
    ["log-1 is missing: ", (path) => Deno.removeSync(`${path}.log-1`)],
    ["log-1 is missing: ", (path) => Deno.renameSync(`${path}.log-1`, `${path}.log-2`)],
    ["it is missing, but ", (path) => Deno.removeSync(path)],
    [
      "the file is not the log of a saved state",
      (path) => Deno.writeTextFileSync(`${path}.log-1`, lines.slice(1).join("\n")),
    ],
    [
      "the file is not the log of a saved state",
      (path) => Deno.writeFileSync(`${path}.log-1`, encodeRecord('{"kind":"Other","version":1}')),
    ],
    [
      "version 2 is not supported, only version 1",
      (path) =>
        Deno.writeFileSync(`${path}.log-1`, encodeRecord('{"kind":"KubeloopLog","version":2}')),
    ],
  ];
  for (const [problem, damage] of cases) {
    const path = disk.copy();
    damage(path);
    const before = contents(path);
    const error = await assertRejects(() => SavedState.open(path, options), SyntaxError);
    assertStringIncludes(error.message.replace("log-1 is missing;", "log-1 is missing: "), problem);
    assertStringIncludes(error.message, path);
    assertEquals(contents(path), before);
  }
});

Deno.test("SavedState.open() changes no file that is not its log, whatever its name", async () => {
  for (const text of ["precious", "precious\n", "12 precious", "precious\0\0", "7 0123456z "]) {
    await using disk = await Disk.create();
    await Deno.writeTextFile(`${disk.path}.log-1`, text);
    const error = await assertRejects(() => SavedState.open(disk.path, options), SyntaxError);
    assertStringIncludes(error.message, `${disk.path}.log-1: the file is not the log of a saved`);
    assertEquals(await Deno.readTextFile(`${disk.path}.log-1`), text);
    assertEquals(disk.names(), ["state.log-1"]);
  }
});

Deno.test("SavedState.open() follows no link in the place of its log", async () => {
  await using disk = await Disk.create();
  const victim = `${disk.folder}/victim`;
  for (const text of ["precious", "", "9"]) {
    await Deno.writeTextFile(victim, text);
    await Deno.symlink(victim, `${disk.path}.log-1`);
    await assertRejects(() => SavedState.open(disk.path, options), TypeError, "is a link");
    assertEquals(await Deno.readTextFile(victim), text);
    assertEquals(disk.names(), ["state.log-1"]);
    await Deno.remove(`${disk.path}.log-1`);
  }
});

Deno.test("replay() finds the objects of a log in the state, whether they have a namespace or not", () => {
  const object = (name: string, namespace?: string, note?: string) => ({
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    ...(note === undefined ? {} : { note }),
  });
  const stored = (...of: Parameters<typeof object>) => ({
    resource: "things",
    text: JSON.stringify(object(...of)),
  });
  const state = {
    resourceVersion: "7",
    objects: [stored("a"), stored("b"), stored("a", "shop"), stored("b", "shop")],
  };
  const write = (
    resourceVersion: string,
    name: string,
    namespace: string,
    note: string | null,
  ) => ({
    resourceVersion,
    resource: "things",
    name,
    namespace,
    object: note === null ? null : object(name, namespace || undefined, note),
  });
  const records = [
    write("8", "a", "", "changed"),
    write("9", "b", "", null),
    write("10", "b", "shop", "changed"),
    write("11", "a", "shop", null),
    write("12", "c", "shop", "new"),
  ];
  assertEquals(replay(state, records), {
    resourceVersion: "12",
    objects: [
      stored("a", undefined, "changed"),
      stored("b", "shop", "changed"),
      stored("c", "shop", "new"),
    ],
  });
  const reservation = { kind: "KubeloopLog", version: 1, reserved: "100" } as const;
  assertEquals(replay(state, [reservation]), { ...state, resourceVersion: "100" });
  assertEquals(replay(state, []), state);
});

Deno.test("SavedState leaves files with other names alone", async () => {
  await using disk = await Disk.create();
  const names = ["other.log-1", "state.log-", "state.log-01", "state.log-1x", "state.log1"];
  for (const name of names) await Deno.writeTextFile(`${disk.folder}/${name}`, "precious\n");
  for (let run = 0; run < 2; run++) {
    const saved = await SavedState.open(disk.path, options);
    await saved.keep(new WritingServer(5));
    await saved.close();
  }
  for (const name of names) {
    assertEquals(await Deno.readTextFile(`${disk.folder}/${name}`), "precious\n");
  }
});

/** Files in memory. */
class MemoryFiles implements FileOperations {
  readonly texts: string[] = [];
  readonly closed: number[] = [];
  /** The number of records that each call of `sync` found in its file. */
  readonly synced: number[] = [];
  /** The number of bytes of the file that was opened last. */
  size = 0;
  readonly truncate = () => {};
  readonly close = (file: number) => void this.closed.push(file);
  readonly open = () => {
    this.size = 0;
    return this.texts.push("") - 1;
  };
  readonly sync = (file: number) => void this.synced.push(this.texts[file]!.split("\n").length - 1);
  readonly write = (file: number, bytes: Uint8Array): number => {
    this.size += bytes.length;
    this.texts[file] += bytes.length < 1000 ? new TextDecoder().decode(bytes) : "large\n";
    return bytes.length;
  };
}

/** A server without objects, whose writes are as the test wants them. */
class WritingServer implements StatefulServer {
  readonly version: number;
  #journal: (write: ServerWrite) => void = () => {};

  constructor(version: number) {
    this.version = version;
  }

  state(): ServerState {
    return { resourceVersion: String(this.version), objects: [] };
  }

  beforeWrite(journal: (write: ServerWrite) => void): () => void {
    this.#journal = journal;
    return () => {};
  }

  write(version: number, text = "{}"): void {
    const names = { resource: "configmaps", namespace: "default", name: "a" };
    const resourceVersion = String(version);
    this.#journal({ type: "MODIFIED", ...names, resourceVersion, text } as unknown as ServerWrite);
  }
}

Deno.test("SavedState reserves 10000 versions when fewer than a tenth of that is left", async () => {
  await using disk = await Disk.create();
  const files = new MemoryFiles();
  const saved = await SavedState.open(disk.path, { ...options, files });
  const server = new WritingServer(5);
  await saved.keep(server);
  for (const version of [9_005, 9_006, 9_007, 18_007]) server.write(version);
  const reserved = files.texts[0]!.matchAll(/"reserved":"([0-9]+)"|"resourceVersion":"([0-9]+)"/g);
  assertEquals(Array.from(reserved, ([, one, other]) => one ? `up to ${one}` : other), [
    "up to 10005",
    "9005",
    "up to 19006",
    "9006",
    "9007",
    "up to 28007",
    "18007",
  ]);
  // Each reservation is on the disk before the write that follows it.
  assertEquals(files.synced, [1, 3, 6]);
  await saved.close();
  assertEquals(files.closed, [0]);
  assertThrows(() => server.write(18_008), Error, "state.log-1: the server stops");
});

Deno.test("SavedState replaces a log of more than 16 MiB by a snapshot, unless told otherwise", async () => {
  await using disk = await Disk.create();
  const files = new MemoryFiles();
  const saved = await SavedState.open(disk.path, { ...options, files });
  const server = new WritingServer(5);
  await saved.keep(server);
  const before = files.size;
  server.write(10);
  // A length of eight digits instead of two, and the text instead of {}.
  const small = files.size - before;
  const missing = 16 * 1024 * 1024 - files.size - (small - 2 + 6);
  server.write(11, "x".repeat(missing));
  assertEquals(files.size, 16 * 1024 * 1024);
  server.write(12);
  assertEquals(files.texts.length, 1);
  server.write(13);
  assertEquals(files.texts.length, 2);
  await saved.close();
  assertEquals(files.closed, [0, 1]);
});

Deno.test("SavedState starts where a crash of the start itself has left files", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  await cluster.configMap("a");
  const log = await Deno.readTextFile(`${disk.path}.log-1`);
  const reservation = `${log.split("\n")[0]}\n`;
  // The next file of the log exists, with or without its first record, and the snapshot does not know it yet.
  for (const text of ["", reservation.slice(0, 7), reservation]) {
    const path = disk.copy();
    await Deno.writeTextFile(`${path}.log-2`, text);
    assertEquals(objectsOf(await read(path)), objectsOf(cluster.server.state()));
  }
  // Nothing was saved yet.
  const path = `${disk.folder}/fresh`;
  await Deno.writeTextFile(`${path}.log-1`, reservation);
  await using fresh = await Server.start(path);
  await fresh.configMap("b");
  assertEquals((await fresh.get(Cluster.path("configmaps", "b"))).status, 200);
});

Deno.test("SavedState starts again when it was killed in a start after a crash that cut a record off", async () => {
  await using disk = await Disk.create();
  await using cluster = await Server.start(disk.path);
  await cluster.configMap("a");
  const expected = objectsOf(cluster.server.state());
  await cluster.configMap("cut-off");
  const crashed = disk.copy();
  const log = `${crashed}.log-1`;
  await Deno.truncate(log, (await Deno.stat(log)).size - 10);
  const saved = await SavedState.open(crashed, options);
  await using next = new Cluster({ state: saved.restored! });
  const kept = saved.keep(next.server);
  // The second file of the log exists now, and the snapshot does not follow the first yet.
  const killed = `${disk.folder}/killed`;
  copyNow(crashed, killed);
  await kept;
  await saved.close();
  assertEquals(objectsOf(await read(killed)), expected);
});
