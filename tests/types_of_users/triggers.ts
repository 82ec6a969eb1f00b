// Refused: keys from outside are an async iterable of keys, names or objects.

import { type Manager, Pods } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

async function* messages(): AsyncGenerator<{ name: string; namespace: string }> {
  yield await Promise.resolve({ name: "a", namespace: "default" });
}
async function* numbers(): AsyncGenerator<number> {
  yield await Promise.resolve(1);
}

const handle = manager.controller(Widgets).triggeredBy("messages", messages()).reconcile((
  { object },
) => void object.spec.size);
handle.trigger("default/a");
manager.controller(Pods).reconcile(({ object }) => handle.trigger(object.spec?.nodeName ?? "none"));
// @ts-expect-error TS2345, in several lines: Argument of type 'AsyncGenerator<number, any, any>' is not assignable to parameter of type 'AsyncIterable<KeyLike
manager.controller(Widgets, { name: "b" }).triggeredBy("numbers", numbers());
// @ts-expect-error TS2345 or TS2741, in several lines: Property '[Symbol.asyncIterator]' is missing in type
manager.controller(Widgets, { name: "c" }).triggeredBy("list", ["default/a"]);
