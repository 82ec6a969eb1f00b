import { visibleText } from "../../base/mod.ts";
import { storiesText } from "../../operator/stories/mod.ts";
import { ago, type Paint } from "../terminal/mod.ts";
import type { Report, SaidEvent, Writer } from "./report.ts";

/** The most fields of one writer that are named, unless a field is asked for. */
const MAX_FIELDS = 12;

/** The longest line, in characters. */
const MAX_LINE = 2000;

/** Returns a report as text for people. */
export function reportText(report: Report, nowMs: number, paint: Paint): string {
  const {
    created,
    events,
    field,
    generation,
    object,
    owners,
    shared,
    stories,
    value,
    waits,
    writers,
  } = report;
  const facts = [
    created === undefined ? undefined : `created ${ago(created, nowMs)}`,
    generation === undefined ? undefined : `generation ${generation}`,
  ].filter((fact) => fact !== undefined);
  const head = paint.bold(line(object)) + (facts.length === 0 ? "" : `, ${facts.join(", ")}`);
  const owned = owners.map(({ name, isController }) =>
    `${name}${isController ? "" : " (no controller)"}`
  );
  const parts = [
    [head],
    field === undefined
      ? []
      : [`${line(field)} = ${line(value === undefined ? "(not set)" : JSON.stringify(value))}`],
    section("Owned by", owned.length === 0 ? [] : [owned.join(", of ")], paint),
    section("Not as it should be", waits, paint),
    section("Written by", writers.map((writer) => writerText(writer, nowMs)), paint),
    section("Written by several, who may fight", limited(shared), paint),
    section("Events", events.map((event) => eventText(event, nowMs, paint)), paint),
  ];
  const text = parts.flat().map((one) => `${one}\n`).join("");
  if (stories.length === 0) return text;
  return `${text}${paint.bold("Reconciles")}\n${indent(storiesText(stories))}`;
}

function section(title: string, lines: readonly string[], paint: Paint): string[] {
  if (lines.length === 0) return [];
  return [paint.bold(title), ...lines.map((one) => `  ${one}`)];
}

function writerText(
  { fields, manager, operation, subresource, time }: Writer,
  nowMs: number,
): string {
  const who = subresource === undefined ? manager : `${manager} (${subresource})`;
  const when = ago(time, nowMs);
  return line(
    `${when === "" ? "" : `${when}, `}${who}, ${operation}: ${
      fields.length === 0 ? "no fields" : limited(grouped(fields)).join(", ")
    }`,
  );
}

/** Returns fields with those of the same parent written as one: `spec.template.{a,b}`. */
function grouped(fields: readonly string[]): string[] {
  const byParent = new Map<string, string[]>();
  for (const path of fields) {
    const at = path.lastIndexOf(".");
    const [parent, last] = at < 0 ? ["", path] : [path.slice(0, at), path.slice(at + 1)];
    byParent.set(parent, [...byParent.get(parent) ?? [], last]);
  }
  return [...byParent].map(([parent, names]) =>
    (parent === "" ? "" : `${parent}.`) + (names.length === 1 ? names[0] : `{${names.join(",")}}`)
  );
}

function limited(lines: readonly string[]): string[] {
  if (lines.length <= MAX_FIELDS) return lines.map(line);
  return [...lines.slice(0, MAX_FIELDS).map(line), `and ${lines.length - MAX_FIELDS} more`];
}

function eventText(event: SaidEvent, nowMs: number, paint: Paint): string {
  const { by, count, message, reason, time, type } = event;
  const when = ago(time, nowMs);
  const often = count > 1 ? `, ${count} times` : "";
  const who = by === "" ? "" : ` (${line(by)})`;
  return `${when === "" ? "" : `${when}, `}${paint.status(line(type))} ${
    line(reason)
  }${often}${who}: ${line(message)}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

function line(text: string): string {
  return visibleText(text, MAX_LINE);
}
