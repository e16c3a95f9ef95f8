/** Checks each operation's scope against its rule, so that no operation accepts a wrong scope by accident. */
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { Operation, Scope } from "./define-operation.ts";
import { WEBHOOK_LOG_SCOPES } from "./event-access.ts";

const folder = new URL("./operations/", import.meta.url);
const modules = await Promise.all(readdirSync(folder).map((name) => import(new URL(name, folder).href) as Promise<Record<string, unknown>>));
const operations = modules.flatMap((operationModule) => Object.entries(operationModule)).filter((entry): entry is [string, Operation] => isOperation(entry[1]));

function isOperation(value: unknown): value is Operation {
  return typeof value === "object" && value !== null && "rule" in value && "scope" in value && "path" in value;
}

/** Maps each rule to the scopes that its operations may have. */
const ALLOWED_SCOPES: Record<string, (string | null)[]> = {
  open: [null],
  self: ["session", "account:read", "account:write"],
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
  "agent.read": ["account:read"],
  "agent.manage": ["session"],
  "agent_action.read": ["account:read"],
  "agent_action.undo": ["session"],
  "agent.subscribe": ["account:read", "account:write"],
  "comment.read": ["files:read"],
  "file.read": ["files:read"],
  "task.read": ["files:read"],
  "agent_task.read": ["account:read"],
  "playlist.read": ["files:read"],
};
const WRITES_FILES = /^(comment|file|metadata|playlist|task|task_template)\./;

interface SchemaDefinition {
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  options?: Schema[];
  values?: unknown[];
}
type Schema = { _zod: { def: object } };
const partsOf = (schema: Schema): Schema[] => {
  const { shape = {}, element, innerType, options = [] } = schema._zod.def as SchemaDefinition;
  return [...Object.values(shape), ...options, ...[element, innerType].filter((part) => part !== undefined)];
};
/** What a response is about: its `data`, one or a list, or the whole response. */
function subjectOf(response: Schema): Schema {
  const { data } = (response._zod.def as SchemaDefinition).shape ?? {};
  return data === undefined ? response : ((data._zod.def as SchemaDefinition).element ?? data);
}

/** Each record that an operation of a reading scope returns, with that scope. */
const SCOPE_OF_RECORD = new Map<Schema, Scope>();
for (const [, { scope, response }] of operations)
  if (response && (scope === "chat:read" || scope === "files:read" || scope === "account:read")) SCOPE_OF_RECORD.set(subjectOf(response), scope);

/** The records of a response that can also be read. What is within one, such as the attachments of a message, is read with it. */
const recordsIn = (schema: Schema): Scope[] => {
  const scope = SCOPE_OF_RECORD.get(schema);
  return scope === undefined ? partsOf(schema).flatMap(recordsIn) : [scope];
};

/** Operations whose response shows only what the request itself contained. Requests that show more need the scope for it (token-power.test.ts). */
const SHOW_ONLY_WHAT_THEY_CREATE = ["createFolder", "createMessage", "createTaskTemplate", "sendMessage", "writeComment"];

test("operations that return records need the scope for reading them too", () => {
  expect(SCOPE_OF_RECORD.size).toBeGreaterThan(20);
  const missing = operations.flatMap(([name, { scope, furtherScopes = [], response }]) => {
    // `admin` manages people, projects, groups, teams and statuses, and sees those that it changes.
    if (!response || scope === null || scope === "session" || scope === "admin" || SHOW_ONLY_WHAT_THEY_CREATE.includes(name)) return [];
    return recordsIn(response).flatMap((needed) => ([scope, ...furtherScopes].includes(needed) ? [] : `${name} without ${needed}`));
  });
  expect([...new Set(missing)]).toEqual([]);
});

test("reading the delivery log needs the scope of the names that it shows", () => {
  const readsDeliveries = operations.filter(([, { scope, furtherScopes }]) => scope === "webhooks" && furtherScopes !== undefined);
  expect(readsDeliveries.map(([name]) => name).toSorted()).toEqual(["getDelivery", "listAttempts", "listDeliveries", "redeliver"]);
  for (const [name, { furtherScopes }] of readsDeliveries) expect(furtherScopes, name).toEqual(WEBHOOK_LOG_SCOPES);
});

test("every operation has the scope that its rule requires", () => {
  expect(operations.length).toBeGreaterThan(100);
  const wrong = operations.filter(([, { rule, scope }]) => !(ALLOWED_SCOPES[rule] ?? [WRITES_FILES.test(rule) ? "files:write" : "admin"]).includes(scope));
  expect(wrong.map(([name, { rule, scope }]) => `${name}: ${rule} with ${scope}`)).toEqual([]);
});
