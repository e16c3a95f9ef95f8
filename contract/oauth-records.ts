/** Wire records of the OAuth 2.0 authorization server. Those of the protocol have no envelope: RFC 6749, 7591, 8414 and 9728 define their members. */
import * as z from "zod/mini";
import { id, timestamp } from "./text.ts";

/** RFC 6749 5.1. */
export const tokenResponse = z.looseObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  /** Seconds until the access token expires. */
  expires_in: z.int(),
  /** Missing if the client did not register the grant type `refresh_token`. Each one works once. */
  refresh_token: z.optional(z.string()),
  /** Separated by spaces. */
  scope: z.string(),
});
/** RFC 7591 3.2.1, without a secret: every client is public. */
export const clientRegistration = z.looseObject({
  client_id: z.string(),
  /** Seconds since 1970. */
  client_id_issued_at: z.int(),
  client_name: z.string(),
  redirect_uris: z.array(z.string()),
  grant_types: z.array(z.string()),
  response_types: z.array(z.string()),
  token_endpoint_auth_method: z.string(),
});
/** RFC 8414. */
export const authServerMetadata = z.looseObject({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  revocation_endpoint: z.string(),
  registration_endpoint: z.string(),
  scopes_supported: z.array(z.string()),
  response_types_supported: z.array(z.string()),
  response_modes_supported: z.array(z.string()),
  grant_types_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  revocation_endpoint_auth_methods_supported: z.array(z.string()),
  code_challenge_methods_supported: z.array(z.string()),
  authorization_response_iss_parameter_supported: z.boolean(),
  service_documentation: z.string(),
});
/** RFC 9728. */
export const protectedResourceMetadata = z.looseObject({
  resource: z.string(),
  resource_name: z.string(),
  authorization_servers: z.array(z.string()),
  scopes_supported: z.array(z.string()),
  bearer_methods_supported: z.array(z.string()),
  resource_documentation: z.string(),
});
/** RFC 6749 5.2, 7009 2.2.1 and 7591 3.2.2. */
export const oauthError = z.looseObject({ error: z.string(), error_description: z.string() });

/** What the consent page shows. */
export const oauthConsent = z.looseObject({
  client: z.looseObject({
    /** Chosen by whoever registered the client, so nothing vouches for it. */
    name: z.string(),
    /** Where the code goes: host, and port if it is not the default one. */
    redirect_host: z.string(),
    /** True if the code goes to a program on the person's own computer. */
    is_local: z.boolean(),
    /** Always false: clients register themselves. */
    is_verified: z.boolean(),
    registered_at: timestamp,
  }),
  /** What the client may do if the person agrees. */
  scopes: z.array(z.string()),
  /** The service that the tokens are for. */
  resource: z.string(),
  /** When access ends at the latest, if the person agrees now. */
  expires_at: timestamp,
});
/** A connected app: what a person has allowed a client. */
export const oauthGrant = z.looseObject({
  id,
  client_name: z.string(),
  redirect_hosts: z.array(z.string()),
  scopes: z.array(z.string()),
  created_at: timestamp,
  last_used_at: z.nullable(timestamp),
  /** When access ends unless the app is used again before. */
  expires_at: timestamp,
});
export type AuthServerMetadata = z.infer<typeof authServerMetadata>;
export type OAuthConsent = z.infer<typeof oauthConsent>;
export type OAuthGrant = z.infer<typeof oauthGrant>;
