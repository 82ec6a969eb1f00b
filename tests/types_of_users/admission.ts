// Refused: webhooks get objects of their kind.

import { type Manager, Pods, Services } from "@kubeloop/controller";
import { admission } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";
import { type Widget, Widgets } from "./_widgets.ts";

declare const manager: Manager;

manager.webhooks.add(admission(Widgets, {
  mutate: ({ object }) => {
    same<typeof object, Widget>(true);
    object.spec.image ||= "nginx";
  },
  validate: ({ object, oldObject }) => {
    const least = oldObject?.spec.size ?? 0;
    return object.spec.size < least ? [{ field: "spec.size", message: "cannot shrink" }] : [];
  },
}));
for (const kind of [Pods, Services]) {
  manager.webhooks.add(
    admission(kind, {
      validate: ({ object }) => object.spec === undefined ? "needs a spec" : undefined,
    }),
  );
}
// @ts-expect-error TS2339: Property 'sise' does not exist on type
admission(Widgets, { validate: ({ object }) => object.spec.sise > 1 ? "too large" : undefined });
// @ts-expect-error TS2322, in several lines: Type 'boolean' is not assignable to type
admission(Widgets, { validate: ({ object }) => object.spec.size > 1 });
