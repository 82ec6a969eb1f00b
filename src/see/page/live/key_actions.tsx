/** @jsxImportSource preact */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { ActionName, ExportForm } from "../../mod.ts";
import { visible } from "../kit/mod.ts";
import type { KeyName, PageSource } from "./page_source.ts";

const ACTIONS: Readonly<Record<ActionName, string>> = {
  reconcile: "Reconcile now",
  pause: "Pause",
  resume: "Resume",
};

const FORMS: Readonly<Record<ExportForm, readonly [words: string, ending: string, type: string]>> =
  {
    json: ["JSON", "json", "application/json"],
    markdown: ["Markdown", "md", "text/markdown"],
    workload: ["a workload of a simulation", "ts", "text/typescript"],
  };

/** The properties of {@linkcode KeyActions}. */
export interface KeyActionsProps {
  readonly name: KeyName;
  readonly source: PageSource;
  readonly actions: readonly ActionName[];
  /** Called after an action. */
  readonly done: () => void;
  /** Offers a text as a file. */
  readonly download: (name: string, text: string, type: string) => void;
}

/** The buttons of a key, and the line that confirms what was done. */
export function KeyActions({ actions, done, download, name, source }: KeyActionsProps): VNode {
  const [isBusy, setBusy] = useState(false);
  const [status, setStatus] = useState<{ text: string; isBad: boolean }>();
  const run = async (act: () => Promise<string>) => {
    setBusy(true);
    try {
      setStatus({ text: await act(), isBad: false });
    } catch (error) {
      setStatus({ text: error instanceof Error ? error.message : String(error), isBad: true });
    }
    setBusy(false);
    done();
  };
  const take = async (form: ExportForm) => {
    const [words, ending, type] = FORMS[form];
    const text = await source.export({ ...name, form });
    download(`${fileName(name)}.${ending}`, text, type);
    return `Exported the stories as ${words}.`;
  };
  return (
    <div class="actions">
      {actions.map((action) => (
        <button
          key={action}
          type="button"
          disabled={isBusy}
          onClick={() => run(() => source.act({ ...name, name: action }))}
        >
          {ACTIONS[action] ?? action}
        </button>
      ))}
      <span class="exports" role="group" aria-label="Export the stories">
        <span class="soft" aria-hidden="true">Export</span>
        {(Object.keys(FORMS) as ExportForm[]).map((form) => (
          <button
            key={form}
            type="button"
            class="quiet"
            aria-label={`Export as ${FORMS[form][0]}`}
            disabled={isBusy}
            onClick={() => run(() => take(form))}
          >
            {form === "workload" ? "workload" : FORMS[form][0]}
          </button>
        ))}
      </span>
      <p class={`action-status${status?.isBad ? " red-text" : ""}`} role="status">
        {status && visible(status.text)}
      </p>
    </div>
  );
}

/** Returns the name of a file for the stories of a key. */
function fileName({ controller, key }: KeyName): string {
  return `${controller}-${key}`.replaceAll(/[^\w.-]+/g, "-").slice(0, 120);
}
