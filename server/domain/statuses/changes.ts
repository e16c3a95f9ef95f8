/** What a team does with its statuses: one change at a time, told to everybody as the whole list. */
import { LIMITS } from "../../../contract/limits.ts";
import { lockRows } from "../../db/portable.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { conflict, invalid, notFound } from "../../lib/faults.ts";
import { presentFileStatus } from "../../presenters/records.ts";
import { demand, teamFor, visibleTeams, type Actor } from "../access.ts";
import { audit } from "../audit.ts";
import type { DomainDeps } from "../deps.ts";
import { once, type Repeat } from "../idempotency.ts";
import { statusesOf, teamStatuses, titleKey, type StatusRow, type TeamStatuses } from "./service.ts";

/** The files that have statuses, as this room needs them; no status changes meanwhile. */
export interface StatusFiles {
  /** Live files with the status. */
  countWith(db: Db, statusId: number): Promise<number>;
  /** Gives all that have one status the other: a change of each file's status, with its history and its webhooks. */
  replace(tx: Tx, actor: Actor, from: StatusRow, to: StatusRow): Promise<void>;
  /** Files are sorted by the place of their status. */
  place(tx: Tx, statusId: number, position: number): Promise<void>;
}

const REFUSED = "Only admins and the owner change a team's statuses.";
const ofThisTeam = (path: string) => invalid(path, "must be a status of the same team");

export function createStatusChanges({ database, events, clock, files }: DomainDeps & { files: StatusFiles }) {
  const { engine } = database;

  async function statusFor(db: Db, actor: Actor, id: number): Promise<StatusRow> {
    const status = await db
      .selectFrom("file_statuses")
      .selectAll()
      .where("id", "=", id)
      .where("deleted_at", "is", null)
      .where("team_id", "in", visibleTeams(db, actor).select("teams.id"))
      .executeTakeFirst();
    if (!status) throw notFound("file status");
    demand(actor, "file_status.manage", {}, REFUSED);
    return status;
  }

  /** From here on nobody else changes the team's statuses, nor gives one of them to a file. */
  async function lockedStatuses(tx: Tx, teamId: number): Promise<StatusRow[]> {
    await lockRows(tx.selectFrom("teams").select("id").where("id", "=", teamId), engine, "change").execute();
    await lockRows(tx.selectFrom("file_statuses").select("id").where("team_id", "=", teamId).orderBy("id"), engine, "change").execute();
    return statusesOf(tx, teamId);
  }

  const lockedTeam = async (tx: Tx, actor: Actor, teamId: number): Promise<StatusRow[]> => {
    const team = await teamFor(tx, actor, "file_status.manage", teamId);
    return lockedStatuses(tx, team.id);
  };
  const lockedStatus = async (tx: Tx, actor: Actor, id: number): Promise<{ status: StatusRow; all: StatusRow[] }> => {
    const all = await lockedStatuses(tx, (await statusFor(tx, actor, id)).team_id);
    return { status: await statusFor(tx, actor, id), all };
  };

  async function tell(tx: Tx, actor: Actor, teamId: number, action: string, target: string, replaced?: { status_id: number; replacement_id: number }) {
    const now = await teamStatuses(tx, teamId);
    await events.append(tx, topicOf.organisation(actor.organisationId), "statuses.changed", {
      team_id: teamId,
      statuses: now.statuses.map(presentFileStatus),
      default_status_id: now.defaultId,
      ...(replaced ? { replaced } : {}),
    });
    await audit(tx, clock.now(), { organisationId: actor.organisationId, accountId: actor.accountId, action, target, detail: replaced ?? {} });
    return now;
  }

  function demandFree(all: readonly StatusRow[], title: string, but: number | null): void {
    if (all.some((one) => one.id !== but && one.title_key === titleKey(title))) throw conflict("The team already has a status of this title.");
  }

  return {
    create(actor: Actor, teamId: number, wish: { title: string; color: number }, repeat: Repeat): Promise<StatusRow> {
      const title = wish.title.trim();
      return database.write(async (tx) => {
        const all = await lockedTeam(tx, actor, teamId);
        const id = await once(tx, actor, repeat, clock.now(), async () => {
          if (all.length >= LIMITS.file_statuses_per_team)
            throw conflict(`A team can have at most ${LIMITS.file_statuses_per_team} statuses. Delete one first.`);
          demandFree(all, title, null);
          const position = Math.max(0, ...all.map((one) => one.position)) + 1;
          const row = await tx
            .insertInto("file_statuses")
            .values({ team_id: teamId, title, title_key: titleKey(title), color: wish.color, position })
            .returning("id")
            .executeTakeFirstOrThrow();
          await tell(tx, actor, teamId, "file_status.created", `file_status:${row.id}`);
          return row.id;
        });
        return statusFor(tx, actor, id);
      });
    },

    /** The same values again change nothing. */
    update(actor: Actor, id: number, wish: { title?: string | undefined; color?: number | undefined }): Promise<StatusRow> {
      return database.write(async (tx) => {
        const { status, all } = await lockedStatus(tx, actor, id);
        const [title, color] = [wish.title?.trim() ?? status.title, wish.color ?? status.color];
        if (title === status.title && color === status.color) return status;
        demandFree(all, title, id);
        const after = await tx
          .updateTable("file_statuses")
          .set({ title, title_key: titleKey(title), color })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await tell(tx, actor, status.team_id, "file_status.updated", `file_status:${id}`);
        return after;
      });
    },

    /** `ids`: all of the team, each once; else somebody has added or deleted one meanwhile. */
    order(actor: Actor, teamId: number, ids: readonly number[]): Promise<TeamStatuses> {
      return database.write(async (tx) => {
        const all = await lockedTeam(tx, actor, teamId);
        if (new Set(ids).size !== ids.length) throw invalid("ids", "must name each status once");
        const known = new Map(all.map((one) => [one.id, one]));
        if (ids.some((id) => !known.has(id))) throw invalid("ids", "must be statuses of this team");
        if (ids.length !== all.length) throw conflict("The team has other statuses meanwhile. Load them again.");
        const moved = ids.flatMap((id, index) => (known.get(id)?.position === index + 1 ? [] : [{ id, position: index + 1 }]));
        if (moved.length === 0) return teamStatuses(tx, teamId);
        for (const { id, position } of moved) {
          await tx.updateTable("file_statuses").set({ position }).where("id", "=", id).execute();
          await files.place(tx, id, position);
        }
        return tell(tx, actor, teamId, "file_status.ordered", `team:${teamId}`);
      });
    },

    /** Kept for the history of the files that had it. */
    remove(actor: Actor, id: number, replacementId: number | null): Promise<TeamStatuses> {
      return database.write(async (tx) => {
        const { status, all } = await lockedStatus(tx, actor, id);
        const replacement = all.find((one) => one.id === replacementId && one.id !== id) ?? null;
        if (replacementId !== null && !replacement) throw ofThisTeam("replacement_id");
        const count = await files.countWith(tx, id);
        if (count > 0 && !replacement)
          throw conflict(`${count.toLocaleString("en")} ${count === 1 ? "file has" : "files have"} this status. Say which one they get instead.`);
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
        return tell(tx, actor, status.team_id, "file_status.deleted", `file_status:${id}`, replaced);
      });
    },

    async usage(actor: Actor, id: number): Promise<number> {
      return files.countWith(database.read, (await statusFor(database.read, actor, id)).id);
    },

    setDefault(actor: Actor, teamId: number, statusId: number | null): Promise<TeamStatuses> {
      return database.write(async (tx) => {
        const all = await lockedTeam(tx, actor, teamId);
        if (statusId !== null && !all.some(({ id }) => id === statusId)) throw ofThisTeam("status_id");
        const before = await teamStatuses(tx, teamId);
        if (before.defaultId === statusId) return before;
        await tx.updateTable("teams").set({ default_status_id: statusId }).where("id", "=", teamId).execute();
        return tell(tx, actor, teamId, "file_status.default_set", `team:${teamId}`);
      });
    },
  };
}
