/** Checks each operation's scope against its rule, so that no operation accepts a wrong scope by accident. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Operation } from "./define-operation.ts";
import { WEBHOOK_EVENT_SCOPES } from "./event-access.ts";

const folder = new URL("./operations/", import.meta.url);
const modules = await Promise.all(readdirSync(folder).map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>));
const operations = modules.flatMap((operationModule) => Object.entries(operationModule)).filter((entry): entry is [string, Operation] => isOperation(entry[1]));

function isOperation(value: unknown): value is Operation {
  return typeof value === "object" && value !== null && "rule" in value && "scope" in value && "path" in value;
}

/** Maps each rule to the scopes that its operations may have. */
const ALLOWED_SCOPES: Record<string, (string | null)[]> = {
  open: [null],
  self: ["session", "account:read"],
  "account.read": ["account:read"],
  "account.manage": ["session", "admin"],
  "group.read": ["account:read"],
  "project.read": ["account:read"],
  "team.read": ["account:read", "files:read"],
  "chat.read": ["chat:read"],
  "chat.write": ["chat:write"],
  "message.edit": ["chat:write"],
  "message.delete": ["chat:write"],
  "message.restore": ["chat:write"],
  "webhook.manage": ["webhooks"],
  "comment.read": ["files:read"],
  "file.read": ["files:read"],
  "task.read": ["files:read"],
};
const WRITES_FILES = /^(comment|file|task|task_template)\./;

test("reading deliveries needs the scopes of all that webhook events contain, and only that needs further scopes", () => {
  const withFurther = operations.filter(([, { furtherScopes }]) => furtherScopes !== undefined);
  expect(withFurther.map(([name]) => name).toSorted()).toEqual(["getDelivery", "listAttempts", "listDeliveries", "redeliver"]);
  for (const [name, { furtherScopes }] of withFurther) expect(furtherScopes, name).toEqual(WEBHOOK_EVENT_SCOPES);
});

test("every operation has the scope that its rule requires", () => {
  expect(operations.length).toBeGreaterThan(100);
  const wrong = operations.filter(([, { rule, scope }]) => !(ALLOWED_SCOPES[rule] ?? [WRITES_FILES.test(rule) ? "files:write" : "admin"]).includes(scope));
  expect(wrong.map(([name, { rule, scope }]) => `${name}: ${rule} with ${scope}`)).toEqual([]);
});
