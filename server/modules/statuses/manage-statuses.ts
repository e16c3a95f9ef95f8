/** Changes to a team's statuses, serialized per team; each change publishes the whole list to the organization. */
import type { AuditAction } from "../../../contract/audit.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount, nameKey } from "../../../contract/text.ts";
import { assertCan, loadAuthorizedTeam, visibleTeams, type Actor } from "../../access/access.ts";
import { auditActor, type AuditTargetRef } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import { runIdempotent, type IdempotencyKey } from "../../access/idempotency.ts";
import { lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid, notFound } from "../../lib/errors.ts";
import { presentFileStatus } from "../files/presenter.ts";
import { findStatuses, loadTeamStatuses, type StatusRow, type TeamStatuses } from "./statuses.ts";

/** File operations that status changes need; the caller holds the lock on the team's statuses. */
export interface StatusFiles {
  /** Counts the files that have the status, without deleted files. */
  countFiles(db: Db, statusId: number): Promise<number>;
  /** Replaces the status of every file that has it: a status change for each file, with history and webhooks. */
  replace(tx: Tx, actor: Actor, from: StatusRow, to: StatusRow): Promise<void>;
  /** Updates the rank by which files are sorted by status. */
  updateStatusRank(tx: Tx, statusId: number, position: number): Promise<void>;
}

const MANAGE_DENIED_REASON = "Only owners and admins can change a team's statuses.";
const foreignStatusError = (path: string) => invalid(path, "must be a status of the same team");

export function createStatusChanges({ database, events, clock, files }: ModuleDeps & { files: StatusFiles }) {
  const { engine } = database;

  async function loadAuthorizedStatus(db: Db, actor: Actor, id: number): Promise<StatusRow> {
    const status = await db
      .selectFrom("file_statuses")
      .selectAll()
      .where("id", "=", id)
      .where("deleted_at", "is", null)
      .where("team_id", "in", visibleTeams(db, actor).select("teams.id"))
      .executeTakeFirst();
    if (!status) throw notFound("file status");
    assertCan(actor, "file_status.manage", {}, MANAGE_DENIED_REASON);
    return status;
  }

  /** Locks the team's statuses against concurrent changes and against being assigned to a file. */
  async function lockStatuses(tx: Tx, teamId: number): Promise<StatusRow[]> {
    await lockRows(tx.selectFrom("teams").select("id").where("id", "=", teamId), engine, "update").execute();
    await lockRows(tx.selectFrom("file_statuses").select("id").where("team_id", "=", teamId).orderBy("id"), engine, "update").execute();
    return findStatuses(tx, teamId);
  }

  const lockTeamStatuses = async (tx: Tx, actor: Actor, teamId: number): Promise<StatusRow[]> => {
    const team = await loadAuthorizedTeam(tx, actor, "file_status.manage", teamId);
    return lockStatuses(tx, team.id);
  };
  const lockStatus = async (tx: Tx, actor: Actor, id: number): Promise<{ status: StatusRow; statuses: StatusRow[] }> => {
    const statuses = await lockStatuses(tx, (await loadAuthorizedStatus(tx, actor, id)).team_id);
    return { status: await loadAuthorizedStatus(tx, actor, id), statuses };
  };

  async function publishStatuses(
    tx: Tx,
    actor: Actor,
    teamId: number,
    action: AuditAction,
    target: AuditTargetRef,
    replaced?: { status_id: number; replacement_id: number },
  ) {
    const current = await loadTeamStatuses(tx, teamId);
    await events.append(tx, topicOf.organisation(actor.organisationId), "statuses.changed", {
      team_id: teamId,
      statuses: current.statuses.map(presentFileStatus),
      default_status_id: current.defaultId,
      new_version_resets_status: current.newVersionResetsStatus,
      ...(replaced ? { replaced } : {}),
    });
    await auditActor(tx, clock.now(), actor, action, target, replaced ?? {});
    return current;
  }

  function assertTitleAvailable(statuses: readonly StatusRow[], title: string, exceptId: number | null): void {
    if (statuses.some((status) => status.id !== exceptId && status.title_key === nameKey(title))) throw conflict("A status with this title already exists.");
  }

  return {
    create(actor: Actor, teamId: number, input: { title: string; color: number; isFinal: boolean }, idempotencyKey: IdempotencyKey | null): Promise<StatusRow> {
      const title = input.title.trim();
      return database.write(async (tx) => {
        const statuses = await lockTeamStatuses(tx, actor, teamId);
        const id = await runIdempotent(tx, actor, idempotencyKey, clock.now(), async () => {
          if (statuses.length >= LIMITS.file_statuses_per_team)
            throw conflict(`A team can have at most ${LIMITS.file_statuses_per_team} statuses. Delete one first.`);
          assertTitleAvailable(statuses, title, null);
          const position = Math.max(0, ...statuses.map((status) => status.position)) + 1;
          const row = await tx
            .insertInto("file_statuses")
            .values({ team_id: teamId, title, title_key: nameKey(title), color: input.color, is_final: input.isFinal ? 1 : 0, position })
            .returning("id")
            .executeTakeFirstOrThrow();
          await publishStatuses(tx, actor, teamId, "file_status.created", `file_status:${row.id}`);
          return row.id;
        });
        return loadAuthorizedStatus(tx, actor, id);
      });
    },

    /** Makes no change and publishes nothing if the values are the same. */
    update(actor: Actor, id: number, input: { title: string | undefined; color: number | undefined; isFinal: boolean | undefined }): Promise<StatusRow> {
      return database.write(async (tx) => {
        const { status, statuses } = await lockStatus(tx, actor, id);
        const [title, color] = [input.title?.trim() ?? status.title, input.color ?? status.color];
        const is_final = input.isFinal === undefined ? status.is_final : input.isFinal ? 1 : 0;
        if (title === status.title && color === status.color && is_final === status.is_final) return status;
        assertTitleAvailable(statuses, title, id);
        const after = await tx
          .updateTable("file_statuses")
          .set({ title, title_key: nameKey(title), color, is_final })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await publishStatuses(tx, actor, status.team_id, "file_status.updated", `file_status:${id}`);
        return after;
      });
    },

    /** Throws a 409 if somebody may have added or deleted a status of the team meanwhile, and a 400 for repeated or unknown ids. */
    order(actor: Actor, teamId: number, ids: readonly number[]): Promise<TeamStatuses> {
      return database.backgroundWrite(async (tx) => {
        const statuses = await lockTeamStatuses(tx, actor, teamId);
        if (new Set(ids).size !== ids.length) throw invalid("ids", "must contain each status once");
        const statusesById = new Map(statuses.map((status) => [status.id, status]));
        const unlistedIds = ids.filter((id) => !statusesById.has(id));
        const deleted =
          unlistedIds.length === 0
            ? []
            : await tx.selectFrom("file_statuses").select("id").where("team_id", "=", teamId).where("id", "in", unlistedIds).execute();
        if (deleted.length < unlistedIds.length) throw invalid("ids", "must be statuses of this team");
        if (deleted.length > 0 || ids.length !== statuses.length) throw conflict("The team's statuses have changed. Reload them and try again.");
        const repositioned = ids.flatMap((id, index) => (statusesById.get(id)?.position === index + 1 ? [] : [{ id, position: index + 1 }]));
        if (repositioned.length === 0) return loadTeamStatuses(tx, teamId);
        for (const { id, position } of repositioned) {
          await tx.updateTable("file_statuses").set({ position }).where("id", "=", id).execute();
          await files.updateStatusRank(tx, id, position);
        }
        return publishStatuses(tx, actor, teamId, "file_status.ordered", `team:${teamId}`);
      });
    },

    /** Keeps the row for the history of files that had the status. Throws a 409 if files have the status and `replacementId` is null. */
    remove(actor: Actor, id: number, replacementId: number | null): Promise<TeamStatuses> {
      return database.backgroundWrite(async (tx) => {
        const { status, statuses } = await lockStatus(tx, actor, id);
        const replacement = statuses.find((candidate) => candidate.id === replacementId && candidate.id !== id) ?? null;
        if (replacementId !== null && !replacement) throw foreignStatusError("replacement_id");
        const count = await files.countFiles(tx, id);
        if (count > 0 && !replacement) throw conflict(`${formatCount(count)} ${count === 1 ? "file has" : "files have"} this status. Choose a replacement.`);
        await tx
          .updateTable("file_statuses")
          .set({ deleted_at: clock.now(), replaced_by: replacement?.id ?? null })
          .where("id", "=", id)
          .execute();
        await tx
          .updateTable("teams")
          .set({ default_status_id: replacement?.id ?? null })
          .where("default_status_id", "=", id)
          .execute();
        if (replacement) await files.replace(tx, actor, status, replacement);
        const replaced = replacement ? { status_id: id, replacement_id: replacement.id } : undefined;
        return publishStatuses(tx, actor, status.team_id, "file_status.deleted", `file_status:${id}`, replaced);
      });
    },

    /** Returns the number of files that have the status, without deleted files. */
    async usage(actor: Actor, id: number): Promise<number> {
      return files.countFiles(database.backgroundRead, (await loadAuthorizedStatus(database.read, actor, id)).id);
    },

    setDefault(actor: Actor, teamId: number, statusId: number | null): Promise<TeamStatuses> {
      return database.write(async (tx) => {
        const statuses = await lockTeamStatuses(tx, actor, teamId);
        if (statusId !== null && !statuses.some(({ id }) => id === statusId)) throw foreignStatusError("status_id");
        const before = await loadTeamStatuses(tx, teamId);
        if (before.defaultId === statusId) return before;
        await tx.updateTable("teams").set({ default_status_id: statusId }).where("id", "=", teamId).execute();
        return publishStatuses(tx, actor, teamId, "file_status.default_set", `team:${teamId}`);
      });
    },

    /** Sets whether a new version resets a file's status; undefined leaves the setting as it is. Returns the team. */
    updateTeam(actor: Actor, teamId: number, newVersionResetsStatus: boolean | undefined): Promise<Row<"teams">> {
      return database.write(async (tx) => {
        await lockTeamStatuses(tx, actor, teamId);
        const loadTeam = () => loadAuthorizedTeam(tx, actor, "file_status.manage", teamId);
        const [before, flag] = [await loadTeam(), newVersionResetsStatus ? 1 : 0] as const;
        if (newVersionResetsStatus === undefined || before.new_version_resets_status === flag) return before;
        await tx.updateTable("teams").set({ new_version_resets_status: flag }).where("id", "=", teamId).execute();
        await publishStatuses(tx, actor, teamId, "file_status.reset_set", `team:${teamId}`);
        return loadTeam();
      });
    },
  };
}
