/** Creates agents for tests. */
import type { Scope } from "../../contract/define-operation.ts";
import { nameKey } from "../../contract/text.ts";
import type { Engine } from "../db/database.ts";
import { indexRecords } from "../db/search-documents.ts";
import type { Tx } from "../db/schema.ts";
import type { TestApp } from "./test-app.ts";

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

export async function createAgentIn(
  tx: Tx,
  engine: Engine,
  now: number,
  { createdBy, projects, name, role = "member", scopes = SCOPES }: AgentInput,
): Promise<number> {
  const username = name ?? `Agent ${++counter}`;
  const { organisation_id } = await tx.selectFrom("accounts").select("organisation_id").where("id", "=", createdBy.id).executeTakeFirstOrThrow();
  const names = { username, username_key: nameKey(username), email: "", user_info: "", email_key: `agent ${++counter}` };
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
