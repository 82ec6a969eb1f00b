import type { Client } from "@kubeloop/controller/client";
import { explainError } from "@kubeloop/controller/types";
import { applyAll, ApplyError } from "../../mod.ts";

/** Options of {@linkcode LoadedManifests}. */
export interface LoadedManifestsOptions {
  readonly client: Client;
  /** The texts of the files. */
  readonly texts: readonly string[];
  readonly warn: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Manifests that a cluster in memory begins with. Objects of kinds that the program defines wait for it: they are applied
 * when the program has installed its definitions.
 */
export class LoadedManifests {
  readonly #options: LoadedManifestsOptions;
  #isComplete = false;

  constructor(options: LoadedManifestsOptions) {
    this.#options = options;
    this.#isComplete = options.texts.length === 0;
  }

  /**
   * Applies the objects whose kinds there are. After the first call, others wait for the next one, which reports failures.
   *
   * @throws {Error} If a text is not a manifest.
   */
  async apply({ isFirst = false }: { readonly isFirst?: boolean } = {}): Promise<void> {
    if (this.#isComplete) return;
    this.#isComplete = !isFirst;
    const { client, signal, texts, warn } = this.#options;
    try {
      await applyAll(client, texts, { namespace: "default", force: true, signal });
      this.#isComplete = true;
    } catch (error) {
      if (signal.aborted) return;
      if (!ApplyError.is(error)) throw error;
      if (isFirst) return;
      for (const one of error.errors) warn(`error: ${explainError(one)}`);
    }
  }
}
