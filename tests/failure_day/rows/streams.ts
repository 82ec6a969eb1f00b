import { assert, assertEquals } from "@std/assert";
import { type FollowedLine, followLogs } from "../../../src/logs/mod.ts";
import { type ConfigMap, ConfigMaps, Pods, type WatchEvent } from "../../../src/types/mod.ts";
import { type Day, namespace } from "../day.ts";
import { refusal } from "../refusal.ts";
import type { Row } from "../row.ts";
import * as maps from "./_config_maps.ts";
import { echo, object, prepare, textOf, writeTo } from "./_pods.ts";
import { because, NO_FUNCTION, NO_WRITE } from "./_reasons.ts";

const POD = `${namespace}/a`;

const not = { ...NO_FUNCTION, ...NO_WRITE };

/** An idle stream is silent, and only its user knows how long that may last. */
const MAY_BE_SILENT = because("a stream that is followed may be silent for as long as it likes", [
  "half",
]);

/** The log is lost with the Pod. */
const BY_NAME = because("reads the log of the Pod that has the name", ["recreated"]);

/** Lets the container write two lines, and then end. */
function log(day: Day, endMs = 0): void {
  const { server, time } = day;
  day.part("log", () => {
    server.logs.write(POD, { text: "one\n" });
    const end = () => {
      if (server.get(Pods, "a", namespace) === undefined) return;
      server.logs.write(POD, { text: "two\n" });
      server.logs.end(POD);
    };
    if (endMs === 0) end();
    else time.setTimer(end, endMs);
    return true;
  });
}

const streams = {
  prepare,
  programs: [echo],
  object,
  not,
} satisfies Partial<Row>;

/** Watches, logs, and the streams of containers. */
export const streamsOfPods: readonly Row[] = [
  {
    name: "Client.watch()",
    covers: [
      "Client.watch",
      "WatchStream.batches",
      "WatchStream.close",
      "WatchStream[Symbol.asyncIterator]",
      "WatchStream[Symbol.asyncDispose]",
    ],
    prepare: maps.prepare,
    start: async ({ client, signal }) => {
      const seen: string[] = [];
      const note = ({ object }: WatchEvent<ConfigMap>) =>
        void seen.push(object.metadata?.name ?? "");
      const options = { namespace, signal };
      await using one = await client.watch(ConfigMaps, options);
      for await (const event of one) {
        note(event);
        if (seen.length === 3) break;
      }
      await one.close();
      await using many = await client.watch(ConfigMaps, options);
      for await (const events of many.batches()) {
        for (const event of events) note(event);
        if (seen.length >= 6) break;
      }
      return seen;
    },
    normal: (_day, seen) => assertEquals((seen as string[]).slice(0, 3), ["a", "b", "c"]),
    object: maps.object,
    not: { ...not, ...MAY_BE_SILENT },
  },
  {
    ...streams,
    name: "Client.logs()",
    covers: ["Client.logs", "LogStream.next", "LogStream.return", "LogStream[Symbol.asyncDispose]"],
    start: async (day) => {
      log(day);
      const { client, signal } = day;
      const lines: string[] = [];
      for await (const line of client.logs("a", { namespace, signal })) lines.push(line);
      return lines;
    },
    // The beginning of the text, if the server has ended the answer too early: only its reader can see that.
    normal: (_day, lines) => assert("one\ntwo".startsWith((lines as string[]).join("\n"))),
    not: { ...not, ...BY_NAME },
  },
  {
    ...streams,
    name: "Client.logs() with follow",
    covers: ["LogStream.open", "LogStream.nextLine", "LogStream.close"],
    start: async (day) => {
      log(day, 2_000);
      const { client, signal } = day;
      const lines: (string | undefined)[] = [];
      await using stream = client.logs("a", { namespace, signal, follow: true });
      await stream.open();
      for (let line; (line = await stream.nextLine()) !== undefined;) lines.push(line.text);
      await stream.close();
      return lines;
    },
    normal: (_day, lines) => assertEquals((lines as string[])[0], "one"),
    not: { ...not, ...MAY_BE_SILENT, ...BY_NAME },
  },
  {
    ...streams,
    name: "followLogs()",
    covers: [
      "followLogs",
      "FollowedLogs.next",
      "FollowedLogs.return",
      "FollowedLogs.close",
      "FollowedLogs[Symbol.asyncDispose]",
      "FollowLogsOptions.onError",
    ],
    start: async (day) => {
      log(day, 2_000);
      const { client, signal } = day;
      const lines = day.part("lines", () => new Set<string>());
      await using logs = followLogs(client, {
        namespace,
        labelSelector: "app=a",
        signal,
        onError: day.user("onError", () => {}),
      });
      for await (const { line } of logs as AsyncIterable<FollowedLine>) lines.add(line);
    },
    isDone: (day) => day.part("lines", () => new Set<string>()).has("two"),
    limitMs: 700_000,
    provoke: ({ wire }) => {
      let failures = 0;
      wire.script = ({ what }) =>
        what.endsWith("/log") && failures++ === 0
          ? refusal(500, { reason: "InternalError", message: "no disk" })
          : undefined;
    },
    not: {
      ...NO_WRITE,
      ...because("nothing runs the Pod that is created again, so that it has no log", [
        "recreated",
      ]),
    },
  },
  {
    ...streams,
    name: "Client.exec()",
    covers: ["Client.exec"],
    start: ({ client, signal }) => client.exec("a", ["cat"], { namespace, signal, stdin: "hello" }),
    normal: (_day, result) =>
      assertEquals(result, { exitCode: 3, stdout: "hello", stderr: "done" }),
  },
  {
    ...streams,
    name: "Client.openExec()",
    covers: ["Client.openExec", "ContainerStreams.close", "ContainerStreams.resize"],
    start: async ({ client, signal }) => {
      await using streams = await client.openExec("a", ["size"], {
        namespace,
        signal,
        stdin: true,
        tty: true,
      });
      streams.exited.catch(() => {});
      await streams.resize({ columns: 80, rows: 24 });
      await writeTo(streams.stdin, "hello");
      const text = await textOf(streams.stdout);
      const exitCode = await streams.exited;
      await streams.close();
      return { exitCode, text };
    },
    normal: (_day, result) => assertEquals(result, { exitCode: 3, text: "80x24hello" }),
  },
  {
    ...streams,
    name: "Client.attach()",
    covers: ["Client.attach", "PodProgram.attach"],
    start: ({ client, signal }) => client.attach("a", { namespace, signal, stdin: "hello" }),
    normal: (_day, result) => assertEquals(result, { stdout: "hello", stderr: "" }),
  },
  {
    ...streams,
    name: "Client.openAttach()",
    covers: ["Client.openAttach"],
    start: async ({ client, signal }) => {
      await using streams = await client.openAttach("a", { namespace, signal, stdin: true });
      streams.exited.catch(() => {});
      await writeTo(streams.stdin, "hello");
      return await textOf(streams.stdout);
    },
    normal: (_day, text) => assertEquals(text, "hello"),
  },
  {
    ...streams,
    name: "Client.openPort()",
    covers: ["Client.openPort", "PortConnection.close", "PodProgram.ports", "PortStream.write"],
    start: async ({ client, signal }) => {
      await using connection = await client.openPort("a", 80, { namespace, signal });
      const writer = connection.writable.getWriter();
      await writer.write(new TextEncoder().encode("hello"));
      const text = await textOf(connection.readable);
      await connection.close();
      return text;
    },
    normal: (_day, text) => assertEquals(text, "hello"),
  },
];
