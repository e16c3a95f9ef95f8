import { createAuthorization } from "./authorization.ts";
import { createClients } from "./clients.ts";
import type { OAuthDeps } from "./deps.ts";
import { createGrants } from "./grants.ts";
import { createOAuthTokens } from "./tokens.ts";

export const createOAuthServices = (deps: OAuthDeps) => ({
  oauthClients: createClients(deps),
  authorization: createAuthorization(deps),
  oauthTokens: createOAuthTokens(deps),
  grants: createGrants(deps),
});

export type OAuthServices = ReturnType<typeof createOAuthServices>;
