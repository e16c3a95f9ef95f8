/** Creates agents for tests. */
import { randomBytes } from "node:crypto";
import type { Scope } from "../../contract/define-operation.ts";
import { nameKey } from "../../contract/text.ts";
import type { Engine } from "../db/database.ts";
import { indexRecords } from "../db/search-documents.ts";
import type { Tx } from "../db/schema.ts";
import { hashSecret, newSecret } from "../lib/crypto.ts";
import type { Caller } from "./client.ts";
import { bearerCaller, type TestApp } from "./test-app.ts";

/** A test app, or the data of a service that runs as a process. */
type AgentHost = Pick<TestApp, "database"> & { clock: Pick<TestApp["clock"], "now"> };
export interface AgentInput {
  createdBy: { id: number };
  projects: readonly number[];
  name?: string;
  role?: "member" | "guest";
  scopes?: readonly Scope[];
}
const SCOPES: readonly Scope[] = ["account:read", "chat:read", "chat:write", "files:read", "files:write"];
let counter = 0;

/** Creates an agent that is in these projects, and returns the id of its account. */
export const createAgent = ({ database, clock }: AgentHost, input: AgentInput): Promise<number> =>
  database.write((tx) => createAgentIn(tx, database.engine, clock.now(), input));

/** Makes the agent a member of the project again, in tests that take others out of it. */
export const rejoinProject = ({ database, clock }: AgentHost, account_id: number, project_id: number): Promise<void> =>
  database.write(async (tx) => {
    await tx
      .insertInto("project_members")
      .values({ project_id, account_id, added_at: clock.now() })
      .onConflict((conflict) => conflict.columns(["project_id", "account_id"]).doNothing())
      .execute();
  });

/** Creates an agent after deleting the one that was created before with the same key, because of the limit per organization. */
export async function createFreshAgent(host: AgentHost, input: AgentInput, key = "fresh"): Promise<number> {
  const agents = freshAgents.get(host.database) ?? new Map<string, number>();
  freshAgents.set(host.database, agents);
  const earlier = agents.get(key);
  if (earlier !== undefined)
    await host.database.write((tx) => tx.updateTable("accounts").set({ disabled_at: host.clock.now() }).where("id", "=", earlier).execute());
  const id = await createAgent(host, input);
  agents.set(key, id);
  return id;
}
const freshAgents = new WeakMap<object, Map<string, number>>();

export async function createAgentIn(
  tx: Tx,
  engine: Engine,
  now: number,
  { createdBy, projects, name, role = "member", scopes = SCOPES }: AgentInput,
): Promise<number> {
  const username = name ?? `Agent ${++counter}`;
  const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", createdBy.id).executeTakeFirstOrThrow();
  const names = { username, username_key: nameKey(username), email: "", user_info: "", email_key: `agent ${++counter}`, is_agent: 1 };
  const { id } = await tx
    .insertInto("accounts")
    .values({ organisation_id, role, ...names, created_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  await tx
    .insertInto("agents")
    .values({ account_id: id, scopes: JSON.stringify(scopes), created_by: createdBy.id, created_at: now })
    .execute();
  await indexRecords(tx, engine, "account", [id]);
  for (const project_id of projects) await tx.insertInto("project_members").values({ project_id, account_id: id, added_at: now }).execute();
  return id;
}

export const pauseAgent = ({ database, clock }: AgentHost, id: number, paused: boolean) =>
  database.write((tx) =>
    tx
      .updateTable("agents")
      .set({ paused_at: paused ? clock.now() : null })
      .where("account_id", "=", id)
      .execute(),
  );

/** Creates a token with these scopes for an agent. */
export async function createAgentToken({ database, clock }: AgentHost, account_id: number, scopes: readonly Scope[]): Promise<Caller & { id: number }> {
  const publicId = randomBytes(4).toString("hex");
  const secret = newSecret();
  const { id } = await database.write((tx) =>
    tx
      .insertInto("api_tokens")
      .values({
        account_id,
        name: "agent",
        public_id: publicId,
        token_hash: hashSecret(secret),
        scopes: JSON.stringify(scopes),
        created_at: clock.now(),
      })
      .returning("id")
      .executeTakeFirstOrThrow(),
  );
  return { ...bearerCaller("agent", `tb_pat_${publicId}_${secret}`), id };
}
