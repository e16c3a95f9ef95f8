/** Tests that an API token has no more events sent than it could read itself, and that its endpoints end with it. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCOPES, type Operation, type Scope } from "../../../contract/define-operation.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as audit from "../../../contract/operations/audit.ts";
import * as chat from "../../../contract/operations/chat.ts";
import * as comments from "../../../contract/operations/comments.ts";
import * as files from "../../../contract/operations/files.ts";
import * as tasks from "../../../contract/operations/tasks.ts";
import * as webhooks from "../../../contract/operations/webhooks.ts";
import type { Role } from "../../../contract/records.ts";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "../../../contract/webhook-events.ts";
import { createModules } from "../../create-modules.ts";
import { HOUR } from "../../lib/clock.ts";
import { iso } from "../../lib/iso-time.ts";
import type { Caller, UntypedInput } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { findDeliveries, insertDelivery, registerEndpoint, WEBHOOK_URL } from "../../testing/webhooks.ts";
import { pauseEndpointsOfExpiredTokens } from "./ended-tokens.ts";

const WEAKENED_ACCOUNTS: [title: string, changes: { role?: Role; disabled_at?: number | null }][] = [
  ["became a member", { role: "member" }],
  ["became a guest", { role: "guest" }],
  ["was disabled", { disabled_at: 1 }],
];

describe.each(ENGINES)("webhook endpoints of API tokens on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const getEndpoint = async (endpoint_id: number) =>
    (await fixtures.testApp.call(fixtures.owner, webhooks.getWebhookEndpoint, { params: { endpoint_id } })).response.data;
  const update = (caller: Caller, endpoint_id: number, body: object) =>
    fixtures.testApp.call(caller, webhooks.updateWebhookEndpoint, { params: { endpoint_id }, body });
  const setStatus = async (caller: Caller = fixtures.owner) => {
    const { testApp, home } = fixtures;
    const statuses = await testApp.database.read.selectFrom("file_statuses").select("id").where("team_id", "=", home.team).orderBy("id").execute();
    const current = await testApp.database.read.selectFrom("files").select("status_id").where("id", "=", home.file).executeTakeFirstOrThrow();
    const status_id = statuses.find(({ id }) => id !== current.status_id)!.id;
    expect((await testApp.call(caller, files.setFileStatus, { body: { file_id: home.file, status_id } })).status).toBe(200);
  };

  it("are subscribed and redirected only by tokens to which HTTP shows the record, by event type and scope", async () => {
    const { testApp, owner, home } = fixtures;
    const { data: created } = (await testApp.call(owner, tasks.createTasks, { body: { file_id: home.file, tasks: [{ title: "Bounce the stems" }] } })).response;
    const fileProbe: [Operation, UntypedInput] = [files.getFileInfo, { body: { file_id: home.file } }];
    const probes: Record<WebhookEventType, [Operation, UntypedInput]> = {
      "file.uploaded": fileProbe,
      "file.renamed": fileProbe,
      "file.status_changed": fileProbe,
      "comment.created": [comments.listComments, { params: { file_id: home.file }, query: {} }],
      "message.created": [chat.chatHistory, { body: { project_id: home.project } }],
      "task.created": [tasks.getTask, { params: { task_id: created[0]!.id } }],
      "task.closed": [tasks.getTask, { params: { task_id: created[0]!.id } }],
    };
    const ownEndpoint = await registerEndpoint(testApp, owner);
    let allowedCount = 0;
    for (const scope of SCOPES) {
      const scopes: Scope[] = [...new Set<Scope>(["webhooks", scope])];
      const token = await createApiToken(testApp, owner, scopes);
      for (const type of WEBHOOK_EVENT_TYPES) {
        const [operation, input] = probes[type];
        const isShown = (await testApp.callUntyped(token, operation, input)).status === 200;
        if (isShown) allowedCount += 1;
        const expected = isShown ? 200 : 403;
        await update(owner, ownEndpoint, { event_types: [type], enabled: false, url: WEBHOOK_URL });
        const requests = {
          create: testApp.call(token, webhooks.createWebhookEndpoint, { body: { url: WEBHOOK_URL, event_types: [type] } }),
          subscribe: update(token, ownEndpoint, { event_types: type === "message.created" ? [type] : [...new Set(["file.renamed", type])] }),
          redirect: update(token, ownEndpoint, { url: `${WEBHOOK_URL}/${scope}/${type}` }),
          resume: update(token, ownEndpoint, { enabled: true }),
        };
        for (const [name, request] of Object.entries(requests)) expect((await request).status, `${name} ${type} with ${scopes.join()}`).toBe(expected);
        expect((await update(token, ownEndpoint, { description: `by ${scope}` })).status).toBe(200);
        expect((await update(token, ownEndpoint, { enabled: false })).status).toBe(200);
      }
    }
    expect(allowedCount).toBe(WEBHOOK_EVENT_TYPES.length);
  });

  it("are not redirected by a token that could not read what the log still has, and show it no such body", async () => {
    const { testApp, owner } = fixtures;
    const endpoint = await registerEndpoint(testApp, owner, { event_types: ["message.created"] });
    const message = await insertDelivery(testApp, endpoint, "failed", { type: "message.created", data: { body: "Secret" } });
    const file = await insertDelivery(testApp, endpoint, "failed");
    const token = await createApiToken(testApp, owner, ["webhooks", "files:read"]);
    expect((await update(token, endpoint, { event_types: ["file.renamed"] })).status).toBe(200);
    expect((await update(token, endpoint, { url: `${WEBHOOK_URL}/elsewhere` })).status).toBe(403);
    const read = async (delivery_id: number) => (await testApp.call(token, webhooks.getDelivery, { params: { delivery_id } })).status;
    expect([await read(message), await read(file)]).toEqual([403, 200]);
    expect((await testApp.call(token, webhooks.listAttempts, { params: { delivery_id: message } })).status).toBe(403);
    const log = (await testApp.call(token, webhooks.listDeliveries, { params: { endpoint_id: endpoint }, query: {} })).response;
    expect(log.data.map(({ id }) => id)).toEqual([file, message]);
    expect(JSON.stringify(log)).not.toContain("Secret");
    const better = await createApiToken(testApp, owner, ["webhooks", "files:read", "chat:read"]);
    expect((await update(better, endpoint, { url: `${WEBHOOK_URL}/elsewhere` })).status).toBe(200);
    expect((await testApp.call(better, webhooks.getDelivery, { params: { delivery_id: message } })).status).toBe(200);
  });

  it("say which scope is missing", async () => {
    const token = await createApiToken(fixtures.testApp, fixtures.owner, ["webhooks"]);
    const body = { url: WEBHOOK_URL, event_types: ["file.uploaded"] };
    const { status, problem } = await fixtures.testApp.call(token, webhooks.createWebhookEndpoint, { body });
    expect([status, problem.detail]).toEqual([
      403,
      "This token lacks the scope files:read, which reading file.uploaded events needs. Use a token that has both scopes.",
    ]);
  });

  it("hold events as soon as the token has expired, and are paused then, with an entry in the audit log", async () => {
    const { testApp, owner } = fixtures;
    const deps = createModules(testApp).webhookDeps;
    const token = await createApiToken(testApp, owner, SCOPES, iso(testApp.clock.now() + HOUR));
    const [id, other] = [await registerEndpoint(testApp, token), await registerEndpoint(testApp, owner)];
    await setStatus();
    await pauseEndpointsOfExpiredTokens(deps);
    expect((await getEndpoint(id)).enabled).toBe(true);
    testApp.clock.advance(HOUR);
    await setStatus();
    expect((await findDeliveries(testApp, id)).map(({ state }) => state)).toEqual(["pending", "held"]);
    await pauseEndpointsOfExpiredTokens(deps);
    expect(await getEndpoint(id)).toMatchObject({ enabled: false, disabled_reason: "token_ended", disabled_by_account_id: null, held_count: 2 });
    expect((await findDeliveries(testApp, id)).map(({ state }) => state)).toEqual(["held", "held"]);
    expect((await findDeliveries(testApp, other)).map(({ state }) => state)).toEqual(["pending", "pending"]);
    expect((await getEndpoint(other)).enabled).toBe(true);
    const { response } = await testApp.call(owner, audit.listAuditEntries, { query: { group: "webhooks", limit: "1" } });
    expect(response.data).toMatchObject([{ action: "webhook.token_ended", target: { id }, account: { id: owner.id }, api_token: { id: token.id } }]);
  });

  it.each(WEAKENED_ACCOUNTS)("hold events and are paused if their account %s in the moment in which they were stored", async (_title, weakened) => {
    const { testApp, admin } = fixtures;
    const changeAccount = (changes: (typeof WEAKENED_ACCOUNTS)[number][1]) =>
      testApp.database.write((tx) => tx.updateTable("accounts").set(changes).where("id", "=", admin.id).execute());
    const id = await registerEndpoint(testApp, await createApiToken(testApp, admin));
    await changeAccount(weakened);
    await setStatus();
    expect((await findDeliveries(testApp, id)).map(({ state }) => state)).toEqual(["held"]);
    await pauseEndpointsOfExpiredTokens(createModules(testApp).webhookDeps);
    await changeAccount({ role: "admin", disabled_at: null });
    expect(await getEndpoint(id)).toMatchObject({ enabled: false, disabled_reason: "token_ended", held_count: 1 });
  });

  it("belong to whoever resumes or redirects them in a browser, and to the token that redirects them", async () => {
    const { testApp, owner } = fixtures;
    const revoke = (token: { id: number }) => testApp.call(owner, accounts.revokeToken, { params: { token_id: token.id } });
    const [first, second] = [await createApiToken(testApp, owner), await createApiToken(testApp, owner)];
    const resumed = await registerEndpoint(testApp, first);
    const redirected = await registerEndpoint(testApp, first);
    const renamed = await registerEndpoint(testApp, first);
    const captured = await registerEndpoint(testApp, owner);
    await update(owner, redirected, { url: `${WEBHOOK_URL}/mine` });
    await update(owner, renamed, { description: "still the token's", event_types: ["file.renamed"] });
    await update(second, captured, { url: `${WEBHOOK_URL}/captured` });
    await insertDelivery(testApp, resumed, "pending");
    await revoke(first);
    const reasons = async () => Promise.all([resumed, redirected, renamed, captured].map(async (id) => (await getEndpoint(id)).disabled_reason));
    expect(await reasons()).toEqual(["token_ended", null, "token_ended", null]);
    expect((await findDeliveries(testApp, resumed)).map(({ state }) => state)).toEqual(["held"]);
    await update(owner, resumed, { enabled: true });
    await revoke(second);
    expect(await reasons()).toEqual([null, null, "token_ended", "token_ended"]);
  });
});
