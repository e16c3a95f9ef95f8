/** Dependencies of the webhooks module beyond those shared by all modules. */
import type { NotifyDeps } from "../notifications/notify.ts";
import type { EndpointSecrets } from "./secrets.ts";

export interface WebhookDeps extends NotifyDeps {
  /** Returns what is wrong with a receiver URL, phrased to follow the field name; null if it is valid. */
  findUrlIssue(url: string): string | null;
  secrets: EndpointSecrets;
  /** How long a test waits for its result, in milliseconds. */
  testWaitMs: number;
}
