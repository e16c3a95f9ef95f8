import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { EVENT_DATA, serverFrame } from "./events.ts";
import { operations } from "./operations/all.ts";
import { message, problem } from "./records.ts";

const timestamp = "2026-11-20T10:00:00.000Z";
const accountRecord = { id: 7, username: "Ana", email: "ana@a.example", avatar_url: null, user_info: "" };
const person = { ...accountRecord, role: "guest" };
const projectRecord = {
  id: 3,
  team_id: 1,
  group_id: null,
  name: "EP",
  description: "",
  root_folder_id: null,
  created_at: timestamp,
  role: "member",
  unread_count: 2,
  last_message_id: 9,
  last_read_message_id: null,
};
const messageRecord = {
  id: 9,
  chat_id: 3,
  account_id: 7,
  body: "hi",
  datetime: timestamp,
  edited: false,
  is_audio_message: false,
  type: "text",
  parent_message_id: null,
  parent_chat_id: null,
  parent_account_id: null,
  attachments: [],
  client_id: "abcdefgh",
  revision: 1,
  deleted: false,
  mentions: [7],
  reactions: [{ emoji: "👍", account_ids: [1] }],
};
const taskRecord = {
  object: "task",
  id: 4,
  title: "Bounce",
  file_id: 7,
  assignee_account_id: null,
  due_date: "2026-03-02T00:00:00.000Z",
  closed: false,
  closed_at: null,
  position: 1,
  created_by_account_id: 7,
  closed_by_account_id: null,
  created_at: timestamp,
  revision: 1,
  project_id: 3,
  file_name: "mix.wav",
  file_is_folder: false,
};
const session = { account: accountRecord, organisation: { id: 1, name: "N" }, role: "owner", scopes: ["admin"], authorized_by: "session", session_id: 4 };
const service = { name: "T", version: "1", features: ["live"], limits: { upload_bytes: 1 }, setup_required: false };

/** A schema of the wire, and a value that it accepts. */
type Case = [name: string, schema: z.ZodMiniType, value: Record<string, unknown>];
/** What the client reads: it tolerates members that it does not know. */
const READ: Case[] = [
  ["history", operations.chatHistory.response, { object: "list", data: [messageRecord], has_more_before: true, seq: 4 }],
  ["sent message", operations.sendMessage.response, { object: "message", data: messageRecord }],
  ["projects", operations.listProjects.response, { object: "list", data: [projectRecord], next_cursor: null }],
  ["session", operations.getSession.response, { object: "session", data: session }],
  ["service", operations.getService.response, { object: "service", data: service }],
  ["tasks", operations.listTasks.response, { object: "list", data: [taskRecord], next_cursor: null }],
  ["problem", problem, { object: "error", status: 400, title: "no", errors: [{ path: "a", message: "b" }] }],
  ["message.created", EVENT_DATA["message.created"], messageRecord],
  ["project.member_added", EVENT_DATA["project.member_added"], { project_id: 3, member: person }],
  ["read.moved", EVENT_DATA["read.moved"], { project_id: 3, last_read_message_id: 2, unread_count: 0 }],
  ["task.created", EVENT_DATA["task.created"], taskRecord],
  ["event frame", serverFrame, { event: { topic: "project:3", seq: 2, type: "message.created", time: timestamp, data: {} } }],
  ["reset frame", serverFrame, { reset: { topic: "a", seq: 1 } }],
];
/** What the service reads: it takes only the members that it knows. */
const WRITTEN: Case[] = [
  ["message to send", operations.sendMessage.body, { project_id: 3, body: "hello", client_id: "abcdefgh" }],
  ["token to create", operations.createToken.body, { name: "CI", scopes: ["admin"], expires_at: "2026-12-01T00:00:00+01:00" }],
  ["tasks to create", operations.createTasks.body, { file_id: 7, tasks: [{ title: "Bounce", due_date: "2026-03-02", assignee_account_id: 7 }] }],
];
const ALL = [...READ, ...WRITTEN];

const OPTIONAL_IN_MESSAGE = ["client_id", "revision", "deleted", "mentions", "reactions"];
/** The members that may be missing, by case; all others are required. */
const OPTIONAL: Record<string, string[]> = {
  history: [...OPTIONAL_IN_MESSAGE.map((name) => `data.0.${name}`), "has_more_before", "seq"],
  "sent message": OPTIONAL_IN_MESSAGE.map((name) => `data.${name}`),
  "message.created": OPTIONAL_IN_MESSAGE,
  service: ["data.limits.upload_bytes"],
  problem: ["errors"],
  "message to send": ["body", "client_id"],
  "token to create": ["expires_at"],
  "tasks to create": ["tasks.0.due_date", "tasks.0.assignee_account_id"],
};

const OTHER_VALUES = [null, "text", "", 0, -1, 1.5, 2 ** 53, Number.NaN, true, [], [1], {}];

type Path = (string | number)[];
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;
/** Returns the paths of all members, at any depth. */
const pathsOf = (value: unknown): Path[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([name, member]) => {
        const key = Array.isArray(value) ? Number(name) : name;
        return [[key], ...pathsOf(member).map((path) => [key, ...path])];
      })
    : [];
/** Returns a copy of `value` whose member at `path` went through `change`; undefined removes it. */
function changeAt(value: unknown, [key, ...rest]: Path, change: (member: unknown) => unknown): unknown {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string | number, unknown>;
  const changed = rest.length === 0 ? change(copy[key!]) : changeAt(copy[key!], rest, change);
  if (changed === undefined && !Array.isArray(copy)) delete copy[key!];
  else copy[key!] = changed;
  return copy;
}
const issuePaths = (schema: z.ZodMiniType, input: unknown): string[] => schema.safeParse(input).error?.issues.map(({ path }) => path.join(".")) ?? [];

describe.each(ALL)("%s", (name, schema, value) => {
  /** A union reports, about the whole value, that none of its forms fits. */
  const wholePath = schema === serverFrame ? "" : undefined;

  test("is accepted unchanged", () => expect(schema.safeParse(value)).toEqual({ success: true, data: value }));

  test("a missing member is reported at its path, unless it is optional", () => {
    const members = pathsOf(value).filter((path) => typeof path.at(-1) === "string");
    const accepted = [];
    for (const path of members) {
      const input = changeAt(value, path, () => undefined);
      const { success, data } = schema.safeParse(input);
      if (success) {
        accepted.push(path.join("."));
        expect(data, path.join(".")).toEqual(input);
      } else expect(issuePaths(schema, input)).toEqual([wholePath ?? path.join(".")]);
    }
    expect(accepted).toEqual(OPTIONAL[name] ?? []);
  });

  test("a member of another type is accepted as it is or reported at its path, and none takes every type", () => {
    for (const path of pathsOf(value)) {
      expect(OTHER_VALUES.some((other) => !schema.safeParse(changeAt(value, path, () => other)).success)).toBe(true);
      for (const other of OTHER_VALUES) {
        const input = changeAt(value, path, () => other);
        const { success, data } = schema.safeParse(input);
        const reported = issuePaths(schema, input);
        if (success) expect(data).toEqual(input);
        else expect(reported.filter((issuePath) => issuePath !== wholePath && !`${issuePath}.`.startsWith(`${path.join(".")}.`))).toEqual([]);
      }
    }
  });

  test("a value of another type is rejected", () => {
    for (const other of [null, undefined, "text", 1, [], [value]]) expect(schema.safeParse(other).success).toBe(false);
  });
});

test.each(READ)("parsing %s preserves unknown members at any depth", (_name, schema, value) => {
  for (const path of [[], ...pathsOf(value)]) {
    const add = (member: unknown) => (isObject(member) && !Array.isArray(member) ? { ...member, added_later: 1 } : member);
    const input = path.length === 0 ? add(value) : changeAt(value, path, add);
    expect(schema.safeParse(input)).toEqual({ success: true, data: input });
  }
});

test.each(WRITTEN)("unknown members of the %s are dropped", (_name, schema, value) => {
  expect(schema.safeParse({ ...value, added_later: 1 })).toEqual({ success: true, data: value });
});

test("a member named __proto__ does not set the prototype", () => {
  const { data } = message.safeParse(JSON.parse(`${JSON.stringify(messageRecord).slice(0, -1)}, "__proto__": { "isOwner": true }}`));
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  expect(data).not.toHaveProperty("isOwner");
});

test.each([Number.NaN, Infinity, -1, 0, 1.5, 2 ** 53, "9", null])("%s is no id", (id) => {
  expect(issuePaths(message, { ...messageRecord, id })).toEqual(["id"]);
});

test("issues are described in English", () => {
  const { error } = message.safeParse({ ...messageRecord, id: "9", body: 1 });
  expect(error?.issues.map(({ message: text }) => text)).toEqual([
    "Invalid input: expected number, received string",
    "Invalid input: expected string, received number",
  ]);
});
