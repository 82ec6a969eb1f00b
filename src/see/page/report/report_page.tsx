/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { CoverageView, ReportView } from "../../mod.ts";
import { plural, visible } from "../kit/mod.ts";
import { Finding } from "./finding.tsx";
import type { RunAgain } from "./plan_switches.tsx";

/** The properties of {@linkcode ReportPage}. */
export interface ReportPageProps {
  readonly report: ReportView;
  readonly page: Document;
  /** Runs a plan again; undefined if the page was opened from a file. */
  readonly runAgain?: RunAgain | undefined;
}

/** A report of a simulation: its findings one by one, and what was tried. */
export function ReportPage({ page, report, runAgain }: ReportPageProps): VNode {
  const { coverage, findings, notes, summary, title } = report;
  const [selected, select] = useState(0);
  useEffect(() => void (page.title = visible(title)), [title]);
  const finding = findings[selected];
  return (
    <>
      <header class="report-head">
        <h1>{visible(title)}</h1>
        <p class="soft">{visible(summary)}</p>
      </header>
      <main>
        {findings.length > 1 && (
          <nav aria-label="Findings">
            <ol class="findings">
              {findings.map(({ plans, wrong: [first] }, index) => (
                <li key={index}>
                  <button
                    type="button"
                    aria-pressed={index === selected}
                    onClick={() => select(index)}
                  >
                    <b>{visible(first?.oracle ?? "")}</b> {visible(first?.message ?? "")}{" "}
                    <span class="soft">{plural(plans, "plan")}</span>
                  </button>
                </li>
              ))}
            </ol>
          </nav>
        )}
        {finding === undefined
          ? <p class="empty">No plan ended wrong.</p>
          : <Finding key={selected} finding={finding} page={page} runAgain={runAgain} />}
        {coverage.length > 0 && <Coverage coverage={coverage} />}
        {notes.length > 0 && (
          <ul class="notes soft">{notes.map((note) => <li key={note}>{visible(note)}</li>)}</ul>
        )}
      </main>
    </>
  );
}

function Coverage({ coverage }: { coverage: readonly CoverageView[] }): VNode {
  return (
    <section>
      <h2>Faults that were tried</h2>
      <table class="table coverage">
        <thead>
          <tr>
            <th scope="col">Fault</th>
            <th scope="col" class="number">Alone</th>
            <th scope="col" class="number">of derived</th>
            <th scope="col" class="number">With others</th>
            <th scope="col" class="number">Without effect</th>
          </tr>
        </thead>
        <tbody>
          {coverage.map(({ alone, derived, fault, noEffect, plans }) => (
            <tr key={fault}>
              <th scope="row">{visible(fault)}</th>
              <td class="number">{alone}</td>
              <td class="number">{derived}</td>
              <td class="number">{plans - alone}</td>
              <td class="number">{noEffect}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
