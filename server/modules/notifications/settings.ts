/** Which notifications a person gets, where and when: for the whole account, and for single projects. */
import type { Channels, NotificationKind } from "../../../contract/notification-records.ts";
import { assertCan, loadAuthorizedProject, visibleProjects, type Actor } from "../../access/access.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { accountChannels, NO_ACCOUNT_SETTINGS, parseKinds, type AccountSettings, type KindSettings } from "./channels.ts";

type ProjectRow = Omit<Row<"project_notification_settings">, "account_id">;
type ChannelChanges = { [C in keyof Channels]?: Channels[C] | undefined };
export type KindChanges = { [K in NotificationKind]?: ChannelChanges | null | undefined };

export interface AccountChanges {
  kinds?: KindChanges | undefined;
  /** Minutes since midnight; null: none. */
  doNotDisturb?: { start: number; end: number } | null | undefined;
  pausedUntil?: number | null | undefined;
}
export interface ProjectChanges {
  muted?: boolean | undefined;
  kinds?: KindChanges | undefined;
}

/** Returns the stored settings with changes applied to what currently applies; a kind that is null goes back to what applies without it. */
function applyChanges(stored: KindSettings, changes: KindChanges | undefined, current: (kind: NotificationKind) => Channels): string {
  const kinds = { ...stored };
  for (const [name, change] of Object.entries(changes ?? {})) {
    const kind = name as NotificationKind;
    if (change === null) delete kinds[kind];
    else if (change) {
      const { app, push, mail } = { ...current(kind), ...kinds[kind] };
      kinds[kind] = { app: change.app ?? app, push: change.push ?? push, mail: change.mail ?? mail };
    }
  }
  return JSON.stringify(kinds);
}

export async function loadAccountSettings(db: Db, accountId: number): Promise<AccountSettings> {
  const row = await db.selectFrom("notification_settings").selectAll().where("account_id", "=", accountId).executeTakeFirst();
  return row ?? NO_ACCOUNT_SETTINGS;
}

async function loadProjectSettings(db: Db, accountId: number, projectId: number): Promise<ProjectRow> {
  const row = await db
    .selectFrom("project_notification_settings")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row ?? { project_id: projectId, muted: 0, kinds: "{}" };
}

export function createNotificationSettings({ database, events }: ModuleDeps) {
  /** Changes one person's settings one after another, and lets their other clients know. */
  const change = <T>(actor: Actor, work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.write(async (tx) => {
      await events.lock(tx, topicOf.account(actor.accountId));
      const result = await work(tx);
      await events.append(tx, topicOf.account(actor.accountId), "notification_settings.changed", {});
      return result;
    });

  return {
    async get(actor: Actor): Promise<AccountSettings> {
      assertCan(actor, "self", {}, "");
      return loadAccountSettings(database.read, actor.accountId);
    },

    update(actor: Actor, { kinds, doNotDisturb, pausedUntil }: AccountChanges): Promise<AccountSettings> {
      assertCan(actor, "self", {}, "");
      return change(actor, async (tx) => {
        const { accountId } = actor;
        const stored = await loadAccountSettings(tx, accountId);
        const row: AccountSettings = {
          kinds: applyChanges(parseKinds(stored.kinds), kinds, (kind) => accountChannels(stored, kind)),
          do_not_disturb_start: doNotDisturb === undefined ? stored.do_not_disturb_start : (doNotDisturb?.start ?? null),
          do_not_disturb_end: doNotDisturb === undefined ? stored.do_not_disturb_end : (doNotDisturb?.end ?? null),
          paused_until: pausedUntil === undefined ? stored.paused_until : pausedUntil,
        };
        await tx
          .insertInto("notification_settings")
          .values({ account_id: accountId, ...row })
          .onConflict((on) => on.column("account_id").doUpdateSet(row))
          .execute();
        return row;
      });
    },

    /** Returns the settings of projects that the person sees, by the projects' ids. */
    async listProjects(actor: Actor, after: number, limit: number): Promise<{ rows: ProjectRow[]; next: number | null }> {
      assertCan(actor, "self", {}, "");
      const rows = await visibleProjects(database.read, actor)
        .innerJoin("project_notification_settings", "project_notification_settings.project_id", "projects.id")
        .select(["project_id", "muted", "kinds"])
        .where("account_id", "=", actor.accountId)
        .where("project_id", ">", after)
        .orderBy("project_id")
        .limit(limit + 1)
        .execute();
      const page = rows.slice(0, limit);
      return { rows: page, next: rows.length > limit ? (page.at(-1)?.project_id ?? null) : null };
    },

    async getProject(actor: Actor, projectId: number): Promise<ProjectRow> {
      await loadAuthorizedProject(database.read, actor, "project.read", projectId);
      return loadProjectSettings(database.read, actor.accountId, projectId);
    },

    updateProject(actor: Actor, projectId: number, { muted, kinds }: ProjectChanges): Promise<ProjectRow> {
      assertCan(actor, "self", {}, "");
      return change(actor, async (tx) => {
        const { accountId } = actor;
        await loadAuthorizedProject(tx, actor, "project.read", projectId);
        const account = await loadAccountSettings(tx, accountId);
        const stored = await loadProjectSettings(tx, accountId, projectId);
        const row: ProjectRow = {
          project_id: projectId,
          muted: muted === undefined ? stored.muted : muted ? 1 : 0,
          kinds: applyChanges(parseKinds(stored.kinds), kinds, (kind) => accountChannels(account, kind)),
        };
        const ofAccount = tx.deleteFrom("project_notification_settings").where("account_id", "=", accountId).where("project_id", "=", projectId);
        await ofAccount.execute();
        if (row.muted === 1 || row.kinds !== "{}")
          await tx
            .insertInto("project_notification_settings")
            .values({ account_id: accountId, ...row })
            .execute();
        return row;
      });
    },
  };
}
