import type { AccessDeps } from "../accounts/issued-access.ts";
import { type AgentsDeps, createAgents } from "./agents.ts";
import { createAgentTokens } from "./tokens.ts";

export const createAgentServices = (deps: AgentsDeps & AccessDeps) => ({ agents: createAgents(deps), agentTokens: createAgentTokens(deps) });

export type AgentServices = ReturnType<typeof createAgentServices>;
