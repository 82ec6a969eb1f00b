/** The description of a metric of the library. */
export interface KnownMetric {
  /** The text of its `# HELP` line. */
  readonly help: string;
  /**
   * The type in the Prometheus registry. As in client-go, the histograms of reflectors are summaries without quantiles,
   * which have two lines instead of ten.
   */
  readonly type: "counter" | "gauge" | "histogram" | "summary";
}

const counter = (help: string): KnownMetric => ({ type: "counter", help });
const gauge = (help: string): KnownMetric => ({ type: "gauge", help });
const histogram = (help: string): KnownMetric => ({ type: "histogram", help });
const summary = (help: string): KnownMetric => ({ type: "summary", help });

/** The metrics of the library, by name. Metrics that controller-runtime and client-go also have share their names. */
export const KNOWN_METRICS: Readonly<Record<string, KnownMetric>> = {
  // Controllers, as in controller-runtime.
  controller_runtime_active_workers: gauge("Number of workers that are reconciling a key."),
  controller_runtime_max_concurrent_reconciles: gauge("Number of workers of a controller."),
  controller_runtime_reconcile_errors_total: counter("Number of reconciles that failed."),
  controller_runtime_reconcile_time_seconds: histogram("Duration of a reconcile."),
  controller_runtime_reconcile_timeouts_total: counter(
    "Number of reconciles that were aborted at their deadline.",
  ),
  controller_runtime_reconcile_total: counter("Number of reconciles, by result."),
  controller_runtime_terminal_reconcile_errors_total: counter(
    "Number of times that a controller gave up on a key.",
  ),

  // Controllers, only in kubeloop.
  controller_hot_loops_total: counter(
    "Number of keys that were found to be reconciled again and again.",
  ),
  kubeloop_condition_transition_seconds: histogram(
    "How long a condition of an object had another status before it got this one.",
  ),
  kubeloop_controller_startup_seconds: gauge(
    "Time from the start of a controller to the end of its first reconcile, and to the end of the reconciles of all objects of its first list.",
  ),
  kubeloop_event_writes_total: counter("Number of Events and series that were written."),
  kubeloop_events_dropped_total: counter(
    "Number of events, or counts of a series, that were not sent, by reason.",
  ),
  kubeloop_events_total: counter("Number of events that were recorded."),
  kubeloop_hot_loop_fields_total: counter(
    "Number of hot loops that a field caused which changes each time, with who writes it.",
  ),
  kubeloop_manager_state: gauge("1 for the phase of the manager, else 0."),
  kubeloop_not_ready_objects: gauge("Number of objects whose condition Ready is not True."),
  kubeloop_object_conditions: gauge(
    "Number of objects with a condition, by its type, status and reason.",
  ),
  kubeloop_oldest_not_ready_timestamp_seconds: gauge(
    "Time since which the object that is not ready for the longest time is not, in seconds since the Unix epoch; 0 if all are ready.",
  ),
  kubeloop_paused_objects: gauge("Number of objects that an annotation pauses."),
  kubeloop_stale_read_timeouts_total: counter(
    "Number of reconciles that started although the caches did not yet hold the controller's own writes.",
  ),
  kubeloop_reference_waiting_keys: gauge(
    "Number of keys that wait until the watches of the objects that they refer to have synced.",
  ),
  kubeloop_reference_watches: gauge("Number of watches of objects that other objects refer to."),
  kubeloop_superseded_reconciles_total: counter(
    "Number of reconciles that a newer generation of their object has ended.",
  ),
  kubeloop_writes_skipped_total: counter(
    "Number of writes that were not sent because they would have changed nothing.",
  ),
  stale_sync_skips_total: counter(
    "Number of times that a key waited until the caches held the controller's own writes.",
  ),

  // Queues, as in client-go.
  workqueue_adds_total: counter("Number of keys that were added to the queue."),
  workqueue_depth: gauge("Number of keys that wait in the queue."),
  workqueue_longest_running_processor_seconds: gauge(
    "How long the longest of the running reconciles has been running.",
  ),
  workqueue_queue_duration_seconds: histogram("Time that a key waited in the queue."),
  workqueue_retries_total: counter("Number of keys that were added with a delay."),
  workqueue_unfinished_work_seconds: gauge(
    "Sum of how long the running reconciles have been running.",
  ),
  workqueue_work_duration_seconds: histogram("Time from the take of a key to its end."),

  // Requests, as in client-go.
  rest_client_request_retries_total: counter("Number of requests that were sent again, by verb."),
  rest_client_requests_total: counter("Number of requests, by method and status code."),

  // Informers, and reflectors as in client-go.
  informer_handler_errors_total: counter("Number of errors that handlers threw."),
  informer_process_errors_total: counter("Number of deltas that could not be processed."),
  informer_processing_latency_seconds: histogram("Time to process the deltas of one object."),
  informer_queued_items: gauge("Number of objects whose deltas wait."),
  informer_store_resource_version: gauge("Resource version that the store has reached."),
  reflector_errors_total: counter("Number of lists and watches that failed."),
  reflector_items_per_list: summary("Number of objects of a list."),
  reflector_items_per_watch: summary("Number of events of a watch."),
  reflector_last_resource_version: gauge("Resource version of the last list, event or bookmark."),
  reflector_list_duration_seconds: summary("Duration of a list."),
  reflector_lists_total: counter("Number of lists."),
  reflector_short_watches_total: counter("Number of watches that ended at once without an event."),
  reflector_watch_duration_seconds: summary("Duration of a watch."),
  reflector_watches_total: counter("Number of watches."),

  // The process, as in client-go and the client libraries of Prometheus.
  leader_election_master_status: gauge("1 while this process is the leader, else 0."),
  leader_election_slowpath_total: counter("Renewals of the lease that had to read it first."),
  kubeloop_shards_owned: gauge("Number of shards whose keys this replica reconciles."),
  process_start_time_seconds: gauge("Start of the process, in seconds since the Unix epoch."),
};
