/** How far each subscription has read the events of its agent's projects. A cursor moves in the transaction that stores the events before it. */
import { sql } from "kysely";
import { prepareStatement } from "../../db/prepared.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";

export interface ProjectOfSubscription {
  endpointId: number;
  projectId: number;
}

/** Starts a new subscription behind the newest events of the agent's projects. */
export async function startCursors(tx: Tx, endpointId: number, agentId: number): Promise<void> {
  const projects = await tx.selectFrom("project_members").select("project_id").where("account_id", "=", agentId).execute();
  for (const { project_id } of projects) {
    const topic = topicOf.project(project_id);
    const newest = await tx.selectFrom("topics").select("seq").where("topic", "=", topic).executeTakeFirst();
    await insertCursor(tx, { endpointId, projectId: project_id }, newest?.seq ?? 0);
  }
}

/** Starts at the first event since the agent has joined the project. */
export async function startCursorOfJoined(tx: Tx, found: ProjectOfSubscription, joinedAt: number): Promise<void> {
  const topic = topicOf.project(found.projectId);
  const newest = await tx.selectFrom("topics").select("seq").where("topic", "=", topic).executeTakeFirst();
  const first = await tx
    .selectFrom("events")
    .select(({ fn }) => fn.min<number | null>("seq").as("seq"))
    .where("topic", "=", topic)
    .where("created_at", ">=", joinedAt)
    .executeTakeFirst();
  await insertCursor(tx, found, first?.seq ? first.seq - 1 : (newest?.seq ?? 0));
}

async function insertCursor(tx: Tx, { endpointId, projectId }: ProjectOfSubscription, seq: number): Promise<void> {
  await tx
    .insertInto("agent_subscription_cursors")
    .values({ endpoint_id: endpointId, project_id: projectId, topic: topicOf.project(projectId), seq })
    .onConflict((conflict) => conflict.columns(["endpoint_id", "project_id"]).doNothing())
    .execute();
}

const selectJoinedProjects = prepareStatement<{ limit: number }, ProjectOfSubscription & { joinedAt: number }>((db, { limit }) =>
  db
    .selectFrom("webhook_endpoints")
    .innerJoin("project_members", "project_members.account_id", "webhook_endpoints.agent_id")
    .select(["webhook_endpoints.id as endpointId", "project_members.project_id as projectId", "project_members.added_at as joinedAt"])
    .where("webhook_endpoints.deleted_at", "is", null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("agent_subscription_cursors as known")
            .select("known.seq")
            .whereRef("known.endpoint_id", "=", "webhook_endpoints.id")
            .whereRef("known.project_id", "=", "project_members.project_id"),
        ),
      ),
    )
    .limit(limit),
);

const selectUnread = prepareStatement<object, ProjectOfSubscription>((db) =>
  db
    .selectFrom("agent_subscription_cursors as known")
    .innerJoin("topics", "topics.topic", "known.topic")
    .innerJoin("projects", "projects.id", "known.project_id")
    // What a deleted project has not sent yet waits for its restoring.
    .where("projects.deleted_at", "is", null)
    .select(["known.endpoint_id as endpointId", "known.project_id as projectId"])
    .where(sql<boolean>`topics.seq > known.seq`)
    .orderBy("known.endpoint_id")
    .orderBy("known.project_id"),
);

/** Returns projects that agents have joined since their subscriptions were created. */
export const findJoinedProjects = (db: Db, limit: number): Promise<(ProjectOfSubscription & { joinedAt: number })[]> => selectJoinedProjects(db, { limit });

/** Returns the projects that have events which their subscriptions have not read. */
export const findUnread = (db: Db): Promise<ProjectOfSubscription[]> => selectUnread(db, {});
