import type { LazyCommand } from "./host.ts";

/** The subcommands, by name. */
export const COMMANDS: ReadonlyMap<string, LazyCommand> = new Map(Object.entries({
  get: {
    summary: "prints objects: as a table, JSON, YAML or names",
    load: async () => (await import("./get_command.ts")).GET,
  },
  watch: {
    summary: "prints objects, and then each of their changes",
    load: async () => (await import("./watch_command.ts")).WATCH,
  },
  logs: {
    summary: "prints logs, and follows those of many Pods, each line once",
    load: async () => (await import("./logs_command.ts")).LOGS,
  },
  apply: {
    summary: "applies all objects in files and folders",
    load: async () => (await import("./apply_command.ts")).APPLY,
  },
  wait: {
    summary: "waits until objects are rolled out, ready, complete or gone",
    load: async () => (await import("./wait_command.ts")).WAIT,
  },
  why: {
    summary: "says who wrote an object and what it waits for, and why a controller reconciled",
    load: async () => (await import("./why_command.ts")).WHY,
  },
  pause: {
    summary: "stops the controllers of objects from writing, until a time or until resume",
    load: async () => (await import("./control_commands.ts")).PAUSE,
  },
  resume: {
    summary: "ends the pause of objects",
    load: async () => (await import("./control_commands.ts")).RESUME,
  },
  reconcile: {
    summary: "has the controllers of objects reconcile them now",
    load: async () => (await import("./control_commands.ts")).RECONCILE,
  },
  snapshot: {
    summary: "prints all objects of a cluster, to rehearse the upgrade of an operator on them",
    load: async () => (await import("./snapshot_command.ts")).SNAPSHOT,
  },
  rehearse: {
    summary: "runs two versions of an operator on a snapshot, and prints what the upgrade will do",
    load: async () => (await import("./rehearse_command.ts")).REHEARSE,
  },
  types: {
    summary: "prints TypeScript interfaces and descriptors for CustomResourceDefinitions",
    load: async () => (await import("./types_command.ts")).TYPES,
  },
  completion: {
    summary: "prints the completion of these commands for bash, zsh or fish",
    load: async () => (await import("./completion_command.ts")).completionOf(COMMANDS),
  },
}));
