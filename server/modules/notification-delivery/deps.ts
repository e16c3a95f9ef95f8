/** Dependencies of the module beyond those shared by all modules. */
import type { ModuleDeps } from "../../access/deps.ts";
import type { Guard } from "../../delivery/guard.ts";
import type { PushKeys } from "../../delivery/send-push.ts";
import type { MailConfig } from "../../mail-settings.ts";
import type { PushTargets } from "./push-targets.ts";

export interface NotificationDeliveryDeps extends ModuleDeps {
  /** null: no emails are sent. */
  mail: MailConfig | null;
  /** Which addresses push messages may go to. */
  guard: Guard;
  pushKeys: PushKeys;
  pushTargets: PushTargets;
  /** Signs the links at the end of emails. */
  mailLinkKey: Buffer;
}
