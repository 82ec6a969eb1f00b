// Refused: mappers that do not return keys, and a missing mapper.

import { type Manager, Secrets } from "@kubeloop/controller";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

// @ts-expect-error TS2322: Type 'number' is not assignable to type
manager.controller(Widgets).watches(Secrets, { map: () => 5 });
manager.controller(Widgets).watches(Secrets, {
  // @ts-expect-error TS2322, in several lines: Type 'string | undefined' is not assignable to type 'KeyLike'
  map: (secret) => [secret.metadata.labels?.["widget"]],
});
// @ts-expect-error TS2345 or TS2741, in several lines: Property 'map' is missing in type
manager.controller(Widgets).watches(Secrets, {});
