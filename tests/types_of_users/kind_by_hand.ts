// Refused: a kind by an interface.

import {
  type Condition,
  defineResource,
  type KubeObject,
  type Manager,
} from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { same } from "./_same.ts";

declare const manager: Manager;

interface Certificate extends KubeObject {
  spec: { secretName: string; dnsNames?: string[] };
  status?: { notAfter?: string; conditions?: Condition[] };
}
const Certificates = defineResource<Certificate>({
  group: "cert-manager.io",
  version: "v1",
  plural: "certificates",
  kind: "Certificate",
  namespaced: true,
});

manager.controller(Certificates, { when: changed("status.conditions", "spec.dnsNames.0") })
  .reconcile(({ object, status }) => {
    same<typeof object.spec.dnsNames, readonly string[] | undefined>(true);
    same<NonNullable<typeof object.status>["notAfter"], string | undefined>(true);
    status({ notAfter: "2030-01-01T00:00:00Z" });
  });
// @ts-expect-error TS2345: Argument of type '"spec.dnsName"' is not assignable to parameter of type '"spec.
manager.controller(Certificates, { name: "b", when: changed("spec.dnsName") });
