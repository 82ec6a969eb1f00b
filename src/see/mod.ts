/**
 * A page that shows a controller at work: what the watches, the caches, the queues and the workers do, the story of each key,
 * and what needs attention. A process serves it on loopback.
 *
 * @module
 */

export type {
  ActionName,
  Attention,
  AttentionKind,
  ControllerView,
  ExportForm,
  KeyQuery,
  KeyView,
  Problem,
  SeeSource,
  SeeState,
  WatchView,
} from "./model.ts";
export { PALETTE } from "./palette/mod.ts";
export { ManagerSource } from "./manager_source.ts";
export type {
  ObservedController,
  ObservedLoad,
  ObservedManager,
  ObservedWatch,
} from "./observed_manager.ts";
export { SeeHandler, type SeeHandlerOptions } from "./see_handler.ts";
export { type SeePage, serveSee, type ServeSeeOptions } from "./serve_see.ts";
export { Listeners, type ListenersOptions } from "./listeners.ts";
export { exportedStories, type StoriesOfKey } from "./exported_stories.ts";
export { Rates } from "./rates.ts";
export type {
  CoverageView,
  FindingView,
  KnownView,
  LaneView,
  LifeView,
  PlanView,
  ReconcileView,
  ReportView,
  RequestView,
  RowKind,
  RowView,
  RunAgainView,
  RunView,
  StepView,
  VersionView,
} from "./report_model.ts";
export { reportHtml } from "./report_html.ts";
export { type ReportSource, serveReport } from "./serve_report.ts";
