/** The part of the global scope that is used and that Deno's types lack. */
interface Immediates {
  setImmediate?(callback: () => void): unknown;
}

/**
 * The function of the runtime, as it was when this module was loaded: test frameworks replace timers by fakes that only
 * fire on demand.
 */
const immediate = (globalThis as Immediates).setImmediate?.bind(globalThis) ?? byMessage;

/**
 * Waits for one turn of the event loop, after which every promise that can settle has settled, and every body and stream
 * in this process has moved as far as it can. A microtask is not enough, since streams chain many of them.
 * `setTimeout(0)` would work as well, but takes a thousand times as long.
 *
 * @param then Called first in the new turn.
 */
export function nextTurn(then: () => void): Promise<void> {
  return new Promise((resolve) => {
    immediate(() => {
      then();
      resolve();
    });
  });
}

/** Does what `setImmediate` does, for browsers. A channel per call lets the event loop of the page get to other events. */
function byMessage(callback: () => void): void {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    port2.close();
    callback();
  };
  port2.postMessage(undefined);
}
