import {
  alternativeNamesOf,
  type CertificateOptions,
  createCertificate,
  type ReadCertificate,
  readCertificate,
  type TlsMaterial,
} from "../serving/mod.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AUTHORITY_VALID_MS = 10 * 365 * DAY_MS;
const SERVING_VALID_MS = 365 * DAY_MS;

/**
 * The time for which a new authority is trusted before its first certificate is served, and for which the previous one is
 * trusted afterwards. Replicas and API servers learn of a change within minutes.
 */
const OVERLAP_MS = DAY_MS - HOUR_MS;

/** Maximum number of trusted authorities (two during a rotation). */
const MAX_TRUSTED = 4;

/** The range of times that both time formats of X.509 can express. */
const FIRST_MS = Date.UTC(1950, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);

/** The certificates that the replicas of a webhook server share. */
export interface CertificateState {
  /** The authority that issues serving certificates. */
  readonly authority: TlsMaterial;
  /** The certificates of the trusted authorities, in PEM, the newest first. */
  readonly trusted: readonly string[];
  readonly serving: TlsMaterial;
}

/**
 * Replaces certificates that are due. Returns the same object if none is due.
 *
 * A certificate is due when a third of its validity is left, or when it is not valid yet. A new authority is trusted for a
 * day before it issues the serving certificate, and the previous one for a day afterwards, so that no API server meets a
 * certificate that it does not trust.
 *
 * The clock of this replica, or of the replica that made the certificates, may be wrong by an hour or by years. So a new
 * certificate is also valid at the times of the previous one, and every other replica can use it.
 *
 * @param state The certificates so far; undefined if there are none.
 * @param hosts The host names that API servers call.
 * @param nowMs The current time, in milliseconds since the Unix epoch.
 */
export async function rotate(
  state: CertificateState | undefined,
  hosts: readonly string[],
  nowMs: number,
): Promise<CertificateState> {
  let { authority, trusted = [], serving } = state ?? {};
  const old = authority === undefined ? undefined : readCertificate(authority.cert);
  if (authority === undefined || old === undefined || isDue(old, AUTHORITY_VALID_MS, nowMs)) {
    authority = await createCertificate({
      // A unique name, because clients find an issuer by its name too.
      commonName: `kubeloop webhooks ${new Date(nowMs).toISOString()}`,
      authority: true,
      ...validity(nowMs, AUTHORITY_VALID_MS, old?.notBeforeMs, old),
    });
    trusted = [authority.cert, ...trusted].slice(0, MAX_TRUSTED);
  }
  const issuer = authority;
  const by = readCertificate(issuer.cert);
  const issue = (before?: ReadCertificate) => {
    const [commonName = "webhooks"] = hosts;
    const times = validity(nowMs, SERVING_VALID_MS, by.notBeforeMs, before);
    return createCertificate({ commonName, hosts, issuer, ...times });
  };
  serving ??= await issue();
  const current = readCertificate(serving.cert);
  if (mustReplace(current, by, hosts, nowMs)) serving = await issue(current);
  const { authorityKeyId, notAfterMs } = readCertificate(serving.cert);
  const isOwn = authorityKeyId === by.subjectKeyId;
  const isOverlapOver = nowMs - (notAfterMs - SERVING_VALID_MS) >= OVERLAP_MS;
  if (trusted.length > 1 && isOwn && isOverlapOver) trusted = [authority.cert];
  const isSame = state !== undefined && authority === state.authority &&
    trusted === state.trusted && serving === state.serving;
  return isSame ? state : { authority, trusted, serving };
}

/** Reports whether a certificate is not valid yet, or at most a third of its validity is left. */
function isDue({ notBeforeMs, notAfterMs }: ReadCertificate, validMs: number, nowMs: number) {
  return nowMs < notBeforeMs || notAfterMs - nowMs <= validMs / 3;
}

/**
 * Returns the validity of a new certificate: from an hour ago, and including the validity of the previous one.
 *
 * @param fromMs The start, if it is earlier.
 * @param before The previous certificate. If it is not valid yet, one of two clocks is wrong. The end is then so late that
 * the certificate counts as new for a long time, and no authority is removed from the trust too early.
 */
function validity(
  nowMs: number,
  validMs: number,
  fromMs: number = Infinity,
  before?: ReadCertificate,
): Pick<CertificateOptions, "nowMs" | "validMs"> {
  const startMs = Math.max(FIRST_MS, Math.min(nowMs, fromMs + HOUR_MS));
  const untilMs = before === undefined
    ? -Infinity
    : before.notAfterMs + (nowMs < before.notBeforeMs ? validMs : 0);
  const endMs = Math.min(LAST_MS, Math.max(nowMs + validMs, untilMs));
  return { nowMs: startMs, validMs: endMs - startMs };
}

function mustReplace(
  current: ReadCertificate,
  issuer: ReadCertificate,
  hosts: readonly string[],
  nowMs: number,
): boolean {
  if (current.alternativeNames !== alternativeNamesOf(hosts)) return true;
  if (isDue(current, SERVING_VALID_MS, nowMs)) return true;
  // A new authority issues certificates only after API servers trust it.
  return current.authorityKeyId !== issuer.subjectKeyId &&
    nowMs - (issuer.notAfterMs - AUTHORITY_VALID_MS) >= OVERLAP_MS;
}
