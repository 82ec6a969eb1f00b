import type { TlsSettings } from "./config.ts";
import type { Transport } from "./transport.ts";

interface Dispatcher {
  destroy(): Promise<void>;
}

interface Undici {
  readonly Agent: new (options: {
    readonly connect: { readonly ca?: string; readonly cert?: string; readonly key?: string };
    readonly bodyTimeout: number;
    readonly headersTimeout: number;
  }) => Dispatcher;
}

/**
 * Node: the built-in `fetch` over an agent of undici 7, which takes certificates and does not end a quiet body after five
 * minutes. undici is an optional dependency: without it, requests work that need no certificates of their own, and
 * watches are ended by Node after five quiet minutes, which their readers must expect anyway.
 */
export function nodeTransport({ caData, certData, keyData }: TlsSettings): Transport {
  const needsCertificates = caData !== undefined || certData !== undefined;
  let opening: Promise<Dispatcher | undefined> | undefined;

  async function open(): Promise<Dispatcher | undefined> {
    const undici = await importUndici();
    if (undici === undefined) {
      if (!needsCertificates) return undefined;
      throw new Error(
        'Node needs the package "undici" for certificates of your own: npm install undici@7',
      );
    }
    return new undici.Agent({
      connect: {
        ...(caData === undefined ? {} : { ca: caData }),
        ...(certData === undefined || keyData === undefined
          ? {}
          : { cert: certData, key: keyData }),
      },
      bodyTimeout: 0,
      headersTimeout: 0,
    });
  }

  return {
    fetch: async (url, init) => {
      opening ??= open();
      const dispatcher = await opening;
      return await fetch(url, (dispatcher ? { ...init, dispatcher } : init) as RequestInit);
    },
    close: async () => {
      // An agent that could not be opened has been reported by the request that wanted it.
      const dispatcher = await opening?.catch(() => undefined);
      opening = undefined;
      await dispatcher?.destroy();
    },
  };
}

async function importUndici(): Promise<Undici | undefined> {
  // Not a literal, so that neither bundlers nor type checkers insist on a package that is optional.
  const specifier = "undici";
  try {
    return await import(specifier) as Undici;
  } catch {
    return undefined;
  }
}
