import type { RunRecord } from "../judge/mod.ts";
import { type Act, Chronicle } from "./chronicle.ts";
import { setterOf } from "./setter.ts";

/**
 * Names the bug that a run shows: the first broken rule, the object, the field, and who has written what. Plans that show the
 * same bug have the same name. Numbers and generated parts of names do not count.
 */
export function bugOf(record: RunRecord): string {
  const [first] = record.wrong.toSorted((a, b) => a.atMs - b.atMs);
  if (first === undefined) return "";
  const { field = "", message, object, oracle } = first;
  const parts = [oracle, object ?? message, field, causeIn(record, first)];
  return parts.map(withoutNumbers).join(" | ");
}

function causeIn(record: RunRecord, { atMs, field, object, oracle }: RunRecord["wrong"][number]) {
  switch (oracle) {
    case "liveness":
    case "process":
    case "workload":
      return "";
    case "end state": {
      if (object === undefined) return "";
      const setter = setterOf(new Chronicle(record), object, field ?? "");
      return setter === undefined ? "" : `${setter.write.type} by ${setter.by}`;
    }
    default:
      return nameOf(new Chronicle(record).acts.findLast((act) => act.atMs <= atMs));
  }
}

function nameOf(act: Act | undefined): string {
  if (act === undefined) return "";
  const { id, process, write } = act;
  if (write === undefined) return id;
  return `${process} ${write.verb} ${write.resource}/${write.subresource}`;
}

function withoutNumbers(text: string): string {
  return text.replaceAll(/\d+/g, "0");
}
