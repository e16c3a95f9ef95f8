import type { ModuleDeps } from "../../access/deps.ts";
import { createNotify, type OnCreated } from "./notify.ts";

export interface NotificationOptions {
  /** Sends what goes elsewhere than to the list. */
  onCreated: OnCreated;
}

export const createNotificationServices = (deps: ModuleDeps, options: NotificationOptions) => ({ notify: createNotify({ ...deps, ...options }) });

export type NotificationServices = ReturnType<typeof createNotificationServices>;
