/** Reports whether a promise is still pending after everything that waits for no timer has run. */
export async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let pending = true;
  const settle = () => void (pending = false);
  promise.then(settle, settle);
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  return pending;
}
