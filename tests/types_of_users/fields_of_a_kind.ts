// Refused: a cache of some fields has only these, and some metadata.

import { type Manager, Secrets } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { fieldsOf, type Secret } from "@kubeloop/controller/types";
import { same } from "./_same.ts";
import { Widgets } from "./_widgets.ts";

declare const manager: Manager;

const Certificates = fieldsOf(Secrets, "data.tls\\.crt", "type");
manager.controller(Widgets)
  .watches(Certificates, {
    when: changed("data.tls\\.crt"),
    map: ({ metadata }) => metadata.ownerReferences?.map(({ name }) => ({ name, namespace: "a" })),
  })
  .reconcile(({ cache }) => {
    const secret = cache(Certificates).get("a", "b");
    if (secret === undefined) return;
    same<typeof secret.metadata.uid, string>(true);
    same<typeof secret.metadata.labels, Readonly<Record<string, string>> | undefined>(true);
    same<typeof secret.type, Secret["type"] | undefined>(true);
    const certificate: string | undefined = secret.data?.["tls.crt"];
    certificate?.length;
    // @ts-expect-error TS7053, in several lines: Element implicitly has an 'any' type because
    secret.data?.["tls.key"];
    // @ts-expect-error TS2339: Property 'immutable' does not exist on type
    secret.immutable;
    // @ts-expect-error TS2339: Property 'a' does not exist on type
    secret.metadata.annotations?.a;
  });
// @ts-expect-error TS2345: Argument of type '"date"' is not assignable to parameter of type
fieldsOf(Secrets, "date");
// @ts-expect-error TS2345, in several lines: is not assignable to parameter of type
fieldsOf(Secrets, ["data", "a", "b"]);
manager.controller(Widgets).watches(Certificates, {
  map: () => undefined,
  // @ts-expect-error TS2345: Argument of type '"stringData"' is not assignable to parameter of type
  when: changed("stringData"),
});

const parts = manager.cache(fieldsOf(Widgets, "spec.size", "spec.secret", "spec.ports.0.name"));
const [part] = parts.list();
same<NonNullable<typeof part>["spec"]["size"], number>(true);
same<NonNullable<typeof part>["spec"]["secret"], string | undefined>(true);
const name: string | undefined = part?.spec.ports?.[0]?.name;
name?.length;
// @ts-expect-error TS2339: Property 'image' does not exist on type
part?.spec.image;
