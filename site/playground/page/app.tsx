/** @jsxImportSource preact */
/// <reference lib="dom" />
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Editor, type Remark } from "./editor.tsx";
import { linkOf, MAX_LINK } from "./link.ts";
import { Objects } from "./objects.tsx";
import { OutputLines } from "./output.tsx";
import type { PageData } from "./page_data.ts";
import { Reconciles } from "./reconciles.tsx";
import { SessionError } from "./session.ts";
import { SimulationView } from "./simulation.tsx";
import { type Tab, Tabs } from "./tabs.tsx";
import { useCluster } from "./use_cluster.ts";
import { useSimulation } from "./use_simulation.ts";
import { useSketch } from "./use_sketch.ts";

const NO_REMARKS: readonly Remark[] = [];

/** The playground: a program, its cluster, and its simulation. */
export function App({ examples, worker }: PageData): VNode {
  const [remarks, setRemarks] = useState(NO_REMARKS);
  const [notice, setNotice] = useState({ text: "", isProblem: false });
  const [tab, setTab] = useState("objects");
  const say = (text: string) => setNotice({ text, isProblem: false });
  const blame = (error: unknown) => {
    const { message } = error as Error;
    setNotice({ text: message, isProblem: true });
    const line = error instanceof SessionError ? error.line : undefined;
    if (line !== undefined) setRemarks([{ line, text: message, tone: "red" }]);
  };
  const clear = () => {
    say("");
    setRemarks(NO_REMARKS);
  };
  const cluster = useCluster(worker, blame);
  const simulation = useSimulation(worker);
  const { example, ...sketch } = useSketch(examples, (opened) => {
    clear();
    simulation.stop();
    if (opened === "link") say("This is the program of the link. It runs when you press Run.");
    else if (opened !== "example") blame(opened);
  });
  const { program, yaml } = sketch;

  const act = (what: () => Promise<unknown>) => async () => {
    clear();
    await what().catch(blame);
  };
  const run = act(async () => {
    if (tab === "simulation") setTab("objects");
    await cluster.run(program, yaml);
  });
  const simulate = act(async () => {
    setTab("simulation");
    // Below the editor on a narrow screen.
    document.getElementById("tab-list")?.scrollIntoView({ block: "nearest" });
    const result = await simulation.run(program);
    const message = result?.report.findings[0]?.wrong[0]?.message;
    setRemarks((result?.places ?? []).map(({ line, what }, at) => ({
      line,
      text: at === 0 ? `${what}: ${message}` : what,
      tone: at === 0 ? "red" : "amber",
    })));
  });
  const apply = act(async () => {
    say((await cluster.call({ do: "apply", yaml }) as readonly string[]).join(", "));
  });
  const share = act(async () => {
    const link = await linkOf({ program, yaml });
    if (link === undefined) {
      throw new RangeError(
        `The program is too long for a link of ${
          MAX_LINK / 1000
        } kB: shorten it, or send it as a file`,
      );
    }
    history.replaceState(null, "", link);
    await navigator.clipboard.writeText(location.href).then(
      () => say("The link is copied. It holds the program and the objects."),
      () => say("The link is in the address of this page: copy it from there."),
    );
  });
  const choose = (id: string) => {
    clear();
    simulation.stop();
    sketch.choose(examples.find((one) => one.id === id) ?? examples[0]!);
  };
  const repair = () => {
    clear();
    sketch.set({ program: example!.repaired });
    say("The program is repaired: simulate again. Ctrl+Z in the editor brings the bug back.");
  };

  const { state } = simulation;
  const isOfExample = state.is === "done" && state.program === example?.program;
  const failed = cluster.stories.filter(({ story }) => story.result === "error").length;
  const tabs: readonly Tab[] = [
    {
      id: "objects",
      title: "Objects",
      content: () => (
        <Objects
          cluster={cluster}
          onDelete={(object) => act(() => cluster.call({ do: "delete", object }))()}
        />
      ),
    },
    {
      id: "reconciles",
      title: "Reconciles",
      badge: cluster.stories.length || undefined,
      isAlarm: failed > 0,
      content: () => <Reconciles stories={cluster.stories} isRunning={cluster.is !== "off"} />,
    },
    {
      id: "simulation",
      title: "Simulation",
      badge: state.is === "done"
        ? state.result.report.findings.length > 0 ? "bug" : "✓"
        : undefined,
      isAlarm: state.is === "done" && state.result.report.findings.length > 0,
      content: () => (
        <SimulationView
          state={state}
          hint={isOfExample ? example?.hint : undefined}
          onRepair={isOfExample ? repair : undefined}
          onSimulate={simulate}
          check={simulation.check}
        />
      ),
    },
    {
      id: "output",
      title: "Output",
      badge: cluster.lines.length || undefined,
      isAlarm: cluster.lines.some(({ level }) => level === "error"),
      content: () => <OutputLines lines={cluster.lines} />,
    },
  ];
  return (
    <>
      <header class="bar">
        <h1>
          kubeloop <span class="soft">playground</span>
        </h1>
        <label>
          <span class="vh">Example</span>
          <select
            value={example?.id ?? ""}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {example === undefined && <option value="">The program of a link</option>}
            {examples.map(({ id, title }) => <option key={id} value={id}>{title}</option>)}
          </select>
        </label>
        {example !== undefined && (example.program !== program || example.yaml !== yaml) && (
          <button
            type="button"
            onClick={() => choose(example.id)}
          >
            Reset
          </button>
        )}
        <span class="grow" />
        <button type="button" onClick={share}>Copy link</button>
        {cluster.is === "off"
          ? <button type="button" title="Ctrl+Enter" onClick={run}>Run</button>
          : <button type="button" onClick={cluster.stop}>Stop</button>}
        {state.is === "running"
          ? <button type="button" onClick={simulation.stop}>Stop the simulation</button>
          : (
            <button type="button" class="primary" title="Ctrl+Shift+Enter" onClick={simulate}>
              Find a bug
            </button>
          )}
      </header>
      <main class="panes">
        <div class="column">
          <section class="pane program" aria-label="Program">
            <Editor
              text={program}
              remarks={remarks}
              onChange={(text) => sketch.set({ program: text })}
              onRun={run}
              onSimulate={simulate}
            />
          </section>
          <section class="pane yaml" aria-label="Objects to apply">
            <div class="pane-head">
              <label for="yaml">Objects that Run applies</label>
              <span class="grow" />
              <button type="button" onClick={apply} disabled={cluster.is !== "on"}>Apply</button>
            </div>
            <textarea
              id="yaml"
              spellcheck={false}
              value={yaml}
              onInput={({ currentTarget }) => sketch.set({ yaml: currentTarget.value })}
            />
          </section>
        </div>
        <div class="column">
          <p class={notice.isProblem ? "notice problem" : "notice"} role="status">{notice.text}</p>
          <Tabs label="Cluster" tabs={tabs} selected={tab} onSelect={setTab} />
        </div>
      </main>
    </>
  );
}
