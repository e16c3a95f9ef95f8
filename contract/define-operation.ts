/** Defines the shape of an operation: one record drives routes, client calls, authorization and the OpenAPI document. */
import "./zod-settings.ts";
import * as z from "zod/mini";
import { LIMITS } from "./limits.ts";
import type { Rule } from "./policy.ts";
import { limitInQuery, withDescription } from "./text.ts";

/** Token scopes. */
export const SCOPES = ["account:read", "account:write", "chat:read", "chat:write", "files:read", "files:write", "webhooks", "admin"] as const;
export type Scope = (typeof SCOPES)[number];
/** What everybody who joins can do in a browser, whatever their role. */
export const PARTICIPANT_SCOPES: readonly Scope[] = ["account:read", "account:write", "chat:read", "chat:write", "files:read", "files:write"];

/** What a service can have or lack: the entries of `features` in `GET /api/v2/service` that decide which operations it has (`offered-operations.ts`). */
export const FEATURES = [
  "projects",
  "members",
  "chat",
  "messages",
  "chat-search",
  "files",
  "files-view",
  "uploads",
  "processing",
  "comments",
  "statuses",
  "tasks",
  "notifications",
  "playlists",
  "favorites",
  "metadata",
  "push",
  "mail",
  "webhooks",
  "api-tokens",
  "sessions",
  "oauth",
  "audit-log",
  "live",
  "accounts",
  "search",
  "knowledge-base",
  "delivery-rules",
  "agents",
  "agent-tasks",
  "agent-subscriptions",
  "demo",
] as const;
export type Feature = (typeof FEATURES)[number];

type Schema = z.ZodMiniType;

export interface Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Has `{name}` for each path parameter. */
  path: string;
  group:
    | "Projects"
    | "Chat"
    | "Account"
    | "Accounts"
    | "Teams"
    | "Groups"
    | "Session"
    | "Members"
    | "Files"
    | "Comments"
    | "Tasks"
    | "Notifications"
    | "Playlists"
    | "Favorites and recents"
    | "Metadata"
    | "Search"
    | "Knowledge base"
    | "Agents"
    | "Webhooks"
    | "API tokens"
    | "OAuth"
    | "Delivery rules"
    | "Agent tasks"
    | "Agent subscriptions"
    | "Audit log"
    | "Live"
    | "Service";
  summary: string;
  /** The feature that includes the operation, if it follows neither from its rule nor from its group (`offered-operations.ts`). */
  feature?: Feature;
  /**
   * `documented`: the service document (see `records.ts`) gives the path of the operation or of its records; the operation has the members that the document
   * names, and may have further optional ones.
   * `extension`: added by this project, or only named by the document.
   */
  source: "documented" | "extension";
  /** The scope that a token needs. `session`: tokens are not accepted. null: no sign-in needed. */
  scope: Scope | "session" | null;
  /** Scopes that a token needs besides `scope`. */
  furtherScopes?: readonly Scope[];
  rule: Rule;
  /** Rules that the operation checks besides `rule` for some requests. */
  furtherRules?: readonly Rule[];
  params?: Schema;
  query?: Schema;
  body?: Schema;
  response: Schema | null;
  /** The status of a successful response, 200 or 204 by default. A 302 has no body: the handler sends the redirect. */
  status?: 201 | 302;
  /**
   * True if the body is a form (`application/x-www-form-urlencoded`) instead of JSON. Members without a value count as missing. `unread`: a form of any kind,
   * which says nothing.
   */
  form?: true | "unread";
  /** If failures have the form of RFC 6749 5.2 (`{error, error_description}`) instead of problem+json: the code of a request with invalid members. */
  oauthErrors?: "invalid_request" | "invalid_client_metadata";
  /** True if pages of every origin may call it. Only for operations that use no cookie. */
  anyOrigin?: true;
  /**
   * Bytes instead of JSON. `body`: the request body is a byte stream. `media` and `peaks`: the response is stored bytes, with ranges. `zip`: the response
   * is a zip that is made while it is sent; `csv` and `tagged`: so are a table and a copy of a media file. `tus`: request and response follow the tus protocol.
   */
  bytes?: "body" | "media" | "peaks" | "zip" | "csv" | "tagged" | "tus";
  /** The media type of a body of bytes, if it is not application/octet-stream. */
  mediaType?: "text/csv";
  /** What a request takes from the caller's budget, compared with an ordinary one; default 1. */
  cost?: number;
  /** True if the response may wait for another server. */
  waits?: boolean;
  /** True if a repeated request with the same `Idempotency-Key` returns the first result. */
  idempotent?: boolean;
  /** When the operation responds with these statuses, in addition to those that follow from the other members (`server/http/failure-statuses.ts`). */
  errors?: Partial<Record<401 | 403 | 404 | 409 | 413 | 415, string>>;
}

/** True if the response is no JSON: the operation's handler sends it. */
export const sendsItsResponse = ({ bytes, status }: Operation): boolean => status === 302 || (bytes !== undefined && bytes !== "body");

/** Preserves the literal types of an operation. */
export const operation = <const T extends Operation>(description: T): T => description;

type InputOf<S> = S extends Schema ? z.input<S> : undefined;
type OutputOf<S> = S extends Schema ? z.output<S> : undefined;
/** What a caller passes in. */
export type Input<O extends Operation> = { params: InputOf<O["params"]>; query: InputOf<O["query"]>; body: InputOf<O["body"]> };
/** What a handler receives after validation. */
export type ValidatedInput<O extends Operation> = { params: OutputOf<O["params"]>; query: OutputOf<O["query"]>; body: OutputOf<O["body"]> };
export type ResponseOf<O extends Operation> = O["response"] extends Schema ? z.output<O["response"]> : undefined;

/** Envelope of one record: `{object, data}`. */
export const single = <N extends string, S extends Schema>(objectName: N, data: S) => z.looseObject({ object: z.literal(objectName), data });
/** Documented list envelope (service document 2.1). */
export const list = <S extends Schema>(element: S) => z.looseObject({ object: z.literal("list"), data: z.array(element) });
/** A page of a list: `next_cursor` is null on the last one. */
export const page = <S extends Schema>(element: S) => z.looseObject({ object: z.literal("list"), data: z.array(element), next_cursor: z.nullable(z.string()) });
/** `?cursor=&limit=`: limit defaults to 50 and is clamped to 200. */
export const pageQuery = z.object({
  cursor: z.optional(z.string().check(z.maxLength(200))),
  limit: z.optional(limitInQuery),
});
/** The same in a body of v1, whose lists are one page of up to 200 unless `limit` is smaller. */
export const pageBody = {
  cursor: withDescription(z.optional(z.string().check(z.maxLength(200))), "`next_cursor` of the page before"),
  limit: withDescription(z.optional(z.nullable(z.int().check(z.positive()))), `default and most: ${LIMITS.history_max}`),
};
