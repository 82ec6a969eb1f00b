// Written by `deno task schemas` from the Go types of the Kubernetes API. Do not edit.
import type { StructTable } from "../../../values/mod.ts";

/** The structs of `authentication`. */
export const AUTHENTICATION: StructTable = {
  "authentication.BoundObjectReference": `
    kind string; apiVersion string; name string; uid string go=types.UID
  `,
  "authentication.SelfSubjectReview": `
    @object; metadata meta.ObjectMeta!; status authentication.SelfSubjectReviewStatus!
  `,
  "authentication.SelfSubjectReviewStatus": "userInfo authentication.UserInfo!",
  "authentication.TokenRequest": `
    @object; metadata meta.ObjectMeta!; spec authentication.TokenRequestSpec!;
    status authentication.TokenRequestStatus!
  `,
  "authentication.TokenRequestSpec": `
    audiences []string! atomic; expirationSeconds int64!? #4;
    boundObjectRef authentication.BoundObjectReference!? #3;
    attestations {}[]string go=map[string]v1.AttestationValue #5
  `,
  "authentication.TokenRequestStatus": "token string!; expirationTimestamp time!",
  "authentication.TokenReview": `
    @object; metadata meta.ObjectMeta!; spec authentication.TokenReviewSpec!*;
    status authentication.TokenReviewStatus!
  `,
  "authentication.TokenReviewSpec": "token string*; audiences []string atomic",
  "authentication.TokenReviewStatus": `
    authenticated bool; user authentication.UserInfo!; audiences []string atomic #4;
    error string #3
  `,
  "authentication.UserInfo": `
    username string; uid string; groups []string atomic;
    extra {}[]string go=map[string]v1.ExtraValue
  `,
};
