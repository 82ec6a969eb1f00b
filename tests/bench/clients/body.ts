/**
 * The cost of the bytes alone: reads the bodies of lists and watches, and counts events. It knows the stub server's lists.
 *
 * @module
 */

import { StubControl } from "../inside/stub_control.ts";
import {
  type Handlers,
  type InformerClient,
  podsUrl,
  type RunningInformer,
  type Scope,
} from "./informer_client.ts";

const PROTOBUF = "application/vnd.kubernetes.protobuf";
const PAGE = 500;
const LINE_FEED = 10;

/** A client that gets protobuf if the stub server sends it, else JSON. */
export const body: InformerClient<undefined> = {
  start(scope: Scope, handlers: Handlers<undefined>): RunningInformer {
    let size = 0;
    const add = () => {
      size++;
      handlers.add(undefined);
    };
    void run(scope, add, () => handlers.update(undefined));
    return { size: () => size };
  },
  nameOf: () => "",
  podOf: () => ({ metadata: {} }),
};

async function run(scope: Scope, onAdd: () => void, onEvent: () => void): Promise<void> {
  const { pods, listVersion } = await new StubControl(scope.server).state();
  const url = podsUrl(scope);
  for (let from = 0; from < pods; from += PAGE) {
    const page = await get(`${url}?limit=${PAGE}&continue=${from}`);
    for await (const _ of page.body ?? []);
    for (let i = from; i < Math.min(pods, from + PAGE); i++) onAdd();
  }
  const watch = await get(`${url}?watch=true&resourceVersion=${listVersion}`);
  const isProtobuf = watch.headers.get("content-type")?.startsWith(PROTOBUF);
  const count = isProtobuf ? frameCounter(onEvent) : lineCounter(onEvent);
  for await (const chunk of watch.body ?? []) count(chunk);
}

function get(url: string): Promise<Response> {
  return fetch(url, { headers: { accept: `${PROTOBUF}, application/json` } });
}

function lineCounter(onEvent: () => void): (chunk: Uint8Array) => void {
  return (chunk) => {
    for (let at = -1; (at = chunk.indexOf(LINE_FEED, at + 1)) >= 0;) onEvent();
  };
}

function frameCounter(onEvent: () => void): (chunk: Uint8Array) => void {
  let length = 0;
  let digits = 0;
  let rest = 0;
  return (chunk) => {
    for (let at = 0; at < chunk.length;) {
      if (rest === 0) {
        length = length * 256 + (chunk[at++] ?? 0);
        if (++digits < 4) continue;
        [rest, length, digits] = [length, 0, 0];
      }
      const read = Math.min(rest, chunk.length - at);
      at += read;
      rest -= read;
      if (rest === 0) onEvent();
    }
  };
}
