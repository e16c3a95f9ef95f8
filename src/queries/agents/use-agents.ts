/** Queries agents and their tokens, and changes them. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import * as operations from "../../../contract/operations/agents.ts";
import { addProjectMember, removeProjectMember } from "../../../contract/operations/projects.ts";
import type { BodyOf } from "../../api/http.ts";
import type { ClientData } from "../../client/client.ts";
import { removeById, upsertById } from "../lists.ts";
import { memberQueries } from "../members.ts";
import { fetchAll, fetchData, useOperation } from "../operations.ts";
import { projectQueries } from "../projects.ts";
import { ISSUED_ACCESS_KEY } from "../session.ts";
import { AGENTS_KEY } from "./agent-keys.ts";

export const agentQueries = {
  /** All agents that the user sees, oldest first. */
  all: () => queryOptions({ queryKey: AGENTS_KEY, queryFn: fetchAll((api, query, options) => api.call(operations.listAgents, { query }, options)) }),
  tokens: (agentId: number) =>
    queryOptions({ queryKey: [...ISSUED_ACCESS_KEY, "agents", agentId], queryFn: fetchData(operations.listAgentTokens, { params: { agent_id: agentId } }) }),
};

export const useAgents = () => useQuery(agentQueries.all());
export const useAgentTokens = (agentId: number) => useQuery(agentQueries.tokens(agentId));

/** The list of everybody has the agent too. */
const refetchMembers = ({ queryClient }: ClientData) => void queryClient.invalidateQueries(memberQueries.all());

export const useCreateAgent = () =>
  useOperation(operations.createAgent, (body: BodyOf<typeof operations.createAgent>) => ({ body }), {
    isIdempotent: true,
    onSuccess(client, agent) {
      client.queryClient.setQueryData(agentQueries.all().queryKey, upsertById(agent));
      refetchMembers(client);
    },
  });

export const useUpdateAgent = (agentId: number) =>
  useOperation(operations.updateAgent, (body: BodyOf<typeof operations.updateAgent>) => ({ params: { agent_id: agentId }, body }), {
    queue: `agent-${agentId}`,
    onSuccess(client, agent) {
      client.queryClient.setQueryData(agentQueries.all().queryKey, upsertById(agent));
      refetchMembers(client);
    },
  });

export const useDeleteAgent = () =>
  useOperation(operations.deleteAgent, (agentId: number) => ({ params: { agent_id: agentId } }), {
    onSuccess(client, _, agentId) {
      client.queryClient.setQueryData(agentQueries.all().queryKey, removeById(agentId));
      refetchMembers(client);
    },
  });

const refetchProject = ({ queryClient }: ClientData, projectId: number) =>
  Promise.all([queryClient.invalidateQueries(agentQueries.all()), queryClient.invalidateQueries(projectQueries.members(projectId))]);

export const useAddAgentToProject = (agentId: number) =>
  useOperation(addProjectMember, ({ projectId }: { projectId: number }) => ({ params: { project_id: projectId }, body: { account_id: agentId } }), {
    onSuccess: (client, _, { projectId }) => refetchProject(client, projectId),
  });

export const useRemoveAgentFromProject = (agentId: number) =>
  useOperation(removeProjectMember, (projectId: number) => ({ params: { project_id: projectId, account_id: agentId } }), {
    onSuccess: (client, _, projectId) => refetchProject(client, projectId),
  });

/** The response to a repeated request lacks the `token`. */
export const useCreateAgentToken = (agentId: number) =>
  useOperation(operations.createAgentToken, (body: BodyOf<typeof operations.createAgentToken>) => ({ params: { agent_id: agentId }, body }), {
    isIdempotent: true,
    // Only this response contains the secret, so the list is refetched without it.
    onSuccess: ({ queryClient }) => queryClient.invalidateQueries(agentQueries.tokens(agentId)),
  });

export const useRevokeAgentToken = (agentId: number) =>
  useOperation(operations.revokeAgentToken, (token_id: number) => ({ params: { agent_id: agentId, token_id } }), {
    onSuccess: ({ queryClient }, _, id) => queryClient.setQueryData(agentQueries.tokens(agentId).queryKey, removeById(id)),
  });
