/** Generates example values from a JSON schema, so that the API reference cannot show a shape that the API does not have. */
import type { JsonSchema } from "./json-schema.ts";

const EXAMPLE_BY_NAME: Record<string, unknown> = {
  name: "Nightdrive EP",
  title: "In review",
  username: "Ana Kovač",
  email: "ana@northlight.example",
  login: "ana@northlight.example",
  organisation: "Northlight Audio",
  invited_by: "Ana Kovač",
  body: "Bass is hot at 1:23, everything else sits.",
  description: "Four songs, release in March",
  user_info: "Mixing engineer",
  password: "four words are better",
  current_password: "four words are better",
  new_password: "five words are better still",
  client_id: "01JD4Z8Q6W3N",
  token: "…",
  token_type: "Bearer",
  expires_in: 3600,
  scope: "account:read chat:read files:read",
  grant_type: "authorization_code",
  grant_types: ["authorization_code", "refresh_token"],
  response_type: "code",
  response_types: ["code"],
  response_mode: "query",
  code_challenge_method: "S256",
  token_endpoint_auth_method: "none",
  decision: "allow",
  redirect_uri: "https://tools.example/callback",
  redirect_uris: ["https://tools.example/callback"],
  redirect_host: "tools.example",
  redirect_hosts: ["tools.example"],
  client_name: "Cutlist",
  ticket: "…",
  url: "https://talkback.example/…",
  hint: "tb_pat_3f9a01bc_…",
  user_agent: "Firefox 145 on macOS",
  address: "203.0.113.7",
  object: "list",
  type: "message",
  role: "member",
  avatar_url: null,
  time_zone: "Europe/Zagreb",
  locale: "en-GB",
  days: [1, 2, 3, 4, 5],
  start: "10:00",
  end: "18:30",
  next_cursor: null,
  cursor: "YWZ0ZXI6NDI",
  version: 5,
  limit: 50,
  color: 7,
  position: 2,
  revision: 1,
  unread_count: 3,
  emoji: "👍",
  account_ids: [2, 5],
  scopes: ["chat:read", "chat:write"],
  features: ["chat", "projects", "live"],
  limits: { message_characters: 10_000 },
  projects: ["Nightdrive EP"],
  group_id: 4,
  parent_message_id: null,
  parent_chat_id: null,
  parent_account_id: null,
  root_folder_id: null,
  edited_at: null,
  due_date: "2026-03-09T00:00:00.000Z",
  file_name: "nightdrive_mix_v5.wav",
  closed: true,
  expires_at: "2027-02-01T00:00:00.000Z",
  event_type: "file.status_changed",
  event_id: "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42",
  subject: "nightdrive_mix_v5.wav → Approved",
  state: "delivered",
  outcome: "ok",
  status: 200,
  duration_ms: 84,
  attempt_count: 1,
  enabled: true,
  secret: "whsec_…",
  secret_hint: "f3Q=",
  request_headers: { "webhook-id": "7f0c2a5e-41d1-4c0b-9a55-0f3f5b1c7e42" },
  response_headers: { "content-type": "application/json" },
  response_body: "{}",
  remark: null,
  next_attempt_at: null,
  failing_since: null,
  disabled_reason: null,
  disabled_at: null,
  disabled_by_account_id: null,
  previous_secret_until: null,
};
/** Examples for request members that mean something else than the response member of the same name. */
const REQUEST_EXAMPLES: Record<string, unknown> = {
  url: "https://tools.example/talkback",
  endpoint: "https://push.example/send/dXBkYXRl",
  // Of the example in RFC 8291.
  p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
  auth: "BTBZMqHH6r4Tts7J_aSIgg",
};

const EXAMPLE_IDS: Record<string, number> = {
  project_id: 12,
  chat_id: 12,
  team_id: 1,
  account_id: 2,
  message_id: 8041,
  last_message_id: 8041,
  last_read_message_id: 8038,
  before_id: 8041,
};
/** Mutually exclusive members and members that only complicate a first example. */
const OMITTED_MEMBERS = new Set(["before_id", "after_id", "around_id", "include_deleted", "attachment_ids", "is_audio_message", "parent_message_id"]);

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value === "number" ? (Number.isInteger(value) ? "integer" : "number") : typeof value;

/** True if a schema allows `value` by its type or its enum: members of the same name may differ between records. */
function allows(schema: JsonSchema, value: unknown): boolean {
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (alternatives) return alternatives.some((alternative) => allows(alternative, value));
  if (Array.isArray(schema.enum)) return schema.enum.includes(value);
  const type = typeOf(value);
  return [schema.type].flat().some((allowed) => allowed === type || (allowed === "number" && type === "integer"));
}

export function createExample(schema: JsonSchema, components: Record<string, JsonSchema>, options: { request: boolean }, name = ""): unknown {
  if (typeof schema.$ref === "string") return createExample(components[schema.$ref.split("/").at(-1) ?? ""] ?? {}, components, options, name);
  if ("const" in schema) return schema.const;
  if (schema.properties) {
    const entries = Object.entries(schema.properties as Record<string, JsonSchema>).filter(([member]) => !(options.request && OMITTED_MEMBERS.has(member)));
    return Object.fromEntries(entries.map(([member, child]) => [member, createExample(child, components, options, member)]));
  }
  if (options.request && name in REQUEST_EXAMPLES) return REQUEST_EXAMPLES[name];
  if (name in EXAMPLE_BY_NAME && allows(schema, EXAMPLE_BY_NAME[name])) return EXAMPLE_BY_NAME[name];
  if (name in EXAMPLE_IDS && allows(schema, EXAMPLE_IDS[name])) return EXAMPLE_IDS[name];
  if (name === "attachments" || name === "reactions" || name === "errors") return [];
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  // A message that shows a comment is a rare one.
  if (name === "comment" && alternatives) return null;
  if (alternatives?.[0]) return createExample(alternatives[0], components, options, name);
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (Array.isArray(schema.prefixItems)) return (schema.prefixItems as JsonSchema[]).map((child) => createExample(child, components, options, name));
  if (type === "array") return [createExample((schema.items ?? {}) as JsonSchema, components, options, name.replace(/s$/, ""))];
  if (type === "integer" || type === "number") return Math.min(Math.max(7, Number(schema.minimum ?? 0)), Number(schema.maximum ?? 7));
  if (type === "boolean") return false;
  if (schema.format === "date-time") return "2026-11-17T14:02:11.000Z";
  return type === "string" ? "…" : {};
}
