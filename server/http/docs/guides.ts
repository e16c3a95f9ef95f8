/** The texts of the API reference, in Markdown: its introduction, and the guide of each group of operations. */
import { AGENT_SUBSCRIPTIONS_GUIDE } from "./agent-subscriptions-guide.ts";
import { AGENT_TASKS_GUIDE } from "./agent-tasks-guide.ts";
import { DELIVERY_RULES_GUIDE } from "./delivery-rules-guide.ts";
import { KNOWLEDGE_GUIDE } from "./knowledge-guide.ts";
import { SCOPES, type Operation } from "../../../contract/define-operation.ts";
import { CLOSE_CODES } from "../../../contract/events.ts";
import { NOTIFICATIONS_GUIDE } from "./notifications-guide.ts";

export const introduction = (
  publicUrl: string,
): string => `Version 1 is stable: \`POST\` with a JSON body under \`/v1/\`. Version 2 is beta: resources under \`/api/v2/\`.

Operations marked **documented** follow the published service document, which gives their paths or those of their records; **extension** marks what was added, and operations that the document only names. Unknown members of a request are ignored, and clients ignore members and event types that they do not know.

The OpenAPI document of this page is at [/openapi.json](/openapi.json). \`GET /api/v2/service\` lists the features and limits of this service.

## Sign in

Create a token under Settings, API tokens, and send it as \`Authorization: Bearer <token>\`. A token does what its scopes and your role allow: ${SCOPES.map((scope) => `\`${scope}\``).join(", ")}.

\`\`\`sh
curl '${publicUrl}/v1/teams/ls' -X POST -H 'Authorization: Bearer <token>'
\`\`\`

A page that is signed in by the session cookie names its account in \`Talkback-Account: <id>\`; if the cookie belongs to another account by now, the service returns 412 and does nothing. The header is optional, and means nothing beside a token.

## Errors

Failures are \`application/problem+json\` (RFC 9457): \`status\`, \`title\`, \`detail\`, \`request_id\`, and \`errors\` with a \`path\` and a \`message\` for each member that is not valid. What you may not see is 404, not 403. \`Retry-After\` gives the seconds to wait after a 429 or 503.

## Limits

An account has a budget of requests that refills evenly, 1,200 a minute unless the service is configured otherwise. An ordinary request takes 1, expensive ones take what \`x-cost\` of the operation says. Six requests of one account run at a time and further ones wait; uploads, downloads and media are counted apart. Headers must arrive within 10 seconds, a JSON body within 20 seconds more, and a response must be read within 60. Bodies are JSON in UTF-8 and not compressed.

## Pages of other sites

Pages of the origins that the operator lists in \`CORS_ORIGINS\` may call the API with a bearer token; cookies are not accepted from them. On the live channel they connect with a ticket.

## Repeating a request

Writes that could double something accept \`Idempotency-Key\` (for messages and comments also \`client_id\`): the same key with the same body returns the first result, with another body 409.

## Programs

On Node 24, \`createTalkback\` in \`src/api/talkback.ts\` of Talkback's own repository has every operation that a token may call as a function with its types. It repeats a call after 429 or 503, and catches up on live events after a lost connection. \`docs/examples\` there has three programs: read a chat, wait for an approval, upload a folder.

\`\`\`ts
import { createTalkback } from "../../src/api/talkback.ts";

const talkback = createTalkback({ baseUrl: "${publicUrl}", token });
for await (const message of talkback.messages({ project_id: 12 })) console.log(message.body);
for await (const file of talkback.each("listFiles", { project_id: 12, kind: "audio" })) await talkback.download(file.url, \`downloads/\${file.id}\`);
await talkback.upload("mix.wav", { parent_id: 34, path: "Stems/Drums" });
for await (const item of talkback.events(["project:12"])) if (item.kind === "event") console.log(item.event.type);
\`\`\`

## The client and other services

Talkback's client works with any service of the service document. In one browser it is chosen at \`/connect\`, by its address and an access token; for everybody by \`service_url\` in \`public/config.json\`, or by the variable \`VITE_SERVICE_URL\` of each \`npm start\`; both are read at the start. The service must allow the page's origin (CORS). One that does not respond to \`GET /api/v2/service\` is used by the four documented operations alone.

Without CORS, \`npm start -- --upstream https://service.example\` serves the client and forwards \`/v1\` and \`/api/v2\`, with WebSockets, to that one service. The caller's \`Authorization\` is forwarded; of cookies only those that the other service has set. Nothing is stored.

## Lists

Lists of version 2 carry \`next_cursor\`; pass it as \`?cursor=\`. Chat history pages with \`before_id\`, \`after_id\` and \`around_id\`.`;

const LIVE_GUIDE = `Open a WebSocket at \`GET /api/v2/live\`, subscribe to topics, and store the last \`seq\` of each. After a lost connection subscribe with \`since\`: you get what you missed, or \`reset\` where that is too far back. With \`types\` in \`subscribe\`, events of other types come as \`withheld\`. Every durable event of a topic has the next \`seq\`, without gaps; \`signal\` frames carry none and may get lost.

\`\`\`text
→ {"subscribe":{"topic":"project:12","since":40}}
← {"subscribed":{"topic":"project:12","seq":41}}
← {"event":{"topic":"project:12","seq":41,"type":"message.created","time":"2026-11-17T14:02:11.000Z","data":{…}}}
← {"signal":{"type":"project.activity","data":{"project_id":13,"message_id":8042,"account_id":5,"mentions":[]}}}
← {"signal":{"type":"presence","data":{"project_id":12,"account_ids":[5,7]}}}
→ {"typing":{"project_id":12}}
\`\`\`

Subscribers of a project's topic receive signals: who else has the project open (\`presence\`), who is typing (\`typing\`, valid for six seconds; send it every two) and how far others have read (\`reader.moved\`).

Topics are \`project:<id>\`, \`organisation:<id>\` and \`account:<id>\`. A topic that you may not follow, or no longer, is \`refused\`. A token may follow a topic if it has the scope of any of its events, and receives exactly those that its scopes show over HTTP. A \`withheld\` event has no data and keeps the \`seq\` of one that you must not see. Close codes: ${CLOSE_CODES.unauthorized} signed out, ${CLOSE_CODES.tooSlow} read too slowly, ${CLOSE_CODES.goingAway} service stopping.

The schemas \`LiveEvent\` and \`Signal\` have the data of every type.`;

const WEBHOOK_GUIDE = `An endpoint gets a \`POST\` with JSON for each event of the types it is registered for (section Webhooks below has the bodies). Respond with 200 and JSON within 15 seconds. A delivery that fails is attempted again, ten times in all over about three days; the same event may come twice and out of order, so store its id and use its times.

An endpoint that an API token set up is paused when that token is revoked or expires. Besides \`webhooks\`, the token needs \`files:read\` for the events and the delivery log, and \`chat:read\` for messages.

With \`project_ids\`, an endpoint gets only the events of these projects. Events about comments, messages and tasks have the record of the live channel as \`data\`. If a text is edited or deleted before it is sent, the attempt has the current record, of a deleted one with \`deleted\` and without text. Imported messages send no events. \`POST …/redeliver\` sends a delivery now; a pending retry is replaced, and the schedule goes on if it fails. Test events are no deliveries: they change neither \`failing_since\` nor \`last_delivered_at\`.

Requests are signed as [Standard Webhooks](https://www.standardwebhooks.com) describes, so its libraries verify them. By hand: take the part of the secret after \`whsec_\` as base64, compute the HMAC-SHA256 of \`<webhook-id>.<webhook-timestamp>.<body>\` with it, and compare the base64 of that, after \`v1,\`, with each signature in \`webhook-signature\`. Refuse timestamps that are more than five minutes away.

\`\`\`js
import { createHmac, timingSafeEqual } from "node:crypto";

function isFromTalkback(headers, body, secret) {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = \`\${headers["webhook-id"]}.\${headers["webhook-timestamp"]}.\${body}\`;
  const expected = Buffer.from(\`v1,\${createHmac("sha256", key).update(signed).digest("base64")}\`);
  return headers["webhook-signature"].split(" ").some((signature) => {
    const actual = Buffer.from(signature);
    return actual.length === expected.length && timingSafeEqual(actual, expected);
  });
}
\`\`\`

The service document names creating, listing and deleting endpoints. It gives path and body of creating one; those of the other two are ours.`;

const FILES_GUIDE = `Upload a file's bytes in one request with \`PUT /v1/files/upload\`, or resumably by [tus 1.0](https://tus.io) under \`/api/v2/uploads\`, with the extensions creation, creation-with-upload, termination and expiration. Any tus client works: the last bytes are answered with the new file's id. Checksums, concatenation and deferred lengths are not supported.`;

const ACCOUNTS_GUIDE = `Every record of a person has \`avatar_url\`, null without a picture. It leads to a square WebP of 192 pixels; add \`&size=small\` for 96 and \`&size=large\` for 512. Like all media it needs a session or a token, and it changes with the picture, so browsers keep what it shows for a day.

Send a new picture as \`application/octet-stream\`. Its type is recognized by its bytes, its middle square is stored in the three sizes, and nothing else of the file is kept, such as where a photograph was taken.

\`time_zone\` is a name of the IANA database. \`working_hours\` are in that zone, with \`days\` from 1 (Monday) to 7: \`{"days": [1, 2, 3, 4, 5], "start": "10:00", "end": "18:30"}\`. Hours that end before they start last until the next day. \`locale\` is a language tag by which the person reads dates and numbers. A due date is a day in the time zone of whoever reads it.

A token needs \`account:write\` for changes, and cannot change the name and email address with which the person signs in. Everybody who sees a person receives \`account.updated\` on \`organisation:<id>\`.`;

const FAVORITES_GUIDE = `What you have marked as a favorite, and what you last opened and played, as Talkback's client lists them at the top of its navigation. Both are private: nobody else sees them, not even owners. An item that is deleted or that you no longer see leaves the lists, and comes back with it. Your other clients learn of a change by \`favorites.changed\` and \`recent_items.changed\` on the topic \`account:<id>\`.`;

const METADATA_GUIDE = `A team's metadata templates are named groups of fields, which every file of its projects has, or every file of the template's \`kinds\`. Owners and admins manage them. Values belong to the file, so a new version keeps them, and everybody who sees the file sees them. Everybody but guests changes them; guests change those of files that they added.

\`PATCH …/metadata\` changes the fields that it names and no others, so two people who edit different fields do not disturb each other. With \`if_values\` it changes nothing where somebody has meanwhile set another value, and the 409 has \`current_values\`.

\`GET /api/v2/metadata-templates/{template_id}/usage\` counts what a deletion would take. A deleted template or field can be restored with its values for 30 days; the values of an option that is removed are gone, so that needs \`lost_value_count\`.

The files view shows, filters and sorts by fields: see \`fields\`, \`metadata\` and \`sort_field_id\` of \`GET /api/v2/projects/{project_id}/files\`.

Other clients learn of a change by \`metadata.updated\` or, of many files at once, \`metadata.imported\` on the topic \`project:<id>\`, and of templates by \`metadata_templates.changed\` on \`organisation:<id>\`.

The CSV has one line for each file, and one column for each field, called "Template: Field" where several fields have the same name. A spreadsheet runs a cell that begins with =, +, - or @ as a formula. The export writes an apostrophe before such a text, and the import removes it, so a table that goes out and comes back changes nothing.`;

const oauthGuide = (
  publicUrl: string,
): string => `An app gets access with OAuth 2.0: the person signs in here, sees what the app asks for, and allows it. Every client is public and uses PKCE; there are no secrets. Failures of these operations are \`{"error": …, "error_description": …}\` (RFC 6749), not problem+json.

1. Find the addresses at \`/.well-known/oauth-authorization-server\`. A 401 of this service leads there by \`resource_metadata\`.
2. Register once: \`POST /api/v2/oauth/register\` with \`redirect_uris\`, \`client_name\` and \`"grant_types": ["authorization_code", "refresh_token"]\`. A registration that nobody uses is deleted after seven days. Redirects are https addresses, or http on \`127.0.0.1\`, \`[::1]\` or \`localhost\` with any port; others are left out, so an app that has only a scheme of its own (\`app://\`) cannot connect.
3. Open \`/api/v2/oauth/authorize\` in the browser with \`response_type=code\`, \`client_id\`, \`redirect_uri\`, \`scope\`, \`state\`, \`code_challenge\` and \`code_challenge_method=S256\`. Without \`scope\` the app may read account, chats and files; ask for every other scope by name.
4. The browser comes back to \`redirect_uri\` with \`code\`, \`state\` and \`iss\`. Compare \`state\`, and \`iss\` with the issuer.
5. Exchange the code within 60 seconds:

\`\`\`sh
curl -X POST ${publicUrl}/api/v2/oauth/token -d grant_type=authorization_code -d client_id=… -d code=… -d code_verifier=…
\`\`\`

The access token is valid for an hour and is sent like an API token, as \`Authorization: Bearer tb_at_…\`. With \`grant_type=refresh_token\`, \`refresh_token\` and \`client_id\` you get new tokens. Each refresh token works once; store its successor before you use the new access token. A refresh token or code that is used again after more than 30 seconds ends the connection. An app can refresh 60 times an hour; then the response is a 429 with \`Retry-After\`, and the refresh token stays valid. A connection ends after 30 days without a refresh, after 90 days in any case, when the person disconnects the app, and when the app revokes its refresh token by \`POST /api/v2/oauth/revoke\`.`;

const SEARCH_GUIDE = `One request searches everything that you see. The response has a group for each kind with results; \`kind\`, \`project_id\`, \`account_id\`, \`since\` and \`until\` narrow it. Read on in one kind with its \`next_cursor\`:

\`\`\`text
GET /api/v2/search?q=vocal+118+bpm&kind=file&cursor=<next_cursor>
\`\`\`

Every word must occur in the record; the last one may be the beginning of a word. Case and accents do not matter. Files and folders are found by name, and files by tag ("warm"), tempo ("118 bpm"), key ("F#m", "F# minor") and status ("approved") too. A token finds only what its scopes let it read.

Of projects, people, files and playlists, those that are called \`q\` come first (the extension of a file does not matter), then those whose name begins with it, then the others, each newest first. More than 500 results of a kind, and tasks, messages and comments, are listed newest first. A list keeps its order while you read on.`;

const AGENTS_GUIDE =
  "An agent is the account of a program, with `is_agent` wherever accounts are listed. Owners and admins create it in a browser session, give it a role, projects and scopes, and create its tokens; it never signs in. What it may do is what its role, its projects, its scopes and the token's scopes all allow; fewer scopes apply to existing tokens at once. A paused agent does nothing: its tokens are refused with a 403. A deleted one stays as the author of what it wrote.\n\nEverything that an agent changes in a project is in its log for 400 days, with the run of the task in which it did it. People undo posts, comments, new and deleted files and playlists, names, folders, statuses, metadata and tasks there, in a browser session and with their own rights: the reverse is an ordinary change by that person. It is refused with a 409 if somebody has changed the record since, and `undo_denial` says why something cannot be undone. Undoing a run goes from the newest action to the oldest and reports each. `agent_actions.changed` follows on the live channel.";

/** The guide of each group of operations, in the order of the page. */
export const createGroupGuides = (publicUrl: string): Record<Operation["group"], string> => ({
  Projects: "A project has one chat, with the project's id, and one root folder.",
  Chat: "Messages of a project, their reactions, and how far people have read.",
  Files: FILES_GUIDE,
  Comments: "Comments on a file: on a point of a version, on a range of it, or on the whole file.",
  Tasks: "Tasks on files and folders, and templates of them.",
  Notifications: NOTIFICATIONS_GUIDE,
  Metadata: METADATA_GUIDE,
  Playlists:
    "Ordered lists of audio files. A playlist belongs to a project, and everybody there sees it; its files may be of other projects of the same team, and each reader gets those that they see. An item plays the newest version of its file unless it is pinned to one. `gap_ms` is the silence between two tracks; 0 plays them without a gap. A message shows a playlist by its `playlist_id`.",
  "Favorites and recents": FAVORITES_GUIDE,
  Search: SEARCH_GUIDE,
  "Knowledge base": KNOWLEDGE_GUIDE,
  "Delivery rules": DELIVERY_RULES_GUIDE,
  Agents: AGENTS_GUIDE,
  "Agent tasks": AGENT_TASKS_GUIDE,
  "Agent subscriptions": AGENT_SUBSCRIPTIONS_GUIDE,
  Account: "Your own account.",
  Accounts: ACCOUNTS_GUIDE,
  Members: "The people of the organization.",
  Teams: "Teams, their file statuses, and invites.",
  Groups: "A group holds projects of a team.",
  Session: "Signing in with a browser.",
  "API tokens": "Tokens for programs of your own; what other people install connects by OAuth, and is listed apart. Only a signed-in browser can manage them.",
  OAuth: oauthGuide(publicUrl),
  "Audit log":
    "Who signed in, and who changed what. Only owners read it. Entries never contain secrets or the text of messages, and are deleted after 400 days.",
  Webhooks: WEBHOOK_GUIDE,
  Live: LIVE_GUIDE,
  Service: "What this service is and can do.",
});
