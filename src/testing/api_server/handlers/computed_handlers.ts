import type { KubeObject } from "@kubeloop/controller/types";
import { readListQuery } from "../http/mod.ts";
import { StoredObject } from "../storage/mod.ts";
import { notFound, verbNotSupported } from "../../values/mod.ts";
import type { Answer, ResourceExchange } from "./exchange.ts";
import { selectorOf } from "./read_handlers.ts";
import { listAnswer } from "./views.ts";

/** Answers a GET of objects that are not stored, but found out now. Limits and resource versions mean nothing to them. */
export function handleComputed(exchange: ResourceExchange): Promise<Answer> {
  try {
    return Promise.resolve(answer(exchange));
  } catch (error) {
    return Promise.reject(error);
  }
}

function answer(exchange: ResourceExchange): Answer {
  const { info, query, resource } = exchange;
  const { list, errorName: plural } = resource.record.computed!;
  const objects = list().map((object) => {
    const made = object as unknown as KubeObject;
    return new StoredObject(made, 0, resource.encodeStored(made));
  });
  if (info.name !== "") {
    const found = objects.find(({ name }) => name === info.name);
    if (found === undefined) throw notFound({ group: resource.group, plural }, info.name);
    return { type: "object", code: 200, text: found.text };
  }
  if (info.verb === "watch") throw verbNotSupported(resource.definition, "watch");
  const matches = selectorOf(exchange, readListQuery(query, false)) ?? (() => true);
  return listAnswer(exchange, objects.filter(matches), {});
}
