/** Runs a job when fewer others run than may run at once. */
export type Run = <T>(job: () => Promise<T>) => Promise<T>;

/** Returns a function that runs at most `count` jobs at a time, in the order of its calls. */
export function atMost(count: number): Run {
  let free = count;
  const waiting: (() => void)[] = [];
  return async (job) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await job();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
