import { StoryBook } from "@kubeloop/controller/operator";
import { VirtualClock } from "@kubeloop/testing";
import type {
  ExportForm,
  ObservedController,
  ObservedManager,
  ObservedWatch,
} from "../../src/see/mod.ts";

export const exportForms: readonly ExportForm[] = ["json", "markdown", "workload"];

/** Returns an observed controller without work. */
export function controllerOf(parts: Partial<ObservedController> = {}): ObservedController {
  return {
    name: "widget",
    resource: {
      group: "acme.io",
      version: "v1",
      kind: "Widget",
      plural: "widgets",
      namespaced: true,
    },
    load: () => ({
      queued: 0,
      delayed: 0,
      failing: 0,
      busy: 0,
      workers: 1,
      reconciles: 0,
      errors: 0,
      isRunning: true,
    }),
    troubles: () => [],
    isQueued: () => false,
    hasObject: () => true,
    pauseOf: () => undefined,
    dueMs: () => undefined,
    keys: () => [],
    versions: () => undefined,
    act: () => Promise.resolve(),
    ...parts,
  };
}

/** Returns an observed watch that watches. */
export function watchOf(parts: Partial<ObservedWatch> = {}): ObservedWatch {
  return {
    name: "widgets.acme.io",
    controllers: ["widget"],
    objects: 0,
    queued: 0,
    phase: "watching",
    lists: 1,
    streamingLists: 0,
    watches: 1,
    events: 0,
    lastError: undefined,
    lastErrorTimeMs: undefined,
    ...parts,
  };
}

/** Returns an observed manager. */
export function managerOf(
  { clock = new VirtualClock(), stories, controllers = [{}], watches = () => [], ...parts }:
    & Omit<Partial<ObservedManager>, "controllers">
    & { readonly controllers?: readonly Partial<ObservedController>[] } = {},
): ObservedManager {
  const observed = controllers.map(controllerOf);
  return {
    name: "operator",
    server: "10.0.0.1:6443",
    clock,
    redact: (text) => text,
    stories: stories ?? new StoryBook({ clock }),
    takesActions: true,
    phase: () => "leading",
    watches,
    controllers: () => observed,
    absentKinds: () => [],
    watched: () => {},
    ...parts,
  };
}
