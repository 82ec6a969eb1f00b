/** A fact about a key that may need a person. Times are in milliseconds since the Unix epoch. */
export type KeyTrouble =
  & { readonly key: string; readonly sinceMs?: number | undefined }
  & (
    | {
      readonly kind: "backoff";
      /** The number of failures in a row. */
      readonly failures: number;
      /** Whether the controller has given up, so that no retry follows. */
      readonly isGivenUp: boolean;
      /** The last error, on one line. */
      readonly error: string;
    }
    | {
      readonly kind: "hot_loop";
      /** Why the key is reconciled again and again, in words. */
      readonly why: string;
    }
    | {
      readonly kind: "gate_timeout";
      /** The written objects that the caches did not show, as in `configmaps default/a`. */
      readonly missing: readonly string[];
    }
    | {
      readonly kind: "stuck_finalizer";
      /** The finalizers of the controller that the object still has. */
      readonly finalizers: readonly string[];
      /** The last error of the cleanup, on one line. */
      readonly error?: string | undefined;
    }
    | {
      readonly kind: "right_missing";
      /** The request that was refused, as in `PATCH /api/v1/…`. */
      readonly request: string;
      /** The answer of the server, on one line. */
      readonly error: string;
    }
    | { readonly kind: "hung_reconcile" }
    | {
      readonly kind: "paused";
      /** The pause, in words. */
      readonly why: string;
    }
  );
