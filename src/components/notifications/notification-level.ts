/** How much of a project notifies the person, as one choice over the settings of its kinds. Muting is separate and leaves them as they are. */
import { type Channels, type NotificationKind, PROJECT_KINDS, type ProjectNotificationSettings } from "../../../contract/notification-records.ts";

/** "default" follows the account's settings; "custom" is what was chosen kind by kind in the settings. */
export const LEVELS = ["default", "mentions", "custom"] as const;
export type NotificationLevel = (typeof LEVELS)[number];

/** What "mentions" leaves as in the account's settings. */
const DIRECT: readonly NotificationKind[] = ["mention", "reply"];
const OFF = { app: false, push: false, mail: "off" } as const;

type Kinds = ProjectNotificationSettings["kinds"];

/** Returns the level of a project, whose settings are undefined if it has none of its own. */
export function levelOf(settings: { kinds: Kinds } | undefined): NotificationLevel {
  const kinds = settings?.kinds ?? {};
  const own = PROJECT_KINDS.filter((kind) => kinds[kind] !== undefined);
  if (own.length === 0) return "default";
  const isOff = (kind: NotificationKind) => {
    const channels = kinds[kind] as Channels | undefined;
    return channels !== undefined && !channels.app && !channels.push && channels.mail === "off";
  };
  return PROJECT_KINDS.every((kind) => (DIRECT.includes(kind) ? !own.includes(kind) : isOff(kind))) ? "mentions" : "custom";
}

/** Returns the changes that give a project a level and unmute it. A level that it has already leaves the settings of its kinds. */
export function changesFor(level: NotificationLevel, present: NotificationLevel) {
  if (level === present || level === "custom") return { muted: false };
  const kinds = PROJECT_KINDS.map((kind) => [kind, level === "mentions" && !DIRECT.includes(kind) ? OFF : null] as const);
  return { muted: false, kinds: Object.fromEntries(kinds) };
}

/** Returns the changes that bring back the settings of all kinds. */
export const allKinds = (kinds: Kinds) => Object.fromEntries(PROJECT_KINDS.map((kind) => [kind, (kinds[kind] as Channels | undefined) ?? null]));
