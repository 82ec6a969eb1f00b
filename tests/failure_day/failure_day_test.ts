/**
 * A failure day: every part of the library that opens, waits, writes or calls back, with everything that can go wrong. See
 * `README.md`.
 */

import { assertEquals } from "@std/assert";
import { columns } from "./columns/mod.ts";
import { live, type Outcome } from "./live.ts";
import { wrongIn } from "./judge.ts";
import type { Row } from "./row.ts";
import { rows } from "./rows/mod.ts";
import { isInShare } from "../support/seeded_runs.ts";

const normalDays = new Map<Row, Promise<Outcome>>();

function normalDay(row: Row): Promise<Outcome> {
  let day = normalDays.get(row);
  if (day === undefined) normalDays.set(row, day = live(row));
  return day;
}

for (const [index, row] of rows.entries()) {
  Deno.test(`${row.name}: a normal day`, async () => {
    assertEquals(wrongIn(await normalDay(row), row, { maxLines: 0 }), []);
  });
  for (const [position, column] of columns.entries()) {
    // The runtimes share the table; the nightly run tries all of it on each.
    if (!isInShare(index + position)) continue;
    if (row.not?.[column.name] !== undefined) continue;
    Deno.test(`${row.name}: ${column.trouble}`, async () => {
      assertEquals(await column.try(row, await normalDay(row)), []);
    });
  }
}

Deno.test("the columns that do not apply to rows have reasons", () => {
  const lines = rows.flatMap(({ name, not = {} }) => {
    const byReason = Map.groupBy(Object.entries(not), ([, reason]) => reason);
    return [...byReason].map(([reason, columns]) =>
      `${name}: not ${columns.map(([column]) => column).join(", ")}: ${reason}`
    );
  });
  console.log(lines.join("\n"));
});
