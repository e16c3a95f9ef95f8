/** SQL for agents, as one reader sees them. */
import { assertCan, visibleAccounts, visibleProjects, type Actor } from "../../access/access.ts";
import type { Db, Row } from "../../db/schema.ts";
import { notFound } from "../../lib/errors.ts";
import type { AgentRecord } from "./presenter.ts";

/** Accounts of agents that the actor sees and that are not deleted. */
export const visibleAgents = (db: Db, actor: Actor) => visibleAccounts(db, actor).where("accounts.is_agent", "=", 1).where("accounts.disabled_at", "is", null);

/** Adds what the agents may do and those of their projects that the actor sees. */
export async function withDetails(db: Db, actor: Actor, accounts: Row<"accounts">[]): Promise<AgentRecord[]> {
  if (accounts.length === 0) return [];
  const ids = accounts.map(({ id }) => id);
  const agents = await db.selectFrom("agents").selectAll().where("account_id", "in", ids).execute();
  const memberships = await db
    .selectFrom("project_members")
    .select(["account_id", "project_id"])
    .where("account_id", "in", ids)
    .where("project_id", "in", visibleProjects(db, actor).select("projects.id"))
    .orderBy("project_id")
    .execute();
  const agentById = new Map(agents.map((agent) => [agent.account_id, agent]));
  return accounts.map((account) => ({
    account,
    agent: agentById.get(account.id)!,
    projectIds: memberships.flatMap(({ account_id, project_id }) => (account_id === account.id ? [project_id] : [])),
  }));
}

/** Throws a 404 unless the actor sees the agent; so do the functions below. */
export async function loadAgentAccount(db: Db, actor: Actor, id: number): Promise<Row<"accounts">> {
  const account = await visibleAgents(db, actor).selectAll("accounts").where("accounts.id", "=", id).executeTakeFirst();
  if (!account) throw notFound("agent");
  return account;
}

export async function loadAgent(db: Db, actor: Actor, id: number): Promise<AgentRecord> {
  const [record] = await withDetails(db, actor, [await loadAgentAccount(db, actor, id)]);
  return record!;
}

/** Throws a 403 unless the actor may manage agents. */
export async function loadManagedAgent(db: Db, actor: Actor, id: number): Promise<AgentRecord> {
  const record = await loadAgent(db, actor, id);
  assertCan(actor, "agent.manage", {}, "Only owners and admins can manage agents and their tokens.");
  return record;
}
