import { Brand, visibleText } from "../../base/mod.ts";

const brand = new Brand("NotOwnedError");

/** The maximum length of a message, in characters. It contains names from the server. */
const MAX_LENGTH = 2000;

/**
 * A desired object belongs to others: another owner controls it; or it exists, has no controller owner, and the controller
 * has not applied it. `{ adopt: true }` takes over an object of the second kind.
 *
 * @example Tell the user
 * ```ts
 * import { ConfigMaps, defineResource, type Manager, NotOwnedError } from "@kubeloop/controller";
 *
 * const Widgets = defineResource({ group: "acme.io", version: "v1", kind: "Widget", spec: { type: "object" } });
 *
 * function declare(manager: Manager) {
 *   manager.controller(Widgets).owns(ConfigMaps).reconcile(async ({ apply, event, name }) => {
 *     try {
 *       await apply(ConfigMaps, { metadata: { name } });
 *     } catch (error) {
 *       if (NotOwnedError.is(error)) event("Warning", "NameTaken", error.message);
 *       throw error;
 *     }
 *   });
 * }
 * ```
 */
export class NotOwnedError extends Error {
  /** Always `NotOwnedError`. */
  override readonly name: string = "NotOwnedError";

  /** Creates an error whose message is safe to print. */
  constructor(message: string) {
    super(visibleText(message, MAX_LENGTH));
  }

  /** Reports whether `error` is a NotOwnedError of this or another copy of the package. */
  static is(error: unknown): error is NotOwnedError {
    return brand.isOn(error);
  }
}

brand.put(NotOwnedError.prototype);
