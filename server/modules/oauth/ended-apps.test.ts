/** Tests what an app still has when its access ends: uploads under way, tickets, signed URLs, media, webhook endpoints. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as oauth from "../../../contract/operations/oauth.ts";
import { getSession, liveTicket } from "../../../contract/operations/session.ts";
import { getWebhookEndpoint } from "../../../contract/operations/webhooks.ts";
import { HOUR } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { waitUntil } from "../../testing/live.ts";
import { connectApp, refreshTokens, type ConnectedApp } from "../../testing/oauth.ts";
import { listen, sendRawRequest } from "../../testing/raw-socket.ts";
import { bearerCaller } from "../../testing/test-app.ts";
import { registerEndpoint } from "../../testing/webhooks.ts";

const SIZE = 200_000;
const BYTES = Buffer.alloc(SIZE, 1);
const ENDED_MEANWHILE = expect.stringContaining("ended during the upload");

describe.each(ENGINES)("an app whose access ends on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  let app: ConnectedApp;
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    base = await listen(fixtures.testApp);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const connect = async () => void (app = await connectApp(fixtures.testApp, fixtures.owner, ["account:read", "files:read", "files:write", "webhooks"]));
  async function disconnect(): Promise<void> {
    const [grant] = (await fixtures.testApp.call(fixtures.owner, oauth.listGrants)).response.data;
    expect((await fixtures.testApp.call(fixtures.owner, oauth.revokeGrant, { params: { grant_id: grant?.id ?? 0 } })).status).toBe(204);
  }
  const revokeAccessToken = () => fixtures.testApp.call(ANONYMOUS, oauth.revokeOAuthToken, { body: { token: app.accessToken, client_id: app.client.id } });
  const ENDS: [string, () => Promise<unknown>][] = [
    ["is disconnected", disconnect],
    ["revokes its access token", revokeAccessToken],
  ];
  const namesInFolder = async () =>
    (await fixtures.testApp.database.read.selectFrom("files").select("name").where("parent_id", "=", fixtures.home.folder).execute()).map(({ name }) => name);
  const sendPart = (path: string, offset: number, body: Buffer | PassThrough, by: Caller = app) =>
    sendRawRequest(base, by, {
      method: "PATCH",
      path,
      headers: {
        "tus-resumable": "1.0.0",
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
        "content-length": String(SIZE - offset),
      },
      body,
    });
  /** Ends the access when the service has received all bytes of the body but the last one, and sends that one then. */
  async function endDuring(request: Promise<unknown>, body: PassThrough, end: () => Promise<unknown>): Promise<void> {
    body.write(BYTES.subarray(1));
    const folder = fixtures.testApp.config.dataDir;
    const isStored = () =>
      readdirSync(folder, { recursive: true }).some((name) => statSync(join(folder, String(name)), { throwIfNoEntry: false })?.size === SIZE - 1);
    await waitUntil(isStored, "storing the body");
    await end();
    body.end(BYTES.subarray(0, 1));
    await request;
  }

  it.each(ENDS)("saves nothing of an upload under way when it %s", async (_title, end) => {
    await connect();
    const body = new PassThrough();
    const request = sendRawRequest(base, app, {
      method: files.uploadFile.method,
      path: `${files.uploadFile.path}?name=whole.wav&parent_id=${fixtures.home.folder}`,
      headers: { "content-length": String(SIZE) },
      body,
    });
    await endDuring(request, body, end);
    const { status, json } = await request;
    expect([status, json.detail, await namesInFolder()]).toEqual([401, ENDED_MEANWHILE, expect.not.arrayContaining(["whole.wav"])]);
  });

  it.each(ENDS)("saves nothing of a resumable upload under way when it %s", async (_title, end) => {
    await connect();
    const path = await createTusUpload(fixtures.testApp, app, SIZE, { name: "parts.wav", parent_id: fixtures.home.folder });
    const body = new PassThrough();
    const request = sendPart(path, 0, body);
    await endDuring(request, body, end);
    const { status, json } = await request;
    expect([status, json.detail, await namesInFolder()]).toEqual([401, ENDED_MEANWHILE, expect.not.arrayContaining(["parts.wav"])]);
    expect((await sendRawRequest(base, app, { method: "HEAD", path, headers: { "tus-resumable": "1.0.0" } })).status).toBe(401);
  });

  it("continues a resumable upload with the next access token", async () => {
    const { testApp, home } = fixtures;
    await connect();
    const path = await createTusUpload(testApp, app, SIZE, { name: "continued.wav", parent_id: home.folder });
    const first = sendRawRequest(base, app, {
      method: "PATCH",
      path,
      headers: { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream", "upload-offset": "0" },
      body: BYTES.subarray(0, 1_000),
    });
    expect((await first).status).toBe(204);
    testApp.clock.advance(HOUR);
    expect((await sendPart(path, 1_000, BYTES.subarray(1_000))).status).toBe(401);
    const { response } = await refreshTokens(testApp, app.client, app.refreshToken);
    expect((await sendPart(path, 1_000, BYTES.subarray(1_000), bearerCaller("app", response.access_token))).status).toBe(200);
    expect(await namesInFolder()).toContain("continued.wav");
  });

  it("loses its tickets, signed URLs, media and webhook endpoints when it is disconnected", async () => {
    const { testApp, owner, home } = fixtures;
    await connect();
    const signed = (await testApp.call(app, files.createSignedUrl, { params: { file_id: home.file }, body: {} })).response.data;
    const { common } = (await testApp.call(app, files.getFileInfo, { body: { file_id: home.file } })).response;
    const endpoint_id = await registerEndpoint(testApp, app);
    const { ticket } = (await testApp.call(app, liveTicket)).response.data;
    const get = async (caller: Caller, url: string) => (await testApp.send(caller, { method: "GET", url: new URL(url, base).pathname })).status;
    const peaks = files.getPeaks.path.replace("{file_id}", String(home.file));
    const statuses = async () => [await get(ANONYMOUS, signed.url), await get(app, common.url), await get(app, peaks), await get(app, getSession.path)];
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await disconnect();
    expect(await statuses()).toEqual([404, 401, 401, 401]);
    const upgrade = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13", "sec-websocket-key": btoa("0123456789abcdef") };
    const live = (caller: Caller, search: string) => sendRawRequest(base, caller, { method: "GET", path: `/api/v2/live${search}`, headers: upgrade });
    expect([(await live(ANONYMOUS, `?ticket=${ticket}`)).status, (await live(app, "")).status]).toEqual([401, 401]);
    const { data } = (await testApp.call(owner, getWebhookEndpoint, { params: { endpoint_id } })).response;
    expect(data.disabled_reason).toBe("token_ended");
  });
});
