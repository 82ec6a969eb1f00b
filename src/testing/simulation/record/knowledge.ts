import { readFrames } from "../../api_server/mod.ts";
import { parseJson } from "@kubeloop/controller/internal/base";
import type { KubeObject } from "@kubeloop/controller/types";
import type { History, Moment } from "./history.ts";

/** A version of an object that a process has been given. */
export interface Known {
  readonly type: string;
  readonly object: KubeObject;
}

/** Returns the last version of an object that a process has been given in its current life. */
export function lastKnown(
  { moments }: History,
  process: string,
  resource: string,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): Known | undefined {
  for (let i = moments.length - 1; i >= 0; i--) {
    const moment = moments[i]!;
    if (moment.kind === "process" && moment.process === process && /^starts/.test(moment.text)) {
      return undefined;
    }
    if (moment.kind !== "seen" && moment.kind !== "read") continue;
    if (moment.process !== process || moment.resource !== resource) continue;
    const found = givenObjects(moment).findLast(({ object: { metadata } }) =>
      metadata.name === name && (metadata.namespace ?? "") === namespace
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

const decoder = new TextDecoder();

/** The first byte of a line of JSON. A frame of protobuf begins with its length. */
const BRACE = 0x7b;

/** Returns the events in a chunk of a watch. A chunk can be cut. */
function events(bytes: Uint8Array): Known[] {
  if (bytes[0] !== BRACE) {
    try {
      return readFrames(bytes) as unknown as Known[];
    } catch {
      return [];
    }
  }
  return decoder.decode(bytes).split("\n").flatMap((line) => {
    if (line === "") return [];
    try {
      const { type, object } = parseJson(line) as Known;
      return [{ type, object }];
    } catch {
      return [];
    }
  });
}

/** Returns the objects that a process was given at a moment. */
export function givenObjects(moment: Moment): Known[] {
  if (moment.kind === "seen") {
    return events(moment.bytes).filter(({ object }) => object?.metadata?.name !== undefined);
  }
  if (moment.kind !== "read" || moment.status !== 200) return [];
  try {
    const answer = parseJson(moment.text) as KubeObject & { readonly items?: KubeObject[] };
    const objects: KubeObject[] = Array.isArray(answer.items) ? answer.items : [answer];
    return objects.map((object) => ({ type: "READ", object }));
  } catch {
    return [];
  }
}
