// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.

/** The messages of `events`. */
export const MESSAGES: string = `
+Event metadata:meta.ObjectMeta!,eventTime:u!,series:EventSeries?,reportingController:s,reportingInstance:s,action:s,reason:s,regarding:core.ObjectReference!,related:core.ObjectReference?,note:s,type:s,deprecatedSource:core.EventSource!,deprecatedFirstTimestamp:t!,deprecatedLastTimestamp:t!,deprecatedCount:i
EventSeries count:i!,lastObservedTime:u!
`;

/** The tables that they refer to. */
export const USES: readonly string[] = ["core", "meta"];
