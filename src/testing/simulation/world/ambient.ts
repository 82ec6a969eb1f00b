import * as hooks from "node:async_hooks";
import type { Clock } from "@kubeloop/controller/internal/base";
import type { VirtualClock } from "../../virtual_clock.ts";
import { directPlace, type Reconciling } from "../record/mod.ts";

/** A use of something that is outside of a simulation. */
export interface AmbientUse {
  /** The thing that was used, such as `Date.now()`. */
  readonly what: string;
  /** The file and line of the program that used it. */
  readonly where: string;
  /** The thing to use in its place. */
  readonly instead: string;
}

/** The process of a simulation whose code runs. */
export interface AmbientContext {
  /** Called when the process uses something that is outside of the simulation. */
  used(use: AmbientUse): void;
  /** Called with work of the runtime that takes no virtual time. The process gets the returned promise in its place. */
  works(work: Promise<unknown>): Promise<unknown>;
  /** The reconcile that the code is part of; undefined outside of one. */
  readonly reconcile?: Reconciling | undefined;
}

/** A browser has no such module. Nothing is guarded then. */
const contexts = "AsyncLocalStorage" in hooks
  ? new hooks.AsyncLocalStorage<AmbientContext>()
  : undefined;

/** Runs `code` as the code of a process, with all that follows from it. */
export function inContext<T>(context: AmbientContext, code: () => T): T {
  return contexts === undefined ? code() : contexts.run(context, code);
}

/** Runs `code` as part of a reconcile of the process whose code now runs. */
export function inReconcile<T>(reconcile: Reconciling, code: () => T): T {
  const context = contexts?.getStore();
  return context === undefined ? code() : contexts!.run({ ...context, reconcile }, code);
}

/** Returns the reconcile that the code is part of; undefined outside of one, and in a browser. */
export function currentReconcile(): Reconciling | undefined {
  const reconcile = contexts?.getStore()?.reconcile;
  // Code that it has started may run on after its end.
  return reconcile?.end === undefined ? reconcile : undefined;
}

/** Returns a function that calls `code` as the code of the process that now runs. */
export function bound(code: () => void): () => void {
  const context = contexts?.getStore();
  return context === undefined ? code : () => contexts!.run(context, code);
}

/**
 * Lets the clock wait for work of the runtime, and returns the promise that its process gets. The time at which the runtime is
 * done must not decide what else comes first.
 */
export function atItsTime(
  work: Promise<unknown>,
  clock: VirtualClock,
  { setTimer }: Clock,
): Promise<unknown> {
  clock.hold(work);
  return new Promise((resolve, reject) => setTimer(() => void work.then(resolve, reject), 0));
}

interface Guarded {
  /** The object that has the function, and the name of the function in it. */
  readonly holder: Record<string, unknown> | undefined;
  readonly name: string;
  readonly what: string;
  readonly instead: string;
  /** Whether the clock can wait for it, so that it disturbs nothing. */
  readonly isWork?: boolean;
}

const CLOCK = "env.clock";
const scope = globalThis as unknown as Record<string, Record<string, unknown> | undefined>;

function guarded(): readonly Guarded[] {
  const all = scope as unknown as Record<string, unknown>;
  const files = ["readFile", "readTextFile", "writeFile", "writeTextFile", "open", "stat"];
  const subtle = scope["crypto"]?.["subtle"] as Record<string, unknown> | undefined;
  const works = ["digest", "sign", "verify", "encrypt", "decrypt", "importKey", "generateKey"];
  return [
    {
      holder: scope["Date"],
      name: "now",
      what: "Date.now()",
      instead: `${CLOCK}.wallNow() or ${CLOCK}.now()`,
    },
    {
      holder: scope["performance"],
      name: "now",
      what: "performance.now()",
      instead: `${CLOCK}.now()`,
    },
    { holder: scope["Math"], name: "random", what: "Math.random()", instead: "env.random" },
    { holder: all, name: "setTimeout", what: "setTimeout()", instead: `${CLOCK}.setTimer()` },
    { holder: all, name: "setInterval", what: "setInterval()", instead: `${CLOCK}.setTimer()` },
    { holder: all, name: "fetch", what: "fetch()", instead: "world.cloud" },
    {
      holder: scope["crypto"],
      name: "randomUUID",
      what: "crypto.randomUUID()",
      instead: "env.random",
    },
    {
      holder: scope["crypto"],
      name: "getRandomValues",
      what: "crypto.getRandomValues()",
      instead: "env.random",
    },
    ...works.map((name) => ({ holder: subtle, name, what: "", instead: "", isWork: true })),
    ...files.map((name) => ({
      holder: scope["Deno"],
      name,
      what: `Deno.${name}()`,
      instead: "what the process is given before it starts",
    })),
  ];
}

let guards = 0;
let restore: (() => void)[] = [];

/**
 * Guards the functions of the runtime that are outside of a simulation, until the returned function is called. Only code of
 * a process is reported.
 */
export function guardRuntime(): () => void {
  if (contexts === undefined) return () => {};
  if (guards++ === 0) restore = guarded().flatMap(guard);
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    if (--guards === 0) restore.forEach((undo) => undo());
  };
}

function guard({ holder, name, what, instead, isWork = false }: Guarded): (() => void)[] {
  const own = holder?.[name];
  if (holder === undefined || typeof own !== "function") return [];
  const watched = function (this: unknown, ...args: unknown[]): unknown {
    const context = contexts!.getStore();
    const result: unknown = Reflect.apply(own, this, args);
    if (context === undefined) return result;
    if (isWork) return result instanceof Promise ? context.works(result) : result;
    const where = directPlace();
    if (where !== undefined) context.used({ what, where, instead });
    return result;
  };
  const before = Object.getOwnPropertyDescriptor(holder, name);
  try {
    Object.defineProperty(holder, name, { configurable: true, writable: true, value: watched });
  } catch {
    return []; // It cannot be replaced.
  }
  return [() => {
    if (holder[name] !== watched) return; // A test has replaced it meanwhile.
    if (before === undefined) delete holder[name];
    else Object.defineProperty(holder, name, before);
  }];
}
