/** Generates a typed client from the published document, compiles a program that uses it under strict rules, and runs that against a listening service. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANONYMOUS } from "../../testing/client.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { PASSWORD } from "../../testing/people.ts";
import { listen } from "../../testing/raw-socket.ts";
import { PUBLIC_URL } from "../../testing/test-app.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const packageFolder = (name: string) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const run = (folder: string, ...args: string[]) => promisify(execFile)(process.execPath, args, { cwd: folder });

/** openapi-typescript builds its output with the API of TypeScript 5, which TypeScript 7 no longer has. */
const USE_TYPESCRIPT_5 = `
import { registerHooks } from "node:module";
registerHooks({ resolve: (specifier, context, next) => next(specifier === "typescript" ? "typescript-5" : specifier, context) });
`;

/** Each call fails to compile if the document misses or mistypes what it sends or reads. */
const PROGRAM = `
import createClient from "openapi-fetch";
import type { components, paths, webhooks } from "./schema.ts";

const [baseUrl = "", origin = "", login = "", password = "", project = "", folder = "", file = ""] = process.argv.slice(2);
const [project_id, parent_id, file_id] = [Number(project), Number(folder), Number(file)];

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is no data");
  return value;
}

const anonymous = createClient<paths>({ baseUrl });
const signedIn = await anonymous.POST("/api/v2/session", { body: { login, password } });
const cookie = signedIn.response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
const browser = createClient<paths>({ baseUrl, headers: { cookie, origin } });
const token = await browser.POST("/api/v2/api-tokens", {
  body: { name: "Generated client", scopes: ["account:read", "account:write", "chat:read", "chat:write", "files:read", "files:write", "webhooks"] },
});

const client = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token.data?.data.token ?? ""}\` } });
const projects = await client.GET("/api/v2/projects", { params: { query: { limit: "10" } } });
const sent = await client.POST("/v1/account/projects/chat_message", { body: { project_id, body: "From a generated client", client_id: "generated-1" } });
const history = await client.POST("/v1/account/projects/chat_history", { body: { project_id, limit: 1 } });
const uploaded = await client.PUT("/v1/files/upload", {
  params: { query: { parent_id, name: "generated.txt" }, header: { "Idempotency-Key": "generated-1" } },
  headers: { "Content-Type": "application/octet-stream" },
  body: "bytes",
  bodySerializer: (body) => body,
});
const statuses = await client.POST("/v1/teams/get_file_statuses", { body: { team_id: required(projects.data?.data.find(({ id }) => id === project_id)).team_id } });
const status = required(statuses.data?.data[0]);
const changed = await client.POST("/v1/files/set_status", { body: { file_id, status_id: status.id, if_status_id: null } });
const refused = await client.POST("/v1/files/set_status", { body: { file_id, status_id: required(statuses.data?.data[1]).id, if_status_id: null } });
const conflict: components["schemas"]["Error"] | undefined = refused.error;
const comment = await client.POST("/api/v2/files/{file_id}/comments", { params: { path: { file_id } }, body: { body: "Louder", position_ms: null } });
const tasks = await client.POST("/v1/tasks/create", { body: { file_id, tasks: [{ title: "Bounce the stems", due_date: "2027-03-02" }] } });
const endpoint = await client.POST("/api/v2/webhook-endpoints", { body: { url: "https://hooks.example.com/talkback", event_types: ["task.closed"] } });
const endpoints = await client.GET("/api/v2/webhook-endpoints");
const deleted = await client.DELETE("/api/v2/webhook-endpoints/{endpoint_id}", { params: { path: { endpoint_id: required(endpoint.data).data.id } } });
const found = await client.GET("/api/v2/projects/{project_id}/messages", { params: { path: { project_id }, query: { q: "generated" } } });
const begun = await client.POST("/api/v2/uploads", {
  params: { header: { "Tus-Resumable": "1.0.0", "Upload-Length": 3, "Upload-Metadata": \`name \${btoa("resumed.txt")},parent_id \${btoa(String(parent_id))}\` } },
});
const upload_id = begun.response.headers.get("location")?.split("/").at(-1) ?? "";
const continued = await client.PATCH("/api/v2/uploads/{upload_id}", {
  params: { path: { upload_id }, header: { "Tus-Resumable": "1.0.0", "Upload-Offset": 0 } },
  headers: { "Content-Type": "application/offset+octet-stream" },
  body: "abc",
  bodySerializer: (body) => body,
});

// @ts-expect-error project_id is a number
void (() => client.POST("/v1/account/projects/chat_message", { body: { project_id: "12", body: "" } }));
// @ts-expect-error there is no such path
void (() => client.GET("/api/v2/nothing"));

/** The type of an event determines the type of its data. */
type Webhook = components["schemas"]["WebhookEvent"];
function nameOf(event: Webhook): string {
  if (event.type === "task.created" || event.type === "task.closed") return event.data.title;
  if (event.type === "comment.created" || event.type === "message.created") return event.data.body;
  return event.type === "file.renamed" ? event.data.new_name : event.data.name;
}
type StatusChanged = NonNullable<webhooks["file.status_changed"]["post"]["requestBody"]>["content"]["application/json"];
const statusOf = (event: StatusChanged): string | undefined => event.data.old_status?.title;
const textOf = (event: components["schemas"]["LiveEvent"]): string => (event.type === "message.created" ? event.data.body : "");
void [nameOf, statusOf, textOf];

console.log(JSON.stringify({
  signIn: signedIn.data?.data.account.email,
  project: projects.data?.data.some(({ id }) => id === project_id),
  history: history.data?.data.map(({ id }) => id === sent.data?.data.id),
  upload: uploaded.data?.version,
  status: changed.data?.data.status?.title === status.title,
  conflict: [refused.response.status, conflict?.current_status?.id === status.id],
  comment: comment.data?.data.body,
  task: tasks.data?.data[0]?.due_date,
  secret: required(endpoint.data).data.secret?.slice(0, 6),
  endpoints: endpoints.data?.data.length,
  deleted: deleted.response.status,
  found: found.data?.data.map(({ body }) => body),
  resumed: continued.data?.landed?.name,
}));
`;

const folder = mkdtempSync(join(tmpdir(), "talkback-client-"));
let fixtures: Fixtures;
beforeAll(async () => void (fixtures = await createFixtures("sqlite")), 60_000);
afterAll(async () => {
  await fixtures.testApp.close();
  rmSync(folder, { recursive: true });
});

test("a client generated from the document compiles and talks to the service", { timeout: 120_000 }, async () => {
  const { testApp, owner, home } = fixtures;
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "openapi.json"), (await testApp.send(ANONYMOUS, { method: "GET", url: "/openapi.json" })).text);
  writeFileSync(join(folder, "use-typescript-5.mjs"), USE_TYPESCRIPT_5);
  writeFileSync(join(folder, "program.ts"), PROGRAM);

  const hook = pathToFileURL(join(folder, "use-typescript-5.mjs")).href;
  await run(folder, "--import", hook, join(packageFolder("openapi-typescript"), "bin", "cli.js"), "openapi.json", "--output", "schema.ts");
  const options = ["--strict", "--noEmit", "--allowImportingTsExtensions", "--module", "nodenext", "--target", "es2023", "--types", "node", "--skipLibCheck"];
  const compiled = await run(folder, join(packageFolder("typescript"), "bin", "tsc"), ...options, "program.ts").catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe("");

  const base = await listen(testApp);
  const ids = [home.project, home.folder, home.file].map(String);
  const { stdout } = await run(folder, join(folder, "program.ts"), base, PUBLIC_URL, owner.email, PASSWORD, ...ids);
  expect(JSON.parse(stdout)).toEqual({
    signIn: owner.email,
    project: true,
    history: [true],
    upload: 1,
    status: true,
    conflict: [409, true],
    comment: "Louder",
    task: "2027-03-02T00:00:00.000Z",
    secret: "whsec_",
    endpoints: 1,
    deleted: 204,
    found: ["From a generated client"],
    resumed: "resumed.txt",
  });
});
