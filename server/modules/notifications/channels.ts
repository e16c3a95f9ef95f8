/** Decides where a notification goes: the defaults, changed by the account's settings, changed by those for the project. */
import { DEFAULT_CHANNELS, type Channels, type NotificationKind } from "../../../contract/notification-records.ts";
import type { Db, Row } from "../../db/schema.ts";

export type KindSettings = Partial<Record<NotificationKind, Partial<Channels>>>;
export type AccountSettings = Omit<Row<"notification_settings">, "account_id">;
export type ProjectSettings = Pick<Row<"project_notification_settings">, "muted" | "kinds">;

export const NO_ACCOUNT_SETTINGS: AccountSettings = { kinds: "{}", do_not_disturb_start: null, do_not_disturb_end: null, paused_until: null };

export const parseKinds = (kinds: string): KindSettings => JSON.parse(kinds) as KindSettings;

/** Returns the channels of a kind for an account, without those of a project. */
export const accountChannels = ({ kinds }: AccountSettings, kind: NotificationKind): Channels => ({ ...DEFAULT_CHANNELS[kind], ...parseKinds(kinds)[kind] });

/** Returns the channels of a kind; null if the person has muted the project or wants none of the kind. */
export function resolveChannels(account: AccountSettings, project: ProjectSettings | undefined, kind: NotificationKind): Channels | null {
  if (project?.muted === 1) return null;
  const channels = { ...accountChannels(account, kind), ...(project && parseKinds(project.kinds)[kind]) };
  return channels.app || channels.push || channels.mail !== "off" ? channels : null;
}

/** A person who may get a notification, with the settings that apply. */
export interface Recipient {
  id: number;
  settings: AccountSettings;
  timeZone: string;
  project: ProjectSettings | undefined;
}

/** Loads the settings of people, in order of their ids. */
export async function loadRecipients(db: Db, ids: readonly number[], projectId: number | null): Promise<Recipient[]> {
  if (ids.length === 0) return [];
  const accounts = await db.selectFrom("notification_settings").selectAll().where("account_id", "in", ids).execute();
  const projects = await db
    .selectFrom("project_notification_settings")
    .selectAll()
    .where("account_id", "in", ids)
    .where("project_id", "=", projectId ?? 0)
    .execute();
  const zones = await db.selectFrom("accounts").select(["id", "time_zone"]).where("id", "in", ids).execute();
  const zoneOf = new Map(zones.map(({ id, time_zone }) => [id, time_zone]));
  const settingsOf = new Map(accounts.map(({ account_id, ...settings }) => [account_id, settings]));
  const projectOf = new Map(projects.map((row) => [row.account_id, row]));
  return ids
    .toSorted((a, b) => a - b)
    .map((id) => ({ id, settings: settingsOf.get(id) ?? NO_ACCOUNT_SETTINGS, timeZone: zoneOf.get(id) ?? "UTC", project: projectOf.get(id) }));
}
