/** How much of a project notifies the person, as one choice over the settings of its kinds. */
import { type Channels, type NotificationKind, PROJECT_KINDS, type ProjectNotificationSettings } from "../../../contract/notification-records.ts";

export const LEVELS = ["all", "mentions", "nothing"] as const;
export type NotificationLevel = (typeof LEVELS)[number];

/** What "mentions" leaves on. */
const DIRECT: readonly NotificationKind[] = ["mention", "reply"];
const OFF = { app: false, push: false, mail: "off" } as const;

type Settings = Pick<ProjectNotificationSettings, "muted" | "kinds">;

/** Returns the level of a project without settings (undefined) or with some; null if they were chosen one by one. */
export function levelOf(settings: Settings | undefined): NotificationLevel | null {
  if (!settings) return "all";
  if (settings.muted) return "nothing";
  const isOff = (kind: NotificationKind) => {
    const channels = settings.kinds[kind] as Channels | undefined;
    return channels !== undefined && !channels.app && !channels.push && channels.mail === "off";
  };
  const own = PROJECT_KINDS.filter((kind) => settings.kinds[kind] !== undefined);
  if (own.length === 0) return "all";
  return PROJECT_KINDS.every((kind) => (DIRECT.includes(kind) ? !own.includes(kind) : isOff(kind))) ? "mentions" : null;
}

/** Returns the changes that give a project a level. "nothing" leaves the choices below it, which are back with "all" of a project that had none. */
export function changesFor(level: NotificationLevel) {
  if (level === "nothing") return { muted: true };
  const kinds = PROJECT_KINDS.map((kind) => [kind, level === "mentions" && !DIRECT.includes(kind) ? OFF : null] as const);
  return { muted: false, kinds: Object.fromEntries(kinds) };
}
