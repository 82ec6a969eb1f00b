import { abortable } from "@kubeloop/controller/internal/base";
import type { ByteSocket } from "@kubeloop/controller/websocket";
import { MessageQueue, Room } from "./message_queue.ts";
import { MESSAGE_BYTES, type ServedPod, servePort, withSocket } from "./serve_streams.ts";
import { type SpdyFrame, SpdyReader, SpdyWriter } from "./spdy_frames.ts";

/** The maximum number of streams that are open. */
const MAX_STREAMS = 1000;

/** The bytes of all streams that wait for programs before the connection is not read any more. */
const BUFFER_BYTES = 4 * 1024 * 1024;

/** The time, in milliseconds, in which a program must read if the connection waits for it. */
const STALL_MS = 30_000;

const encoder = new TextEncoder();

/**
 * Serves connections to ports of a Pod over SPDY in a WebSocket, as kubectl opens them: two streams for each, which have a
 * number in common.
 *
 * SPDY of kubectl has no windows, so a program that does not read cannot slow down its own stream alone. Its data wait,
 * and the other streams flow, until 4 MiB wait in all. From then on the connection is not read, so that the client slows
 * down; if no program reads for 30 seconds, the stream with the most data is reset.
 */
export async function serveTunnel(
  socket: ByteSocket,
  protocol: string,
  served: ServedPod,
): Promise<void> {
  const { constants, inflateSync } = await import("node:zlib");
  const { pod, programs } = served;
  await withSocket(socket, protocol, served, async (messages, signal) => {
    const reader = new SpdyReader((bytes, { dictionary, maxBytes }) =>
      inflateSync(bytes, {
        dictionary,
        maxOutputLength: maxBytes,
        // The next headers continue the compressed stream.
        finishFlush: constants.Z_SYNC_FLUSH,
      })
    );
    const writer = new SpdyWriter();
    const streams = new Map<number, MessageQueue<Uint8Array>>();
    const room = new Room(BUFFER_BYTES);
    /** The streams for errors by the numbers of their connections. */
    const errorStreams = new Map<string, number>();
    const running = new Set<Promise<void>>();
    const send = async (stream: number, data: string | Uint8Array, isLast = false) => {
      const bytes = typeof data === "string" ? encoder.encode(data) : data;
      for (let at = 0; at === 0 || at < bytes.length; at += MESSAGE_BYTES) {
        const part = bytes.subarray(at, at + MESSAGE_BYTES);
        const options = { isLast: isLast && at + MESSAGE_BYTES >= bytes.length };
        await messages.send(writer.data(stream, part, options));
      }
    };
    const connect = async (stream: number, port: number, errors: number | undefined) => {
      const incoming = streams.get(stream)!;
      const write = async (data: string | Uint8Array) => {
        if (data.length > 0) await send(stream, data);
      };
      const failure = await servePort({ incoming, write, signal, pod, port }, programs);
      incoming.drop();
      streams.delete(stream);
      if (signal.aborted) return;
      if (errors !== undefined) await send(errors, failure ?? "", true);
      await send(stream, "", true);
    };
    const open = async ({ headers, stream }: SpdyFrame & { readonly type: "open" }) => {
      const port = Number(headers.get("port"));
      const request = headers.get("requestid") ?? "";
      const isError = headers.get("streamtype") === "error";
      const isFull = streams.size + errorStreams.size >= MAX_STREAMS;
      const isPort = port > 0 && port <= 65_535;
      if (isFull || !isPort || request === "" || streams.has(stream)) {
        return await messages.send(writer.reset(stream));
      }
      await messages.send(writer.reply(stream));
      if (isError) return void errorStreams.set(request, stream);
      streams.set(stream, new MessageQueue(room));
      const errors = errorStreams.get(request);
      errorStreams.delete(request);
      const serving: Promise<void> = connect(stream, port, errors).catch((error) => {
        if (!signal.aborted) served.logger.error("A program of a Pod failed", error);
      }).finally(() => running.delete(serving));
      running.add(serving);
    };
    const resetFullest = () => {
      // The last frame is in one of the streams, so there is room again without the fullest of them.
      const [stream, incoming] = [...streams].reduce((a, b) => b[1].bytes > a[1].bytes ? b : a);
      incoming.drop();
      messages.send(writer.reset(stream)).catch(() => {}); // The client has left.
    };
    const receive = async (incoming: MessageQueue<Uint8Array>, bytes: Uint8Array) => {
      const pushed = incoming.push(bytes);
      const timer = room.isFull ? served.clock.setTimer(resetFullest, STALL_MS) : undefined;
      await pushed;
      timer?.cancel();
    };
    const drop = () => streams.forEach((incoming) => incoming.drop());
    signal.addEventListener("abort", drop, { once: true });
    try {
      while (true) {
        const message = await abortable(messages.receive(), signal);
        if (message === undefined) break;
        for (const frame of reader.read(message)) {
          const incoming = frame.type === "ping" ? undefined : streams.get(frame.stream);
          if (frame.type === "ping") await messages.send(writer.ping(frame.id));
          else if (frame.type === "open") await open(frame);
          else if (frame.type === "reset") incoming?.drop();
          else {
            if (incoming !== undefined && frame.bytes.length > 0) {
              await receive(incoming, frame.bytes);
            }
            if (frame.isLast) incoming?.end();
          }
        }
      }
    } finally {
      drop();
      await Promise.all(running);
    }
  });
}
