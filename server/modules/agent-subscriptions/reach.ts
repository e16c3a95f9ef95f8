/** What the agent of a subscription may be sent now: by its projects, role and scopes, as on the live channel. */
import { AGENT_EVENT_TYPES } from "../../../contract/agent-subscription-records.ts";
import { EVENT_ACCESS } from "../../../contract/event-access.ts";
import { visibleProjects } from "../../access/access.ts";
import { hasAccess } from "../../access/event-access.ts";
import type { Db } from "../../db/schema.ts";
import { loadReceiver, type Subscription } from "./repository.ts";
import { parseProjectIds } from "../webhooks/stored-lists.ts";

export interface Reach {
  /** Events from before it was in the project are not for it. */
  joinedAt: number;
  canReceive(type: string): boolean;
}

/** Returns null if the agent receives nothing of this project now. */
export async function loadReach(
  db: Db,
  subscription: Pick<Subscription, "agent_id" | "token_id" | "project_ids">,
  projectId: number,
  now: number,
): Promise<Reach | null> {
  const projectIds = parseProjectIds(subscription);
  if (projectIds !== null && !projectIds.includes(projectId)) return null;
  const receiver = await loadReceiver(db, subscription.agent_id, subscription.token_id, now);
  if (!receiver) return null;
  const project = await visibleProjects(db, receiver)
    .innerJoin("project_members as membership", (join) =>
      join.onRef("membership.project_id", "=", "projects.id").on("membership.account_id", "=", receiver.accountId),
    )
    .select("membership.added_at")
    .where("projects.id", "=", projectId)
    .executeTakeFirst();
  if (!project) return null;
  return {
    joinedAt: project.added_at,
    canReceive(type) {
      const known = AGENT_EVENT_TYPES.find((name) => name === type);
      return known !== undefined && hasAccess(receiver, EVENT_ACCESS[known]);
    },
  };
}
