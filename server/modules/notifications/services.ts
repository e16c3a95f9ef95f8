import type { ModuleDeps } from "../../access/deps.ts";
import { createNotify, type OnCreated } from "./notify.ts";
import { createNotificationReads } from "./read-state.ts";
import { createNotificationSettings } from "./settings.ts";
import { createFileWatching } from "./watching.ts";

export interface NotificationOptions {
  /** Sends what goes elsewhere than to the list. */
  onCreated: OnCreated;
}

export const createNotificationServices = (deps: ModuleDeps, options: NotificationOptions) => ({
  notify: createNotify({ ...deps, ...options }),
  notificationReads: createNotificationReads(deps),
  notificationSettings: createNotificationSettings(deps),
  fileWatching: createFileWatching(deps),
});

export type NotificationServices = ReturnType<typeof createNotificationServices>;
