/** What the webhooks room needs besides the common things. */
import type { DomainDeps } from "../deps.ts";
import type { EndpointSecrets } from "./secrets.ts";

export interface WebhookDeps extends DomainDeps {
  /** What is wrong with an address to send to, in words that follow its name; null: nothing. */
  findUrlIssue(url: string): string | null;
  secrets: EndpointSecrets;
  /** How long a test waits for what came back, in milliseconds. */
  testWaitMs: number;
}
