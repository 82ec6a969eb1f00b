import type { Manager } from "@kubeloop/controller";

/** Called with each manager that a program creates; undefined while a simulation runs. */
let observer: ((manager: Manager) => void) | undefined;

/** Calls `observe` with each manager that is created from now on. */
export function observeManagers(observe: (manager: Manager) => void): void {
  observer = observe;
}

/** Returns the class with a constructor that reports the managers, whose stories the page shows. */
export function observedManager(of: typeof Manager): typeof Manager {
  return new Proxy(of, {
    construct(target, args, newTarget) {
      const manager = Reflect.construct(target, args, newTarget) as Manager;
      observer?.(manager);
      return manager;
    },
  });
}
