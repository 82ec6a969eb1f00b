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
export { reportHtml, servedReportHtml } from "./report_html.ts";
