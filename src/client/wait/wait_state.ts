import {
  describeError,
  describeValue,
  isPromiseLike,
  type Redact,
  safeArguments,
  toError,
  visibleText,
} from "../../base/mod.ts";
import { type KubeObject, receivedVersion, type Stored } from "../../types/mod.ts";
import { ABSENT, type WaitPredicate } from "./wait_predicate.ts";

/** The longest text of a predicate or an error that is shown, in characters. */
const MAX_TEXT_LENGTH = 1_000;

/** The state of a wait: it calls the predicate and remembers what is missing. */
export class WaitState<T extends KubeObject> {
  readonly #what: string;
  readonly #predicate: WaitPredicate<T>;
  readonly #redact: Redact;
  #missing = "the server has not answered yet";
  #failure: unknown;

  /**
   * @param what The object that is waited for, as in `Deployment default/web`.
   * @param redact Hides credentials in texts of objects, which predicates repeat.
   */
  constructor(what: string, predicate: WaitPredicate<T>, redact: Redact) {
    this.#what = what;
    this.#predicate = predicate;
    this.#redact = redact;
  }

  /**
   * Reports whether the predicate holds for a state of the object; undefined means that it does not exist.
   *
   * @throws {TypeError} If the predicate does not return a verdict.
   * @throws The error of the predicate.
   */
  isMet(object: Stored<T> | undefined): boolean {
    this.#failure = undefined;
    const verdict = this.#verdictOn(object);
    if (verdict === true) return true;
    if (typeof verdict === "string" && verdict !== "") this.#missing = verdict;
    else if (object === undefined) this.#missing = ABSENT;
    else {
      this.#missing = "the predicate does not hold for resource version " +
        `${receivedVersion(object.metadata)}, generation ${
          object.metadata.generation ?? "unknown"
        }`;
    }
    if (verdict === undefined || verdict === false || typeof verdict === "string") return false;
    // A rejection of the returned promise must be handled.
    if (isPromiseLike(verdict)) verdict.then(undefined, () => {});
    throw new TypeError(
      `The predicate of waitFor() must return true, false or a text that says what is missing: received ${
        isPromiseLike(verdict) ? "a promise" : describeValue(verdict)
      }`,
    );
  }

  #verdictOn(object: Stored<T> | undefined): unknown {
    try {
      return this.#predicate(object);
    } catch (error) {
      const { message } = toError(error);
      if (this.#redact(message) === message) throw error;
      throw safeArguments([error], this.#redact)[0];
    }
  }

  /** Notes that a request has failed, and will be repeated. */
  failed(error: unknown): void {
    this.#failure = error;
  }

  /** Returns the message of a wait that was too long. */
  timedOut(timeoutMs: number): string {
    const { unmet, name } = this.#predicate;
    const fallback = `did not meet ${
      name === undefined || name === "" ? "the predicate" : `the predicate ${name}`
    }`;
    const failure = this.#failure === undefined
      ? ""
      : `; the last request failed: ${
        visibleText(this.#redact(describeError(this.#failure)), MAX_TEXT_LENGTH)
      }`;
    return `${this.#what} ${unmet ?? fallback} within ${timeoutMs} ms: ${
      visibleText(this.#redact(this.#missing), MAX_TEXT_LENGTH)
    }${failure}`;
  }
}
