// Refused: fields that only some members of a union have are paths too; other names are not.

import { defineResource, type KubeObject, type Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

interface Backup extends KubeObject {
  spec: {
    target: { bucket: string } | { volume: string; path?: string } | null;
    keep?: number | string;
  };
}
const Backups = defineResource<Backup>({
  group: "acme.io",
  version: "v1",
  plural: "backups",
  kind: "Backup",
  namespaced: true,
});
manager.controller(Backups, {
  when: changed("spec.target.bucket", "spec.target.path", "spec.keep"),
}).reconcile(({ object }) => {
  same<typeof object.spec.keep, string | number | undefined>(true);
});
// @ts-expect-error TS2345: Argument of type '"spec.target.buckt"' is not assignable to parameter of type '"spec.target.
manager.controller(Backups, { name: "b", when: changed("spec.target.buckt") });
// @ts-expect-error TS2345: Argument of type '"spec.keep.days"' is not assignable to parameter of type '"spec.keep"'
manager.controller(Backups, { name: "c", when: changed("spec.keep.days") });
