import type { Logger } from "../../base/mod.ts";
import { metaNamespaceKeyFunc } from "../../cache/mod.ts";
import type { Cached, KubeObject, ResourceDescriptor } from "../../types/mod.ts";
import type { EventRecorder, EventReport } from "../../events/mod.ts";

/** The recorder of a dry run, which only logs the Events. */
export class LoggedEvents implements Pick<EventRecorder, "event"> {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  event(
    { kind }: ResourceDescriptor,
    object: KubeObject,
    { type, reason, note }: EventReport,
  ): void {
    const key = metaNamespaceKeyFunc(object as Cached<KubeObject>);
    this.#logger.info(`Dry run: would record ${type} ${reason} of ${kind} ${key}: ${note}`);
  }
}
