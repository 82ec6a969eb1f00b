// Compiles: the controllers of the guide, with each property of their objects.

import { ConfigMaps, defineResource, type Manager } from "@kubeloop/controller";
import { changed } from "@kubeloop/controller/operator";
import { z } from "zod";
import { same } from "./_same.ts";

interface Billboard {
  show(id: string, text: string, call: { signal: AbortSignal }): Promise<void>;
  clear(id: string, call: { signal: AbortSignal }): Promise<void>;
}

const Greetings = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Greeting",
  spec: z.object({ text: z.string(), dictionary: z.string() }),
  status: z.object({ characters: z.int() }),
});

export function declare(manager: Manager, billboard: Billboard): void {
  const greetings = manager.cache(Greetings);
  manager.controller(Greetings, { name: "billboard", when: changed("spec.text") })
    .finalizer("example.com/billboard", {
      cleanup: ({ key, signal }) => billboard.clear(key, { signal }),
    })
    .reconcile(({ key, object, signal }) => billboard.show(key, object.spec.text, { signal }));
  manager.controller(Greetings)
    .indexes({
      dictionary: ({ metadata, spec }) => [`${metadata.namespace}/${spec.dictionary}`],
    })
    .watches(ConfigMaps, {
      map: ({ metadata: { namespace, name }, data }) => {
        same<typeof data, Readonly<Record<string, string>> | undefined>(true);
        return greetings.byIndex("dictionary", `${namespace}/${name}`);
      },
      when: changed("data"),
    })
    .reconcile(
      async ({ object: { spec, status: old }, name, namespace, cache, apply, status, event }) => {
        same<[typeof spec.text, typeof spec.dictionary], [string, string]>(true);
        same<NonNullable<typeof old>["characters"], number>(true);
        const dictionary = cache(ConfigMaps).get(spec.dictionary, namespace);
        const text = dictionary?.data?.[spec.text] ?? spec.text;
        const { data } = await apply(ConfigMaps, { metadata: { name }, data: { text } });
        same<typeof data, Readonly<Record<string, string>> | undefined>(true);
        status({ characters: text.length }).condition("Ready", "True", "Written");
        event("Normal", "Written", `Wrote ${text.length} characters`);
        return { requeueAfterMs: 60_000 };
      },
    );
}
