/** The tokens of an agent, which owners and admins create and revoke. */
import { LIMITS } from "../../../contract/limits.ts";
import type { Actor } from "../../access/access.ts";
import type { IdempotencyKey } from "../../access/idempotency.ts";
import type { Row } from "../../db/schema.ts";
import { invalid } from "../../lib/errors.ts";
import { createTokenStore, type IssuedToken, type TokenInput } from "../accounts/api-tokens.ts";
import type { AccessDeps } from "../accounts/issued-access.ts";
import { parseAgentScopes } from "./presenter.ts";
import { loadManagedAgent } from "./repository.ts";

export function createAgentTokens(deps: AccessDeps) {
  const { database } = deps;
  const store = createTokenStore(deps);
  return {
    async list(actor: Actor, agentId: number): Promise<Row<"api_tokens">[]> {
      await loadManagedAgent(database.read, actor, agentId);
      return store.list(agentId);
    },
    /** Throws a 400 if the agent lacks one of the scopes, or the token had expired already. */
    create(actor: Actor, agentId: number, input: TokenInput, idempotencyKey: IdempotencyKey | null): Promise<IssuedToken> {
      return database.write(async (tx) => {
        const scopes = parseAgentScopes((await loadManagedAgent(tx, actor, agentId)).agent);
        const missing = input.scopes.find((scope) => !scopes.includes(scope));
        if (missing) throw invalid("scopes", `must be scopes of the agent, which lacks ${missing}`);
        const denial = `An agent can have at most ${LIMITS.agent_tokens} tokens. Revoke one that is no longer used.`;
        return store.create(tx, actor, agentId, { input, idempotencyKey, max: LIMITS.agent_tokens, denial }, { account_id: agentId });
      });
    },
    async revoke(actor: Actor, agentId: number, id: number): Promise<void> {
      await database.write(async (tx) => {
        await loadManagedAgent(tx, actor, agentId);
        await store.revoke(tx, actor, agentId, id, { account_id: agentId });
      });
    },
  };
}
