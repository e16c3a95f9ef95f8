/** Adds and removes project members, the only place that does so, and publishes each change to the project and to the account. */
import type { Row, Tx } from "../../db/schema.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { topicOf, type EventLog } from "../../events/log.ts";
import { presentAccount } from "../accounts/presenter.ts";
import { newestCommentId } from "./unread.ts";

/** Adds the account to the project and its team. Returns false if it already was a member. */
export async function joinProject(
  tx: Tx,
  { events, publicUrl }: Pick<ModuleDeps, "events" | "publicUrl">,
  now: number,
  project: Pick<Row<"projects">, "id" | "team_id" | "last_message_id">,
  account: Row<"accounts">,
): Promise<boolean> {
  await joinTeam(tx, now, project.team_id, account.id);
  const added = await tx
    .insertInto("project_members")
    .values({ project_id: project.id, account_id: account.id, added_at: now })
    .onConflict((on) => on.doNothing())
    .executeTakeFirst();
  if (Number(added.numInsertedOrUpdatedRows) === 0) return false;
  // Messages from before somebody joined count as read.
  await tx
    .insertInto("read_markers")
    .values({
      project_id: project.id,
      account_id: account.id,
      last_read_message_id: project.last_message_id ?? 0,
      comments_since: newestCommentId(project.id),
      moved_at: now,
    })
    .onConflict((on) => on.doNothing())
    .execute();
  await events.append(tx, topicOf.project(project.id), "project.member_added", {
    project_id: project.id,
    member: { ...presentAccount(account, publicUrl), role: account.role },
  });
  events.appendToAccounts(tx, [account.id], "projects.changed", { project_id: project.id });
  return true;
}

export async function joinTeam(tx: Tx, now: number, teamId: number, accountId: number): Promise<void> {
  await tx
    .insertInto("team_members")
    .values({ team_id: teamId, account_id: accountId, added_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
}

/** Removes the account from the project. Returns false if it was not a member. */
export async function leaveProject(tx: Tx, events: EventLog, projectId: number, accountId: number): Promise<boolean> {
  const removed = await tx.deleteFrom("project_members").where("project_id", "=", projectId).where("account_id", "=", accountId).executeTakeFirst();
  if (Number(removed.numDeletedRows) === 0) return false;
  await events.append(tx, topicOf.project(projectId), "project.member_removed", { project_id: projectId, account_id: accountId });
  // Whoever reads locks their topic before these rows, and so does this.
  events.atEnd(tx, [topicOf.account(accountId)], () => deleteTraces(tx, projectId, accountId));
  events.appendToAccounts(tx, [accountId], "projects.changed", { project_id: projectId });
  return true;
}

/** Deletes the read state, so that nothing is unread for a former member, and notifications; on rejoining, their read marker starts at the newest message. */
async function deleteTraces(tx: Tx, projectId: number, accountId: number): Promise<void> {
  await tx.deleteFrom("read_markers").where("project_id", "=", projectId).where("account_id", "=", accountId).execute();
  await tx
    .deleteFrom("comment_reads")
    .where("account_id", "=", accountId)
    .where("file_id", "in", (eb) => eb.selectFrom("files").select("id").where("project_id", "=", projectId))
    .execute();
  await tx.deleteFrom("notifications").where("project_id", "=", projectId).where("account_id", "=", accountId).execute();
  await tx.deleteFrom("project_notification_settings").where("project_id", "=", projectId).where("account_id", "=", accountId).execute();
  await tx
    .deleteFrom("file_watchers")
    .where("account_id", "=", accountId)
    .where("file_id", "in", (eb) => eb.selectFrom("files").select("id").where("project_id", "=", projectId))
    .execute();
}
