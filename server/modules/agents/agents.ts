/** Creates, changes, pauses and deletes agents: accounts of programs, which act with tokens or by their tasks and never sign in. */
import type { AgentRole } from "../../../contract/agent-records.ts";
import type { Scope } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { assertCan, type Actor, visibleProjects } from "../../access/access.ts";
import { assertCountBelow } from "../../access/assert-count.ts";
import { auditActor } from "../../access/audit.ts";
import { type IdempotencyKey, runIdempotent } from "../../access/idempotency.ts";
import type { Tx } from "../../db/schema.ts";
import { toPage } from "../../http/paging.ts";
import { invalid } from "../../lib/errors.ts";
import { createAccount, lockAccounts } from "../accounts/create-account.ts";
import { type AccessDeps, endAccess, endAccessOfFormerRole } from "../accounts/issued-access.ts";
import { changeProfile, publishAccountUpdated } from "../accounts/profiles.ts";
import { joinProject, leaveProject } from "../projects/memberships.ts";
import { type AgentRecord, parseAgentScopes } from "./presenter.ts";
import { loadAgent, loadManagedAgent, visibleAgents, withDetails } from "./repository.ts";

export interface AgentInput {
  username: string;
  userInfo: string;
  role: AgentRole;
  scopes: Scope[];
  projectIds: number[];
}
export interface AgentChanges extends Partial<Omit<AgentInput, "projectIds">> {
  paused?: boolean | undefined;
}
/** Ends what later modules keep of an agent, in the transaction that deletes it. */
export type OnAgentDeleted = (tx: Tx, agentId: number) => Promise<void>;
export interface AgentsDeps extends AccessDeps {
  onAgentDeleted: OnAgentDeleted;
}

export function createAgents(deps: AgentsDeps) {
  const { database, clock, events } = deps;

  async function insertAgent(tx: Tx, actor: Actor, input: AgentInput): Promise<number> {
    const now = clock.now();
    const wanted = [...new Set(input.projectIds)];
    const projects =
      wanted.length === 0 ? [] : await visibleProjects(tx, actor).selectAll("projects").where("projects.id", "in", wanted).orderBy("projects.id").execute();
    if (projects.length !== wanted.length) throw invalid("project_ids", "must be projects of this organization");
    await assertCountBelow(tx, database.engine, {
      name: `agents of organization ${actor.organisationId}`,
      max: LIMITS.agents,
      rows: visibleAgents(tx, actor),
      denial: `An organization can have at most ${LIMITS.agents} agents. Delete one that is no longer used.`,
    });
    const { organisationId } = actor;
    const { id } = await createAccount(tx, database.engine, now, {
      organisationId,
      role: input.role,
      username: input.username,
      email: null,
      passwordHash: null,
    });
    await tx
      .insertInto("agents")
      .values({ account_id: id, scopes: JSON.stringify([...new Set(input.scopes)]), created_by: actor.accountId, created_at: now })
      .execute();
    const account = await tx.updateTable("accounts").set({ user_info: input.userInfo }).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
    for (const project of projects) await joinProject(tx, deps, now, project, account);
    await publishAccountUpdated(tx, deps, account);
    await auditActor(tx, now, actor, "agent.created", `account:${id}`, { role: input.role, scopes: input.scopes });
    return id;
  }

  return {
    /** Returns a page in order of id. */
    async list(actor: Actor, after: number, limit: number): Promise<{ agents: AgentRecord[]; next: number | null }> {
      assertCan(actor, "agent.read", {}, "");
      const found = await visibleAgents(database.read, actor)
        .selectAll("accounts")
        .where("accounts.id", ">", after)
        .orderBy("accounts.id")
        .limit(limit + 1)
        .execute();
      const { rows, next } = toPage(found, limit);
      return { agents: await withDetails(database.read, actor, rows), next };
    },

    async get(actor: Actor, id: number): Promise<AgentRecord> {
      assertCan(actor, "agent.read", {}, "");
      return loadAgent(database.read, actor, id);
    },

    /** Throws a 409 if the name is taken or the organization is full. */
    async create(actor: Actor, input: AgentInput, idempotencyKey: IdempotencyKey | null): Promise<AgentRecord> {
      assertCan(actor, "agent.manage", {}, "Only owners and admins can create agents.");
      return database.write(async (tx) => {
        await lockAccounts(tx, database.engine, actor.organisationId);
        const id = await runIdempotent(tx, actor, idempotencyKey, clock.now(), () => insertAgent(tx, actor, input));
        return loadAgent(tx, actor, id);
      });
    },

    /** Fewer scopes, another role and a pause apply at once, also to open connections. Throws a 409 if the name is taken. */
    update(actor: Actor, id: number, { username, userInfo, role, scopes, paused }: AgentChanges): Promise<AgentRecord> {
      return database.write(async (tx) => {
        await lockAccounts(tx, database.engine, actor.organisationId);
        const before = await loadManagedAgent(tx, actor, id);
        const now = clock.now();
        const wasPaused = before.agent.paused_at !== null;
        const isPaused = paused ?? wasPaused;
        if (role !== undefined && role !== before.account.role) {
          await tx.updateTable("accounts").set({ role }).where("id", "=", id).execute();
          await endAccessOfFormerRole(tx, deps, id);
        }
        if (scopes !== undefined)
          await tx
            .updateTable("agents")
            .set({ scopes: JSON.stringify([...new Set(scopes)]) })
            .where("account_id", "=", id)
            .execute();
        if (isPaused !== wasPaused)
          await tx
            .updateTable("agents")
            .set(isPaused ? { paused_at: now, paused_by: actor.accountId } : { paused_at: null, paused_by: null })
            .where("account_id", "=", id)
            .execute();
        await changeProfile(tx, deps, before.account, { username, userInfo });
        // Open connections of its tokens look again at what they may do.
        events.appendToAccounts(tx, [id], "sessions.changed", {});
        const after = await loadAgent(tx, actor, id);
        const changes = changedValues(before, after);
        if (Object.keys(changes).length > 0) await auditActor(tx, now, actor, "agent.updated", `account:${id}`, changes);
        if (isPaused !== wasPaused) await auditActor(tx, now, actor, isPaused ? "agent.paused" : "agent.resumed", `account:${id}`);
        return after;
      });
    },

    /** Ends the agent's tokens, its tasks and its place in projects. Its account stays as the author of what it wrote. */
    async remove(actor: Actor, id: number): Promise<void> {
      await database.write(async (tx) => {
        await lockAccounts(tx, database.engine, actor.organisationId);
        await loadManagedAgent(tx, actor, id);
        const memberships = await tx.selectFrom("project_members").select("project_id").where("account_id", "=", id).orderBy("project_id").execute();
        await deps.onAgentDeleted(tx, id);
        for (const { project_id } of memberships) await leaveProject(tx, events, project_id, id);
        const account = await tx.updateTable("accounts").set({ disabled_at: clock.now() }).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
        const ended = await endAccess(tx, deps, id, { tokens: true });
        await publishAccountUpdated(tx, deps, account);
        await auditActor(tx, clock.now(), actor, "agent.deleted", `account:${id}`, { tokens: ended.tokens });
      });
    },
  };
}

const auditedValues = ({ account, agent }: AgentRecord) => ({
  username: account.username,
  user_info: account.user_info,
  role: account.role,
  scopes: parseAgentScopes(agent).toSorted().join(" "),
});

/** Returns former and new values of what was changed. */
function changedValues(before: AgentRecord, after: AgentRecord): Record<string, { from: string; to: string }> {
  const [was, is] = [auditedValues(before), auditedValues(after)];
  const keys = Object.keys(was) as (keyof typeof was)[];
  return Object.fromEntries(keys.filter((key) => was[key] !== is[key]).map((key) => [key, { from: was[key], to: is[key] }]));
}
