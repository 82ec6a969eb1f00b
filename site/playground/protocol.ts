/**
 * The messages between the page and a worker, as JSON: a text cannot have the values that only a program can make, and that
 * could pass for an element of the page. A worker may run the program of a stranger, so the page checks the size of its
 * answers, and stops a worker that floods it.
 *
 * @module
 */

import type { Story } from "@kubeloop/controller/operator";
import type { PlanView, ReportView, RunAgainView } from "../../src/see/mod.ts";

/** A request of the page. */
export type Request =
  | { readonly do: "run"; readonly program: string }
  | { readonly do: "simulate"; readonly program: string }
  | { readonly do: "check"; readonly plan: PlanView }
  | { readonly do: "progress" }
  | { readonly do: "view"; readonly query: ViewQuery }
  | { readonly do: "apply"; readonly yaml: string }
  | { readonly do: "delete"; readonly object: ObjectName };

/** A request with the number that its answer repeats. */
export interface Numbered {
  readonly id: number;
  readonly request: Request;
}

/** An answer. */
export type Answer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: ProgramProblem };

/** An error of the program, or of a request. */
export interface ProgramProblem {
  readonly message: string;
  /** The line of the program, from 1, if the error has one. */
  readonly line?: number | undefined;
}

/** An object of the cluster. */
export interface ObjectName {
  /** The full name of the resource, as in `deployments.apps`. */
  readonly resource: string;
  readonly apiVersion: string;
  readonly namespace: string;
  readonly name: string;
}

/** The part of a cluster to show. */
export interface ViewQuery {
  /** The full names of the resources whose tables are shown; the overview if there are none. */
  readonly resources: readonly string[];
  /** The object whose versions are shown. */
  readonly object?: ObjectName | undefined;
  /** The numbers of the last line and of the last story that the page has. */
  readonly afterLine: number;
  readonly afterStory: number;
}

/** A kind with objects. */
export interface KindRow {
  readonly resource: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly count: number;
  /** Whether all objects are of the new cluster itself. */
  readonly isInitial: boolean;
}

/** A table of objects, as `kubectl get` prints it. */
export interface TableView {
  readonly resource: string;
  readonly columns: readonly string[];
  readonly rows: readonly {
    readonly namespace: string;
    readonly name: string;
    readonly cells: readonly string[];
  }[];
  /** The number of rows that were left out. */
  readonly more: number;
}

/** One version of an object. */
export interface ObjectVersion {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly resourceVersion: string;
  /** The User-Agent of the writer; absent for the server itself. */
  readonly writer?: string | undefined;
  /** The object, without `managedFields`. */
  readonly object: unknown;
}

/** A line of the output. */
export interface OutputLine {
  readonly number: number;
  readonly level: "debug" | "info" | "warn" | "error";
  readonly text: string;
}

/** A finished reconcile with its number. */
export interface NumberedStory {
  readonly number: number;
  readonly story: Story;
}

/** The state of a cluster that the page shows. */
export interface ClusterView {
  readonly phase: "starting" | "running" | "ended" | "failed";
  readonly problem?: ProgramProblem | undefined;
  readonly kinds: readonly KindRow[];
  readonly tables: readonly TableView[];
  readonly versions?: readonly ObjectVersion[] | undefined;
  readonly lines: readonly OutputLine[];
  readonly stories: readonly NumberedStory[];
}

/** The progress of a simulation. */
export interface SimulationProgress {
  readonly plans: number;
  readonly findings: number;
}

/** A line of the program that a finding blames. */
export interface BlamedPlace {
  /** The line, from 1. */
  readonly line: number;
  readonly what: string;
}

/** The result of a simulation. */
export interface SimulationResult {
  /** The findings, with lines of the editor in place of files. */
  readonly report: ReportView;
  readonly plans: number;
  readonly tookMs: number;
  /** The places in the program that the first finding blames, the wrong one first. */
  readonly places: readonly BlamedPlace[];
}

/** The result of a plan that was run again with fewer faults. */
export type CheckResult = RunAgainView;

/** The maximum size of a program or of objects, in characters. */
export const MAX_TEXT = 64 * 1024;

/** The maximum number of lines and stories of one answer, and the maximum length of a line. */
export const MAX_LINES = 300;
export const MAX_LINE_LENGTH = 2_000;
export const MAX_STORIES = 200;
export const MAX_ROWS = 500;
