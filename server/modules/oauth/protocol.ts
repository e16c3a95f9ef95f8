/** What several parts of the authorization server need of the protocol: its errors, scopes and resource. */
import { SCOPES, type Scope } from "../../../contract/define-operation.ts";
import { HttpError } from "../../lib/errors.ts";

type OAuthErrorCode =
  // RFC 6749, 4.1.2.1 and 5.2
  | "invalid_request"
  | "invalid_client"
  | "invalid_grant"
  | "invalid_scope"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "access_denied"
  | "temporarily_unavailable"
  // RFC 8707
  | "invalid_target"
  // RFC 7591, 3.2.2
  | "invalid_redirect_uri"
  | "invalid_client_metadata";

/** The response has the code as its member `error`. */
export const oauthError = (error: OAuthErrorCode, description: string, status = 400): HttpError =>
  new HttpError(status, description, { extensions: { error } });

/** Returns the scopes of a space-separated list. Throws `invalid_scope` for one that does not exist. */
export function parseScopes(text: string): Scope[] {
  const names = text.split(" ").filter((name) => name !== "");
  const unknown = names.find((name) => !SCOPES.some((scope) => scope === name));
  if (unknown !== undefined) throw oauthError("invalid_scope", `Unknown scope. The scopes are ${SCOPES.join(", ")}.`);
  return SCOPES.filter((scope) => names.includes(scope));
}

/** This service is one resource: the tokens are valid for all of it. A trailing slash makes no difference. */
export function assertOwnResource(resource: string | undefined, publicUrl: string): void {
  if (resource !== undefined && resource !== publicUrl && resource !== `${publicUrl}/`)
    throw oauthError("invalid_target", `resource must be ${publicUrl}. This service issues no tokens for others.`);
}
