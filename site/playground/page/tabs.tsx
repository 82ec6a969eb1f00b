/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { ComponentChildren, VNode } from "preact";
import { useErrorBoundary } from "preact/hooks";

/** A tab. */
export interface Tab {
  readonly id: string;
  readonly title: string;
  /** A number or a mark beside the title. */
  readonly badge?: ComponentChildren;
  /** Whether the badge is about a problem. */
  readonly isAlarm?: boolean;
  readonly content: () => ComponentChildren;
}

/** The properties of {@linkcode Tabs}. */
export interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly selected: string;
  readonly onSelect: (id: string) => void;
}

/** Keeps the page alive if a worker has sent what cannot be shown: a program can forge the answers of its worker. */
function Guard({ children }: { readonly children: ComponentChildren }): VNode {
  const [error, retry] = useErrorBoundary();
  if (error === undefined) return <>{children}</>;
  return (
    <p class="problem" role="alert">
      The program has sent something that cannot be shown.{" "}
      <button type="button" onClick={retry}>Try again</button>
    </p>
  );
}

/** Tabs with one panel. The arrow keys select a tab. */
export function Tabs({ label, onSelect, selected, tabs }: TabsProps): VNode {
  const at = Math.max(0, tabs.findIndex(({ id }) => id === selected));
  const move = (event: KeyboardEvent) => {
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const { id } = tabs[(to + tabs.length) % tabs.length]!;
    onSelect(id);
    document.getElementById(`tab-${id}`)?.focus();
  };
  return (
    <section class="pane tabs" aria-label={label}>
      <div id="tab-list" class="tab-list" role="tablist" aria-label={label} onKeyDown={move}>
        {tabs.map(({ badge, id, isAlarm, title }, index) => (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            aria-selected={index === at}
            aria-controls="tab-panel"
            tabIndex={index === at ? 0 : -1}
            onClick={() => onSelect(id)}
          >
            {title}
            {badge !== undefined && (
              <span class={isAlarm === true ? "badge red" : "badge"}>{badge}</span>
            )}
          </button>
        ))}
      </div>
      <div
        id="tab-panel"
        class="tab-panel"
        role="tabpanel"
        aria-labelledby={`tab-${tabs[at]!.id}`}
        tabIndex={0}
      >
        <h2 class="vh">{tabs[at]!.title}</h2>
        <Guard key={tabs[at]!.id}>{tabs[at]!.content()}</Guard>
      </div>
    </section>
  );
}
