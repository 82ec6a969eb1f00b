import { showJson, visibleText } from "@kubeloop/controller/internal/base";
import { storiesText } from "@kubeloop/controller/operator";
import { groupedPaths, managerName } from "@kubeloop/controller/internal/fields";
import { ago, type Paint } from "../terminal/mod.ts";
import type { Report, SaidEvent, Writer } from "./report.ts";

/** The maximum number of fields of one writer that are shown. */
const MAX_FIELDS = 12;

/** The maximum number of conditions that an object waits for. */
const MAX_WAITS = 100;

/** The maximum number of field managers that are shown. */
const MAX_WRITERS = 100;

/** The maximum length of a line, in characters. */
const MAX_LINE = 2000;

/** Returns a report as text. */
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
  const age = ago(created, nowMs);
  const facts = [
    age === "" ? undefined : `created ${age}`,
    generation === undefined ? undefined : `generation ${generation}`,
  ].filter((fact) => fact !== undefined);
  const head = paint.bold(line(object)) +
    (facts.length === 0 ? "" : line(`, ${facts.join(", ")}`));
  const owned = owners.map(({ name, isController }) =>
    line(`${name}${isController ? "" : " (no controller)"}`)
  );
  const parts = [
    [head],
    field === undefined
      ? []
      : [`${line(field)} = ${line(value === undefined ? "(not set)" : showJson(value))}`],
    section("Owned by", owned.length === 0 ? [] : [owned.join(", of ")], paint),
    section("Not as it should be", limited(waits, MAX_WAITS), paint),
    section(
      "Written by",
      limited(writers.map((writer) => writerText(writer, nowMs)), MAX_WRITERS),
      paint,
    ),
    section("Written by several, who may fight", limited(shared, MAX_FIELDS), paint),
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

function writerText(writer: Writer, nowMs: number): string {
  const { fields, operation, time } = writer;
  const when = ago(time, nowMs);
  return `${when === "" ? "" : `${when}, `}${managerName(writer)}, ${operation}: ${
    fields.length === 0 ? "no fields" : limited(groupedPaths(fields), MAX_FIELDS).join(", ")
  }`;
}

function limited(lines: readonly string[], max: number): string[] {
  if (lines.length <= max) return lines.map(line);
  return [...lines.slice(0, max).map(line), `and ${lines.length - max} more`];
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
