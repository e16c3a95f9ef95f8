/** Checks the stand-in for another service against tables copied from the service document, so that it cannot drift from it. No browser. */
import { expect, test } from "@playwright/test";
import { EMPTY_PROJECT, FILES, LONG_PROJECT, PROJECT } from "../../fixtures/documented-service/records.ts";
import { createOddRecords, ODD_FILES, ODD_PROJECT } from "../../fixtures/documented-service/odd-records.ts";
import { startDocumentedService, type DocumentedService } from "../../fixtures/documented-service/service.ts";

const isInteger = (value: unknown) => Number.isInteger(value);
const isNumber = (value: unknown) => typeof value === "number" && Number.isFinite(value);
const isString = (value: unknown): value is string => typeof value === "string";
const isBoolean = (value: unknown) => typeof value === "boolean";
const isTimestamp = (value: unknown) => isString(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(value);
const isUrl = (value: unknown) => isString(value) && URL.canParse(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const constant =
  (expected: string): Check =>
  (value) =>
    value === expected;
const isScore: Check = (value) => Array.isArray(value) && value.length === 2 && isString(value[0]) && isNumber(value[1]) && value[1] >= 0 && value[1] <= 1;
const isRanking: Check = (value) => {
  if (!listOf(isScore)(value)) return false;
  const scores = (value as [string, number][]).map(([, score]) => score);
  return scores.every((score, index) => index === 0 || score <= scores[index - 1]!);
};
type Check = (value: unknown) => boolean;
type Table = Record<string, Check>;

/** Sections 2.2 and 2.3. */
const MESSAGE: Table = {
  id: isInteger,
  chat_id: isInteger,
  account_id: isInteger,
  body: isString,
  datetime: isTimestamp,
  edited: isBoolean,
  is_audio_message: isBoolean,
  type: constant("message"),
  parent_message_id: orNull(isInteger),
  parent_chat_id: orNull(isInteger),
  parent_account_id: orNull(isInteger),
  attachments: Array.isArray,
};
const ATTACHMENT: Table = {
  id: isInteger,
  name: isString,
  size: isInteger,
  url: isUrl,
  compressed_file_url: orNull(isUrl),
  has_unread_comments: isBoolean,
  is_blind_drop: isBoolean,
  is_shared: isBoolean,
  transcoding_status: isString,
};
const VIDEO_MEMBERS: Table = { duration: isNumber, stills_url: isUrl, thumbnail_url: isUrl };
const IMAGE_MEMBERS: Table = { thumbnail: isUrl };
/** Sections 2.4 and 2.5. */
const FILE: Table = { ai_tags: isObject, common: isObject, file_info: isObject };
const AI_TAGS: Table = { bpm: isNumber, genres: isRanking, instruments: isRanking, moods: isRanking, key: listOf(isString) };
const COMMON: Table = {
  id: isInteger,
  name: isString,
  size: isInteger,
  url: isString,
  compressed_file_url: orNull(isString),
  account_id: isInteger,
  project_id: isInteger,
  file_team_id: isInteger,
  is_blind_drop: isBoolean,
  is_shared: isBoolean,
  status: orNull(isObject),
  transcoding_status: isString,
};
const AUDIO: Table = {
  object: constant("audio_file_info"),
  annotations: isString,
  audio_encoding: orNull(isString),
  bitrate: isString,
  bits_per_sample: isInteger,
  bpm: isNumber,
  duration: isNumber,
  key: orNull(isString),
  number_of_chanels: isInteger,
  number_of_samples: isInteger,
  samplerate: isInteger,
  wave: listOf(isNumber),
};
const STATUS: Table = { id: isInteger, title: isString, color: isInteger, position: isInteger };

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Expects exactly the members of the table, each of its type. */
function expectRecord(record: unknown, table: Table, name: string): void {
  const members = record as Record<string, unknown>;
  expect(Object.keys(members).toSorted(), name).toEqual(Object.keys(table).toSorted());
  for (const [member, check] of Object.entries(table)) expect(check(members[member]), `${name}.${member}`).toBe(true);
}

let service: DocumentedService;
test.beforeAll(async () => {
  service = await startDocumentedService({ basePath: "/service" });
});
test.afterAll(() => service.close());

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${service.token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
async function read<T>(path: string, body: unknown): Promise<T> {
  const response = await post(path, body);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/json");
  return (await response.json()) as T;
}

test("messages and attachments have exactly the documented members", async () => {
  const history = await read<{ object: string; data: Record<string, unknown>[] }>("/v1/account/projects/chat_history", { project_id: PROJECT, limit: 50 });
  expectRecord(history, { object: constant("list"), data: Array.isArray }, "list");
  const attachments = history.data.flatMap((message) => message["attachments"] as Record<string, unknown>[]);
  for (const message of history.data) expectRecord(message, MESSAGE, `message ${String(message["id"])}`);
  for (const attachment of attachments) {
    const kind = "thumbnail" in attachment ? IMAGE_MEMBERS : "duration" in attachment ? VIDEO_MEMBERS : {};
    expectRecord(attachment, { ...ATTACHMENT, ...kind }, `attachment ${String(attachment["name"])}`);
  }
  // Each documented variant occurs.
  const has = (records: Record<string, unknown>[], member: string, value: unknown) => records.some((record) => record[member] === value);
  for (const member of ["edited", "is_audio_message"]) for (const value of [true, false]) expect(has(history.data, member, value), member).toBe(true);
  for (const member of ["has_unread_comments", "is_blind_drop", "is_shared"])
    for (const value of [true, false]) expect(has(attachments, member, value)).toBe(true);
  expect(has(history.data, "body", "") && has(history.data, "parent_message_id", 2) && has(history.data, "parent_message_id", null)).toBe(true);
  expect(has(attachments, "compressed_file_url", null)).toBe(true);

  expect((await read<{ data: unknown[] }>("/v1/account/projects/chat_history", { project_id: EMPTY_PROJECT })).data).toEqual([]);
  expect((await read<{ data: unknown[] }>("/v1/account/projects/chat_history", { project_id: LONG_PROJECT, limit: 3 })).data).toHaveLength(3);
});

test("file infos have exactly the documented members", async () => {
  const statuses: unknown[] = [];
  for (const id of Object.values(FILES)) {
    const file = await read<Record<"ai_tags" | "common" | "file_info", Record<string, unknown>>>("/v1/files/get_info", { file_id: id });
    expectRecord(file, FILE, `file ${id}`);
    expectRecord(file.ai_tags, AI_TAGS, "ai_tags");
    expectRecord(file.common, COMMON, "common");
    statuses.push(file.common["status"]);
    if (file.common["status"] !== null) expectRecord(file.common["status"], STATUS, "status");
    // The document does not show the other kinds of file info.
    if ("object" in file.file_info) expectRecord(file.file_info, AUDIO, "file_info");
  }
  expect(statuses).toContain(null);
  expect(statuses.some((status) => status !== null)).toBe(true);
});

test("webhook endpoints are created, or refused with 400", async () => {
  const created = await read<Record<string, unknown>>("/api/v2/webhook-endpoints", { event_types: ["file.uploaded"], url: "https://hooks.example/in" });
  expect([typeof created["object"], isObject(created["data"])]).toEqual(["string", true]);
  for (const body of [{ url: "https://hooks.example/in" }, { event_types: [], url: "https://hooks.example" }, { event_types: ["x"], url: "nowhere" }, 7]) {
    expect((await post("/api/v2/webhook-endpoints", body)).status).toBe(400);
  }
  expect(service.webhookEndpoints).toHaveLength(1);
});

test("everything else is refused", async () => {
  const isHtmlNotFound = async (response: Response) => {
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("<!doctype html>");
  };
  await isHtmlNotFound(await fetch(`${service.baseUrl}/api/v2/service`));
  await isHtmlNotFound(await fetch(`${service.baseUrl}/v1/files/get_info`));
  await isHtmlNotFound(await fetch(`${new URL(service.baseUrl).origin}/v1/files/get_info`, { method: "POST" }));
  await isHtmlNotFound(await post("/v1/files/get_info/", { file_id: FILES.mix }));
  await isHtmlNotFound(await post("/v1/files/get_info", { file_id: FILES.mix }, { "content-type": "text/plain" }));
  expect((await post("/v1/files/get_info", { file_id: FILES.mix }, { authorization: "Bearer other" })).status).toBe(401);
  expect((await post("/v1/files/get_info", { file_id: FILES.mix, version: 2 })).status).toBe(400);
  expect((await post("/v1/files/get_info", { file_id: 1 })).status).toBe(404);
  expect(service.undocumentedRequests()).toContain("GET /api/v2/service");
});

test("media are sent in ranges, with the token where it is required", async () => {
  const response = await fetch(`${service.baseUrl}/media/song.wav`, { headers: { range: "bytes=0-3" } });
  expect([response.status, await response.text(), response.headers.get("content-range")?.startsWith("bytes 0-3/")]).toEqual([206, "RIFF", true]);
  service.mediaNeedsToken = true;
  expect((await fetch(`${service.baseUrl}/media/song.wav`)).status).toBe(401);
  service.mediaNeedsToken = false;
});

test("the variation with odd records differs from the document in values, and keeps ids and names", async () => {
  const odd = await startDocumentedService({ createRecords: createOddRecords });
  const headers = { authorization: `Bearer ${odd.token}`, "content-type": "application/json" };
  const readOdd = async (path: string, body: unknown) => (await fetch(odd.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const { data } = (await readOdd("/v1/account/projects/chat_history", { project_id: ODD_PROJECT })) as { data: { id: number }[] };
  expect(data.every(({ id }) => isInteger(id))).toBe(true);
  for (const id of Object.values(ODD_FILES)) {
    const { common } = (await readOdd("/v1/files/get_info", { file_id: id })) as { common: { id: number; name: string } };
    expect([common.id, isString(common.name)]).toEqual([id, true]);
  }
  await odd.close();
});
