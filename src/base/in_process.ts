/** The functions that answer requests within this process. */
const IN_PROCESS = new WeakSet<object>();

/** Notes that a `fetch` is that of a server in this process, as tests and simulations have. */
export function markInProcess(fetch: object): void {
  IN_PROCESS.add(fetch);
}

/** Reports whether a `fetch` is that of a server in this process. */
export function isInProcess(fetch: object | undefined): boolean {
  return fetch !== undefined && IN_PROCESS.has(fetch);
}
