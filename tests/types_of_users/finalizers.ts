// Compiles: the steps of a finalizer get the object, whatever `when` is.

import type { Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;
declare function bucket(name: string, call: { signal: AbortSignal }): Promise<void>;

manager.controller(Widgets, { when: changed("spec.image") })
  .finalizer("acme.io/bucket", {
    apply: async ({ object, signal }) => {
      same<typeof object.spec.image, string>(true);
      await bucket(object.spec.image, { signal });
    },
    cleanup: ({ object: { spec, status }, name, signal }) => {
      same<
        typeof status extends infer S ? NonNullable<S>["ready" & keyof NonNullable<S>] : never,
        number
      >(true);
      return bucket(`${name}-${spec.image}`, { signal });
    },
  })
  .reconcile(() => {});
