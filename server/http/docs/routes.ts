/** Routes for `/openapi.json` and the HTML documentation at `/docs`, which renders the same document as one static page without scripts. */
import type { FastifyInstance } from "fastify";
import { readFileSync } from "node:fs";
import { SCOPES } from "../../../contract/define-operation.ts";
import { createExample } from "./example.ts";
import { createConverter, type JsonSchema } from "./json-schema.ts";
import { createOpenApiDocument } from "./openapi.ts";
import { describeWebhooks, HEADERS } from "./webhooks.ts";

/** An operation of the OpenAPI document, as far as the page shows it. */
interface OperationObject {
  operationId: string;
  summary: string;
  tags: string[];
  "x-source": string;
  "x-scope": string | null;
  parameters?: { name: string; in: string; required: boolean; schema: JsonSchema; description?: string }[];
  requestBody?: { content: Record<string, { schema?: JsonSchema }> };
  responses: Record<string, { description?: string; content?: Record<string, { schema: JsonSchema }> }>;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const BYTES = "application/octet-stream";

const LIVE_GUIDE = `<p>Open a WebSocket, subscribe to topics, and store the last <code>seq</code> of each. After a lost connection subscribe with <code>since</code>: you get what you missed, or <code>reset</code> where that is too far back. Every durable event of a topic has the next <code>seq</code>, without gaps; <code>signal</code> frames carry none.</p>
<pre tabindex="0" aria-label="Example frames"><code>→ {"subscribe":{"topic":"project:12","since":40}}
← {"subscribed":{"topic":"project:12","seq":41}}
← {"event":{"topic":"project:12","seq":41,"type":"message.created","time":"2026-11-17T14:02:11.000Z","data":{…}}}
← {"signal":{"type":"project.activity","data":{"project_id":13,"message_id":8042,"account_id":5,"mentions":[]}}}
← {"signal":{"type":"presence","data":{"project_id":12,"account_ids":[5,7]}}}
→ {"typing":{"project_id":12}}</code></pre>
<p>Subscribers of a project's topic receive signals: who else has the project open (<code>presence</code>), who is typing (<code>typing</code>, valid for six seconds; send it every two) and how far others have read (<code>reader.moved</code>).</p>
<p>Topics: <code>project:&lt;id&gt;</code>, <code>organisation:&lt;id&gt;</code>, <code>account:&lt;id&gt;</code>. A topic that you may not follow, or no longer, is <code>refused</code>. Close codes: 4401 signed out, 4408 read too slowly, 1001 service stopping.</p>`;

export function docsRoutes(app: FastifyInstance, publicUrl: string, version: string): void {
  // Rendered at the first request, so that it does not delay startup.
  let cached: { json: string; page: string; style: string } | undefined;
  const render = () => {
    if (cached) return cached;
    const document = createOpenApiDocument(publicUrl, version);
    cached = { json: JSON.stringify(document), page: renderDocsPage(document), style: readFileSync(new URL("style.css", import.meta.url), "utf8") };
    return cached;
  };
  const addRoute = (path: string, type: string, text: () => string) =>
    app.get(path, async (_request, reply) => reply.header("Cache-Control", "no-cache").type(type).send(text()));
  addRoute("/openapi.json", "application/json; charset=utf-8", () => render().json);
  addRoute("/docs", "text/html; charset=utf-8", () => render().page);
  addRoute("/docs/style.css", "text/css; charset=utf-8", () => render().style);
}

function renderDocsPage(document: JsonSchema): string {
  const components = (document.components as { schemas: Record<string, JsonSchema> }).schemas;
  const origin = (document.servers as { url: string }[])[0]?.url ?? "";
  const { version } = document.info as { version: string };
  const byGroup = new Map<string, { method: string; path: string; operation: OperationObject }[]>();
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, OperationObject>>)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (!operation.operationId) continue;
      const group = operation.tags[0] ?? "Other";
      byGroup.set(group, [...(byGroup.get(group) ?? []), { method: method.toUpperCase(), path, operation }]);
    }
  }
  const nav = [...byGroup].map(
    ([group, entries]) =>
      `<li><a href="#group-${slug(group)}">${escapeHtml(group)}</a><ul>${entries.map(({ method, path, operation }) => `<li><a href="#${escapeHtml(operation.operationId)}"><span class="method ${method.toLowerCase()}">${method}</span><span>${escapeHtml(path.replace(/^\/(v1\/account|v1|api\/v2)\//, "")).replaceAll("/", "/<wbr>")}</span></a></li>`).join("")}</ul></li>`,
  );
  const recordSections = Object.entries(components)
    .filter(([name]) => !name.endsWith("Frame"))
    .map(
      ([name, schema]) => `<section class="operation" id="record-${slug(name)}"><h3>${escapeHtml(name)}</h3>${renderTable(renderMemberRows(schema))}</section>`,
    );

  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="dark light">
<title>Talkback API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header><a href="/" class="brand">Talkback</a><span>API ${escapeHtml(version)}</span><a href="/openapi.json">openapi.json</a></header>
<div class="columns">
<nav aria-label="Operations"><ul><li><a href="#start">Getting started</a></li>${nav.join("")}<li><a href="#events">Webhook events</a></li><li><a href="#records">Records</a></li></ul></nav>
<main id="content">
<section id="start"><h1>Talkback API</h1>
<p>Version 1 is stable: <code>POST</code> with a JSON body under <code>/v1/</code>. Version 2 is beta: resources under <code>/api/v2/</code>. Operations marked <span class="source documented">documented</span> follow the published service document to the letter; <span class="source extension">extension</span> marks what was added.</p>
<h2>Sign in</h2><p>Create a token under Settings, API tokens, and send it as <code>Authorization: Bearer &lt;token&gt;</code>. A token does what its scopes and your role allow: ${SCOPES.map((scope) => `<code>${scope}</code>`).join(" ")}.</p>
<pre tabindex="0" aria-label="First request"><code>curl '${escapeHtml(origin)}/v1/teams/ls' -X POST -H 'Authorization: Bearer &lt;token&gt;'</code></pre>
<p>A page that is signed in by the session cookie names its account in <code>Talkback-Account: &lt;id&gt;</code>; if the cookie belongs to another account by now, the service returns 412 and does nothing. The header is optional, and means nothing beside a token.</p>
<h2>Errors</h2><p>Failures are <code>application/problem+json</code>: <code>status</code>, <code>title</code>, <code>detail</code>, <code>request_id</code>, and <code>errors</code> with a <code>path</code> and a <code>message</code> for each member that is not valid. What you may not see is 404, not 403.</p>
<h2>Repeating a request</h2><p>Writes that could double something accept <code>Idempotency-Key</code> (for chat messages also <code>client_id</code>): the same key with the same body returns the first result, with another body 409.</p>
<h2>Lists</h2><p>v2 lists carry <code>next_cursor</code>; pass it as <code>?cursor=</code>. Chat history pages with <code>before_id</code>, <code>after_id</code> and <code>around_id</code>.</p></section>
${[...byGroup].map(([group, entries]) => `<h2 id="group-${slug(group)}">${escapeHtml(group)}</h2>${entries.map(({ method, path, operation }) => renderOperation(method, path, operation, components, origin)).join("")}`).join("")}
${renderWebhookSection()}
<h2 id="records">Records</h2>${recordSections.join("")}
</main></div>
</body></html>`;
}

function renderOperation(method: string, path: string, operation: OperationObject, components: Record<string, JsonSchema>, origin: string): string {
  const body = operation.requestBody?.content["application/json"]?.schema;
  const takesBytes = operation.requestBody?.content[BYTES] !== undefined;
  const successContent = operation.responses["200"]?.content;
  const parameters = (operation.parameters ?? []).filter(({ name }) => name !== undefined);
  const successSchema = successContent?.["application/json"]?.schema;
  const scope = operation["x-scope"];
  const curl = [`curl -X ${method} '${origin}${path}'`];
  if (scope !== null && scope !== "session") curl.push(`-H 'Authorization: Bearer <token>'`);
  if (body) curl.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(createExample(body, components, { request: true }))}'`);
  if (takesBytes) curl.push(`-H 'Content-Type: ${BYTES}'`, "--data-binary @mix.wav");
  const accessLabel = scope === null ? "No sign-in" : scope === "session" ? "A signed-in browser" : `Scope <code>${escapeHtml(scope)}</code>`;
  return `<section class="operation" id="${escapeHtml(operation.operationId)}">
<h3><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(operation.summary)}.</p>
<p class="facts"><span class="source ${escapeHtml(operation["x-source"])}">${escapeHtml(operation["x-source"])}</span><span>${accessLabel}</span></p>
${parameters.length > 0 ? `<h4>Parameters</h4>${renderTable(parameters.map((parameter) => `<tr><td><code>${escapeHtml(parameter.name)}</code></td><td>${typeLabel(parameter.schema)}</td><td>${escapeHtml([parameter.in, parameter.required ? "" : "optional", parameter.description ?? ""].filter(Boolean).join("; "))}</td></tr>`).join(""))}` : ""}
${body ? `<h4>Body</h4>${renderTable(renderMemberRows(body))}` : ""}
${takesBytes ? `<h4>Body</h4><p>The file's bytes, as <code>${BYTES}</code>.</p>` : ""}
${
  operation.operationId === "live"
    ? LIVE_GUIDE
    : `<pre tabindex="0" aria-label="Example request"><code>${escapeHtml(curl.join(" \\\n  "))}</code></pre>
<h4>Response</h4>${successSchema ? `<pre tabindex="0" aria-label="Example response"><code>${escapeHtml(JSON.stringify(createExample(successSchema, components, { request: false }), null, 2))}</code></pre>` : `<p>${successContent?.[BYTES] ? "The bytes." : escapeHtml(emptyResponseText(operation))}</p>`}`
}
<p class="facts">Failures: ${Object.keys(operation.responses)
    .filter((status) => Number(status) >= 400)
    .map((status) => `<code>${status}</code>`)
    .join(" ")}</p>
</section>`;
}

const renderTable = (rows: string): string =>
  rows
    ? `<table><thead><tr><th scope="col">Member</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead><tbody>${rows}</tbody></table>`
    : "<p>No members.</p>";

function renderMemberRows(schema: JsonSchema): string {
  const required = new Set((schema.required ?? []) as string[]);
  return Object.entries((schema.properties ?? {}) as Record<string, JsonSchema>)
    .map(
      ([name, memberSchema]) =>
        `<tr><td><code>${escapeHtml(name)}</code></td><td>${typeLabel(memberSchema)}</td><td>${[required.has(name) ? "" : "optional", boundsLabel(memberSchema), memberSchema.description ? escapeHtml(memberSchema.description) : ""].filter(Boolean).join("; ")}</td></tr>`,
    )
    .join("");
}

function typeLabel(schema: JsonSchema): string {
  if (typeof schema.$ref === "string") return escapeHtml(schema.$ref.split("/").at(-1));
  if ("const" in schema) return `<code>${escapeHtml(JSON.stringify(schema.const))}</code>`;
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => `<code>${escapeHtml(value)}</code>`).join(" ");
  const alternatives = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  if (alternatives) return alternatives.map(typeLabel).join(" or ");
  if (Array.isArray(schema.type)) return schema.type.join(" or ");
  if (schema.type === "array") return `array of ${typeLabel((schema.items ?? {}) as JsonSchema)}`;
  if (schema.format === "date-time") return "time (ISO 8601)";
  return escapeHtml(schema.type ?? "object");
}

function boundsLabel(schema: JsonSchema): string {
  const parts = [];
  if (schema.minLength !== undefined) parts.push(`at least ${escapeHtml(schema.minLength)} characters`);
  if (schema.maxLength !== undefined) parts.push(`at most ${escapeHtml(schema.maxLength)} characters`);
  if (schema.maxItems !== undefined) parts.push(`at most ${escapeHtml(schema.maxItems)} items`);
  return parts.join(", ");
}

/** Describes a success response that has no body. */
function emptyResponseText({ responses }: OperationObject): string {
  const status = Object.keys(responses).find((code) => code.startsWith("2")) ?? "204";
  return `${status}, without a body.`;
}

const escapeHtml = (text: unknown): string => String(text).replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
const slug = (text: string): string => text.toLowerCase().replaceAll(/\W+/g, "-");

/** Renders the webhook section of the docs page. */
function renderWebhookSection(): string {
  const headers = Object.entries(HEADERS).map(
    ([name, description]) => `<tr><td><code>${name}</code></td><td>${escapeHtml(description).replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</td></tr>`,
  );
  const events = Object.entries(describeWebhooks(createConverter({})).webhooks).map(([type, { post }]) => {
    const { summary, requestBody, ...rest } = post as { summary: string; requestBody: { content: Record<string, { example: unknown }> }; "x-source": string };
    const source = rest["x-source"];
    return `<section class="operation" id="event-${escapeHtml(type)}"><h3><code>${escapeHtml(type)}</code></h3>
<p>${escapeHtml(summary)}</p>
<p class="facts"><span class="source ${escapeHtml(source)}">${escapeHtml(source)}</span></p>
<pre tabindex="0" aria-label="Example of ${escapeHtml(type)}"><code>${escapeHtml(JSON.stringify(requestBody.content["application/json"]?.example, null, 2))}</code></pre></section>`;
  });
  return `<h2 id="events">Webhook events</h2>
<p>An endpoint gets a <code>POST</code> with JSON for each event of the types it is registered for, signed as Standard Webhooks describes. Respond with 200 and JSON within 15 seconds. A delivery that fails is attempted again, ten times in all over about three days; the same event may come twice and out of order, so store its id and use its times.</p>
<table><thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead><tbody>${headers.join("")}</tbody></table>
${events.join("")}`;
}
