import { type Clock, randomUuid } from "@kubeloop/controller/internal/base";
import type { UserInfo } from "./user_info.ts";
import { claimsOf, type TokenKey } from "./token_key.ts";
import { type Draws, objectKey, type Storage } from "../storage/mod.ts";
import {
  getArray,
  getObject,
  getPath,
  getString,
  isObject,
  type Json,
  type JsonObject,
  quote,
} from "../../values/mod.ts";

/** The issuer and default audience of the tokens of service accounts. */
export const ISSUER = "https://kubernetes.default.svc";

/** How long a token is taken after its end, and after its account has been marked for deletion, in seconds. */
const LEEWAY_SECONDS = 60;

/** The claim about the account and the object that a token is bound to. */
const CLAIM = "kubernetes.io";

const EXTRA = "authentication.kubernetes.io";

/** The kinds of objects that a token can be bound to. */
const BOUND_KINDS = ["secret", "pod", "node"] as const;

/** The name and the UID of an object in a token. */
interface Named {
  readonly name: string;
  readonly uid?: string;
}

/** An order for a token. */
export interface TokenOrder {
  /** The stored service account. */
  readonly account: JsonObject;
  /** The audiences of the token. */
  readonly audiences: readonly string[];
  /** The lifetime, in seconds. */
  readonly seconds: number;
  /** The seconds after which a use should warn, if it is valid for longer than asked for. */
  readonly warnAfterSeconds?: number | undefined;
  /** The objects that it is bound to, by the lower case of their kinds. */
  readonly bound: Readonly<Partial<Record<typeof BOUND_KINDS[number], Named>>>;
}

/** The authenticated user and the matching audiences, or the reason for rejection. */
export type TokenAnswer =
  | { readonly user: UserInfo; readonly audiences: readonly string[] }
  | { readonly error: string };

/** Issues and checks the tokens of service accounts. */
export class AccountTokens {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #ids: Draws;
  readonly #newKey: () => TokenKey;
  #key: TokenKey | undefined;

  /** Creates the tokens of the accounts in `storage`. `ids` is the source of the ids of tokens. */
  constructor(options: {
    readonly storage: Storage;
    readonly clock: Clock;
    readonly ids: Draws;
    /** Creates the key. It is called once, when the key is needed. */
    readonly newKey: () => TokenKey;
  }) {
    this.#storage = options.storage;
    this.#clock = options.clock;
    this.#ids = options.ids;
    this.#newKey = options.newKey;
  }

  /** The key that signs the tokens. */
  get key(): TokenKey {
    return this.#key ??= this.#newKey();
  }

  /** Returns a new token. */
  issue({ account, audiences, seconds, warnAfterSeconds, bound }: TokenOrder): string {
    const now = Math.floor(this.#clock.wallNow() / 1000);
    const { name, namespace, uid } = identityOf(account);
    const objects: JsonObject = { namespace };
    if (bound.node !== undefined) objects["node"] = { ...bound.node };
    if (bound.pod !== undefined) objects["pod"] = { ...bound.pod };
    if (bound.secret !== undefined) objects["secret"] = { ...bound.secret };
    objects["serviceaccount"] = { name, uid };
    if (warnAfterSeconds !== undefined) objects["warnafter"] = now + warnAfterSeconds;
    return this.key.sign({
      aud: [...audiences],
      exp: now + seconds,
      iat: now,
      iss: ISSUER,
      jti: randomUuid(this.#ids.of(objectKey(namespace, name))),
      [CLAIM]: objects,
      nbf: now,
      sub: userName(namespace, name),
    });
  }

  /** Authenticates a token. Returns undefined if the token is not of the form that the server issues. */
  authenticate(token: string, audiences: readonly string[] = [ISSUER]): TokenAnswer | undefined {
    const claims = claimsOf(token);
    if (claims === undefined || claims["iss"] !== ISSUER) return undefined;
    const wrong = this.key.errorOf(token);
    if (wrong !== undefined) return { error: wrong };
    const own = getArray(claims, "aud").map(String);
    const both = own.filter((audience) => audiences.includes(audience));
    if (both.length === 0) {
      const [has, wants] = [own, audiences].map((list) => `[${list.map(quote).join(" ")}]`);
      return { error: `token audiences ${has} is invalid for the target audiences ${wants}` };
    }
    const error = this.#errorOf(claims);
    return error === undefined ? { user: userOf(claims), audiences: both } : { error };
  }

  /** Returns why a token is not valid any more, although this server has signed it. */
  #errorOf(claims: JsonObject): string | undefined {
    const now = this.#clock.wallNow() / 1000;
    if (now - LEEWAY_SECONDS > Number(claims["exp"])) return "service account token has expired";
    const about = getObject(claims, CLAIM);
    const namespace = getString(about, "namespace");
    const { name, uid } = named(about, "serviceaccount");
    const account = this.#get("serviceaccounts", namespace, name);
    if (account === undefined) return `serviceaccounts ${quote(name)} not found`;
    const present = identityOf(account).uid;
    if (present !== uid) {
      return `service account UID (${present}) does not match claim (${uid})`;
    }
    if (this.#isGone(account)) return `service account ${namespace}/${name} has been deleted`;
    // A token for a Pod names the node of the Pod, too, but is not bound to it.
    const kind = BOUND_KINDS.find((one) => isObject(about[one]));
    return kind === undefined ? undefined : this.#boundError(kind, about);
  }

  /** Returns why the object that a token is bound to is not the one of that time any more. */
  #boundError(kind: typeof BOUND_KINDS[number], about: JsonObject): string | undefined {
    const { name, uid } = named(about, kind);
    const namespace = kind === "node" ? "" : getString(about, "namespace");
    const object = this.#get(`${kind}s`, namespace, name);
    if (object === undefined) return "service account token has been invalidated";
    const present = identityOf(object).uid;
    if (present !== uid) {
      return `${kind} UID (${present}) does not match service account ${kind} ref claim (${uid})`;
    }
    return this.#isGone(object) ? "service account token has been invalidated" : undefined;
  }

  /** Reports whether an object has been marked for deletion long ago. */
  #isGone(object: JsonObject): boolean {
    const since = Date.parse(getString(object, "metadata", "deletionTimestamp"));
    return since < this.#clock.wallNow() - LEEWAY_SECONDS * 1000;
  }

  #get(resource: string, namespace: string, name: string): JsonObject | undefined {
    const stored = this.#storage.store(resource).get(objectKey(namespace, name));
    return stored?.parse() as unknown as JsonObject | undefined;
  }
}

function userOf(claims: JsonObject): UserInfo {
  const about = getObject(claims, CLAIM);
  const namespace = getString(about, "namespace");
  const { name, uid } = named(about, "serviceaccount");
  const extra: Record<string, string[]> = {
    [`${EXTRA}/credential-id`]: [`JTI=${getString(claims, "jti")}`],
  };
  for (const kind of ["node", "pod"]) {
    const bound = getPath(about, kind);
    if (!isObject(bound)) continue;
    const object = named(about, kind);
    extra[`${EXTRA}/${kind}-name`] = [object.name];
    if (object.uid !== "") extra[`${EXTRA}/${kind}-uid`] = [object.uid];
  }
  const groups = accountGroups(namespace);
  return {
    username: userName(namespace, name),
    uid,
    groups: [...groups, "system:authenticated"],
    extra,
  };
}

/** Returns the groups of the service accounts of a namespace. */
export function accountGroups(namespace: string): string[] {
  return ["system:serviceaccounts", `system:serviceaccounts:${namespace}`];
}

/** Returns the user name of a service account. */
function userName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function named(about: JsonObject, kind: string): { name: string; uid: string } {
  return { name: getString(about, kind, "name"), uid: getString(about, kind, "uid") };
}

function identityOf(object: Json): { name: string; namespace: string; uid: string } {
  return {
    name: getString(object, "metadata", "name"),
    namespace: getString(object, "metadata", "namespace"),
    uid: getString(object, "metadata", "uid"),
  };
}
