import type { ModuleDeps } from "../../access/deps.ts";
import { createTokens } from "./api-tokens.ts";
import { createAuditLog } from "./audit-log.ts";
import { createAuthentication, createTickets } from "./authentication.ts";
import type { AccessDeps, OnTokensWeakened } from "./issued-access.ts";
import { createMembers } from "./members.ts";
import { createSessions } from "./sessions.ts";
import { createSignIn, type OnOrganisationCreated } from "./sign-in.ts";

export interface AccountsOptions {
  /** Required to create the first owner. */
  setupToken: string;
  onOrganisationCreated: OnOrganisationCreated;
  onTokensWeakened: OnTokensWeakened;
}

export function createAccountServices(moduleDeps: ModuleDeps, options: AccountsOptions) {
  const deps: AccessDeps = { ...moduleDeps, onTokensWeakened: options.onTokensWeakened };
  return {
    authentication: createAuthentication(deps),
    signIn: createSignIn(deps, options),
    sessions: createSessions(deps),
    tokens: createTokens(deps),
    members: createMembers(deps),
    tickets: createTickets(deps),
    auditLog: createAuditLog(deps),
  };
}

export type AccountServices = ReturnType<typeof createAccountServices>;
