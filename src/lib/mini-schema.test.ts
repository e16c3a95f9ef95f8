import fc from "fast-check";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { expect, test, vi } from "vitest";

const CONTRACT = new URL("../../contract/", import.meta.url);

type ParseResult = { success: boolean; data?: unknown; error?: { issues: { path: PropertyKey[] }[] } };
interface Parser {
  safeParse(input: unknown): ParseResult;
}
type OperationSchemas = Record<string, { body?: Parser; response?: Parser | null }>;

async function loadContract(validator: "real" | "mini") {
  vi.resetModules();
  if (validator === "mini") {
    vi.doMock("zod/mini", () => import("./mini-schema.ts"));
    vi.doMock("zod/v4/locales/en.js", () => import("./mini-schema.ts"));
  }
  const { operations } = await import("../../contract/operations/all.ts");
  const { EVENT_DATA, serverFrame } = await import("../../contract/events.ts");
  const { LAZY_EVENT_DATA } = await import("../../contract/lazy-events.ts");
  const { problem } = await import("../../contract/records.ts");
  vi.doUnmock("zod/mini");
  vi.doUnmock("zod/v4/locales/en.js");
  const schemas = new Map<string, Parser>([
    ["problem", problem],
    ["serverFrame", serverFrame],
  ]);
  for (const [name, { body, response }] of Object.entries(operations as unknown as OperationSchemas)) {
    if (body) schemas.set(`${name} body`, body);
    if (response) schemas.set(`${name} response`, response);
  }
  for (const [name, schema] of Object.entries({ ...EVENT_DATA, ...LAZY_EVENT_DATA })) schemas.set(name, schema);
  return schemas;
}

const real = await loadContract("real");
const mini = await loadContract("mini");

const account = { id: 7, username: "Ana", email: "ana@a.example", avatar_url: null, user_info: "" };
const project = {
  id: 3,
  team_id: 1,
  group_id: null,
  name: "EP",
  description: "",
  root_folder_id: null,
  created_at: "2026-11-20T10:00:00.000Z",
  role: "member",
  unread_count: 2,
  last_message_id: 9,
  last_read_message_id: null,
};
const message = {
  id: 9,
  chat_id: 3,
  account_id: 7,
  body: "hi",
  datetime: "2026-11-20T10:00:00.000Z",
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
  reactions: [{ emoji: "👍", account_ids: [1] }],
};
const session = { account, organisation: { id: 1, name: "N" }, role: "owner", scopes: ["admin"], authorized_by: "session", session_id: 4 };
const person = { ...account, role: "guest" };
const timestamp = "2026-11-20T10:00:00Z";
const task = {
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
/** Valid input for most schemas; the mutations make it invalid. */
const SEEDS: unknown[] = [
  { object: "list", data: [message], has_more_before: true, seq: 4 },
  { object: "message", data: message },
  { object: "list", data: [project], next_cursor: null },
  { object: "project", data: project },
  { object: "session", data: session },
  { object: "list", data: [{ ...person, disabled: false, created_at: timestamp, last_seen_at: null, project_ids: [1] }], next_cursor: "x" },
  { object: "service", data: { name: "T", version: "1", features: ["live"], limits: { a: 1 }, setup_required: false } },
  { object: "error", status: 400, title: "no", errors: [{ path: "a", message: "b" }] },
  { object: "list", data: [{ id: 1, name: "t", organisation_id: 1, role: "owner" }] },
  { object: "list", data: [{ id: 1, name: "g", description: "", team_id: 1 }] },
  { project_id: 3, body: "hello", client_id: "abcdefgh", limit: 20 },
  { team_id: 1, role: "member", project_ids: [1, 2], email: "a@b.c", name: "x", group_id: null },
  { login: "ana", password: "correct horse battery", token: "t", organisation: "o", username: "Ana", email: "a@b.c" },
  { name: "CI", scopes: ["admin"], expires_at: "2026-12-01T00:00:00+01:00", current_password: "a", new_password: "correct horse" },
  message,
  project,
  { project_id: 3, member: person },
  { project_id: 3, last_read_message_id: 2, unread_count: 0 },
  { event: { topic: "project:3", seq: 2, type: "message.created", time: timestamp, data: {} } },
  { object: "list", data: [task], next_cursor: null },
  { file_id: 7, tasks: [{ title: "Bounce", due_date: "2026-03-02", assignee_account_id: 7 }] },
  { title: "Bounce", due_date: "2026-03-02T00:00:00Z", closed: true, team_id: 1, name: "x", tasks: [{ title: "a", due_days: 3 }] },
  task,
  { pong: 3 },
  { reset: { topic: "a", seq: 1 } },
];

const LEAVES = [
  null,
  undefined,
  "",
  "text",
  "  ",
  "a\nb",
  "a\u0000b",
  "\ud800",
  0,
  -1,
  1,
  1.5,
  2 ** 53,
  Number.NaN,
  true,
  [],
  [1],
  {},
  "2026-13-01T00:00:00Z",
  "x".repeat(300),
];

/** Replaces, removes or adds one member somewhere in a copy. */
function mutate(value: unknown, path: number[], leaf: unknown, mode: number): unknown {
  if (path.length === 0 || typeof value !== "object" || value === null) return leaf;
  const copy: Record<string, unknown> = Array.isArray(value) ? ([...value] as never) : { ...value };
  const keys = Object.keys(copy);
  const key = keys[path[0]! % Math.max(keys.length, 1)];
  if (key === undefined || mode === 2) copy["extra"] = leaf;
  else if (mode === 1 && path.length === 1) delete copy[key];
  else copy[key] = mutate(copy[key], path.slice(1), leaf, mode);
  return copy;
}

test("every function of the validator that the contract calls has a counterpart", async () => {
  const counterpart: Record<string, unknown> = await import("./mini-schema.ts");
  const files = readdirSync(CONTRACT, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  const called = new Set(
    files.flatMap((name) => [...readFileSync(join(CONTRACT.pathname, name), "utf8").matchAll(/\bz\.([a-z]\w*)[.(]/g)].map((match) => match[1]!)),
  );
  expect(called.size).toBeGreaterThan(15);
  expect([...called].filter((name) => !(name in counterpart))).toEqual([]);
});

test("both validators build the same schemas", () => {
  expect([...mini.keys()]).toEqual([...real.keys()]);
  expect(mini.get("sendMessage response")).not.toBeInstanceOf(real.get("sendMessage response")!.constructor);
});

test("the seeds are valid for enough schemas to make the comparison meaningful", () => {
  const accepted = [...real].filter(([, schema]) => SEEDS.some((seed) => schema.safeParse(seed).success));
  expect(accepted.length).toBeGreaterThan(30);
});

const pathsOf = ({ error }: ParseResult): Set<string> => new Set(error!.issues.map(({ path }) => path.join(".")));
/** Compares without `expect` first, because nearly all values are equal and `expect` takes a hundred times as long. */
function expectEqual(actual: unknown, expected: unknown, name: string): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual, name).toEqual(expected);
}

test("both validators accept, reject and parse the same, whatever the input", () => {
  const names = [...real.keys()];
  fc.assert(
    fc.property(fc.constantFrom(...SEEDS), fc.array(fc.nat(30), { maxLength: 4 }), fc.constantFrom(...LEAVES), fc.nat(3), (seed, path, leaf, mode) => {
      const input = path.length === 0 ? seed : mutate(seed, path, leaf, mode);
      for (const name of names) {
        const a = real.get(name)!.safeParse(input);
        const b = mini.get(name)!.safeParse(input);
        expectEqual(b.success, a.success, name);
        if (a.success) expectEqual(b.data, a.data, name);
        // For a union both report that no option fits, but at different paths.
        else if (name !== "serverFrame") expectEqual(pathsOf(b), pathsOf(a), name);
      }
    }),
    { numRuns: 500 },
  );
}, 30_000);
