import { createTokens } from "./api-tokens.ts";
import { createAuditLog } from "./audit-log.ts";
import { createAuthentication, createTickets } from "./authentication.ts";
import { createAvatars, type AvatarDeps } from "./avatars.ts";
import type { AccessDeps, OnTokensWeakened } from "./issued-access.ts";
import { createMembers } from "./members.ts";
import { createOwnership } from "./ownership.ts";
import { createProfiles, type OnEmailChanged } from "./profiles.ts";
import { createSessions } from "./sessions.ts";
import { createSignIn, type OnOrganisationCreated } from "./sign-in.ts";

export interface AccountsOptions {
  /** Required to create the first owner. */
  setupToken: string;
  onOrganisationCreated: OnOrganisationCreated;
  onTokensWeakened: OnTokensWeakened;
  onEmailChanged: OnEmailChanged;
}

export function createAccountServices(moduleDeps: AvatarDeps, options: AccountsOptions) {
  const deps: AccessDeps & AvatarDeps = { ...moduleDeps, onTokensWeakened: options.onTokensWeakened };
  const members = createMembers(deps);
  return {
    authentication: createAuthentication(deps),
    signIn: createSignIn(deps, options),
    sessions: createSessions(deps),
    tokens: createTokens(deps),
    members,
    ownership: createOwnership(deps, members),
    profiles: createProfiles(deps, options.onEmailChanged),
    avatars: createAvatars(deps),
    tickets: createTickets(deps),
    auditLog: createAuditLog(deps),
  };
}

export type AccountServices = ReturnType<typeof createAccountServices>;
