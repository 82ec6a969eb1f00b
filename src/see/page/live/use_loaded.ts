import { useEffect, useRef, useState } from "preact/hooks";

/** A value that is loaded from a source. */
export interface Loaded<Value> {
  /** The last loaded value of the same subject; undefined before the first one. */
  readonly value?: Value | undefined;
  /** The message of the last error; undefined after a success. */
  readonly error?: string | undefined;
}

/**
 * Loads a value, and loads it again when `version` changes. One load runs at a time, and a value of an earlier `subject` is
 * never shown.
 */
export function useLoaded<Value>(
  load: () => Promise<Value>,
  { subject, version }: { readonly subject: string; readonly version: string | number },
): Loaded<Value> {
  const [loaded, setLoaded] = useState<Loaded<Value> & { readonly subject: string }>({ subject });
  const now = useRef({ load, subject, wanted: "", isRunning: false, isGone: false });
  now.current.load = load;
  now.current.subject = subject;
  useEffect(() => {
    const job = now.current;
    job.wanted = `${subject} ${version}`;
    if (job.isRunning) return;
    void (async () => {
      job.isRunning = true;
      let done: string | undefined;
      while (done !== job.wanted && !job.isGone) {
        done = job.wanted;
        // A load for an older subject ends after the next one was wanted, and is then loaded again.
        const result = await settle(job.load);
        if (!job.isGone && done === job.wanted) {
          setLoaded((old) => ({
            // After an error, the value before it stays.
            ...(old.subject === job.subject && { value: old.value }),
            ...result,
            subject: job.subject,
          }));
        }
      }
      job.isRunning = false;
    })();
  }, [subject, version]);
  useEffect(() => () => void (now.current.isGone = true), []);
  return loaded.subject === subject ? loaded : {};
}

async function settle<Value>(load: () => Promise<Value>): Promise<Loaded<Value>> {
  try {
    return { value: await load() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
