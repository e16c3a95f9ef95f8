/** Files in an S3-compatible store, through the whole API, and with a second process that shares only the database and the store. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as chat from "../../../contract/operations/chat.ts";
import * as view from "../../../contract/operations/files-view.ts";
import * as files from "../../../contract/operations/files.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { buildApp, type App } from "../../app.ts";
import { DAY, MINUTE } from "../../lib/clock.ts";
import { checkStorage } from "../../storage/storage.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import { createClient, requestUrl, type Caller, type Client } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, currentVersion, openStorage, storedBytes, upload } from "../../testing/files.ts";
import { firstTeamId } from "../../testing/fixtures.ts";
import { createSession, joinTeam, setUpOwner, type Person } from "../../testing/people.ts";
import { listen } from "../../testing/raw-socket.ts";
import { startS3Server, type S3Server } from "../../testing/s3-server.ts";
import { startTestApp, type TestApp } from "../../testing/test-app.ts";
import { openZip } from "../../testing/unzip.ts";
import { recordedKeys } from "./blob-keys.ts";
import { FILE_RETENTION_MS } from "./retention.ts";
import { RESUMABLE_MS } from "./resumable.ts";

const PART = { "tus-resumable": "1.0.0", "content-type": "application/offset+octet-stream" };

describe.each(ENGINES)("files in S3, with %s", { timeout: 60_000 }, (engine) => {
  let server: S3Server;
  let testApp: TestApp;
  let elsewhere: App;
  let elsewhereFolder: string;
  let elsewhereClient: Client;
  let base: string | undefined;
  let owner: Person;
  let guest: Person;
  let project: number;
  let root: number;
  beforeAll(async () => {
    server = await startS3Server({ minPartBytes: 5 * 1_024 * 1_024 });
    testApp = await startTestApp(engine, { environment: { ...server.environment, S3_PREFIX: "studio", S3_SIGNED_URLS: "on" } });
    elsewhereFolder = mkdtempSync(join(tmpdir(), "talkback-elsewhere-"));
    const { database, masterKey, clock, config } = testApp;
    elsewhere = await buildApp({ config: { ...config, dataDir: elsewhereFolder }, database, masterKey, clock, checkResponses: true, clientFolder: "/nowhere" });
    elsewhereClient = createClient(elsewhere.server);
    owner = await setUpOwner(testApp);
    const team = await firstTeamId(testApp, owner);
    ({ id: project, root_folder_id: root } = (await testApp.call(owner, projects.createProject, { body: { team_id: team, name: "Songs" } })).response.data as {
      id: number;
      root_folder_id: number;
    });
    const other = (await testApp.call(owner, projects.createProject, { body: { team_id: team, name: "Not these" } })).response.data.id;
    guest = await joinTeam(testApp, owner, "guest", { team, role: "guest", projects: [other] });
  }, 60_000);
  afterEach(() => void (server.onRequest = () => null));
  afterAll(async () => {
    await elsewhere.server.close();
    await testApp.close();
    await server.close();
    rmSync(elsewhereFolder, { recursive: true, force: true });
  });

  const urlOf = (id: number, variant = "original") => requestUrl(files.getContent, { params: { file_id: id, number: 1, variant } });
  const read = (client: Client, id: number, headers: Record<string, string> = {}, caller: Caller = owner) =>
    client.send(caller, { method: "GET", url: urlOf(id), headers });
  const leftovers = () => [...server.uploads().map(({ key }) => key), ...server.objects().filter((key) => !key.startsWith("studio/blobs/"))];
  const sha256Of = async (id: number) => {
    const { blob_key } = await currentVersion(testApp, id);
    return (await testApp.database.read.selectFrom("blobs").select("sha256").where("key", "=", blob_key).executeTakeFirstOrThrow()).sha256;
  };
  const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  async function expectNothingLost(): Promise<void> {
    const report = await checkStorage(openStorage(testApp), recordedKeys(testApp.database.read), Date.now() + 2 * DAY);
    expect([report.missing, report.orphans, leftovers()]).toEqual([[], [], []]);
    expect(report.bytes).toBe(await storedBytes(testApp));
  }

  test("an upload is stored only there, and every process serves it, with ranges and conditions", async () => {
    const id = await upload(testApp, owner, { parent: root, name: "take.wav", bytes: "RIFF 0123456789" });
    expect(readdirSync(join(testApp.config.dataDir, "files"), { recursive: true }).filter((name) => String(name).startsWith("blobs/"))).toEqual([]);
    for (const client of [testApp, elsewhereClient]) {
      const all = await read(client, id);
      expect([all.status, all.text, all.headers["content-length"]]).toEqual([200, "RIFF 0123456789", "15"]);
      const part = await read(client, id, { range: "bytes=-4" });
      expect([part.status, part.text, part.headers["content-range"]]).toEqual([206, "6789", "bytes 11-14/15"]);
      expect((await read(client, id, { range: "bytes=15-" })).status).toBe(416);
      expect((await read(client, id, { "if-none-match": String(all.headers["etag"]) })).status).toBe(304);
    }
    await expectNothingLost();
  });

  test("a resumable upload that began at one process ends at another, with the right bytes, size and hash", async () => {
    const bytes = randomBytes(9_000_000);
    const path = await createTusUpload(testApp, owner, bytes.length, { name: "long.bin", parent_id: root });
    const send = (client: Client, start: number, end: number) =>
      client.send(owner, { method: "PATCH", url: path, headers: { ...PART, "upload-offset": String(start) }, payload: bytes.subarray(start, end) });
    const offset = async (client: Client) => (await client.send(owner, { method: "HEAD", url: path, headers: PART })).headers["upload-offset"];
    expect((await send(testApp, 0, 300_000)).status).toBe(204);
    expect(await offset(elsewhereClient)).toBe("300000");
    expect((await send(elsewhereClient, 0, 10)).status).toBe(409);
    expect((await send(elsewhereClient, 300_000, 8_900_000)).status).toBe(204);
    expect(await offset(testApp)).toBe("8900000");
    const { status, text } = await send(testApp, 8_900_000, bytes.length);
    expect(status, text).toBe(200);
    const { file_id } = JSON.parse(text) as { file_id: number };
    expect(await sha256Of(file_id)).toBe(digest(bytes));
    expect(await offset(elsewhereClient)).toBe("9000000");
    expect((await elsewhereClient.send(owner, { method: "DELETE", url: path, headers: { "tus-resumable": "1.0.0" } })).status).toBe(204);
    await expectNothingLost();
  });

  test("a resumable upload whose process ends before it made a file becomes one at another, once", async () => {
    const bytes = Buffer.from("all of its bytes have arrived");
    const path = await createTusUpload(testApp, owner, bytes.length, { name: "late.bin", parent_id: root });
    // The store refuses to make the object, as if the process ended here.
    server.onRequest = ({ method, query }) => (method === "POST" && query.has("uploadId") ? { status: 403, code: "AccessDenied" } : null);
    expect((await testApp.send(owner, { method: "PATCH", url: path, headers: { ...PART, "upload-offset": "0" }, payload: bytes })).status).toBe(503);
    server.onRequest = () => null;
    const heads = await Promise.all([testApp, elsewhereClient].map((client) => client.send(owner, { method: "HEAD", url: path, headers: PART })));
    expect(heads.map(({ status, headers }) => [status, headers["upload-offset"]])).toEqual([
      [200, String(bytes.length)],
      [200, String(bytes.length)],
    ]);
    const found = await testApp.database.read.selectFrom("files").select("id").where("name", "=", "late.bin").execute();
    expect(found).toHaveLength(1);
    expect(await sha256Of(found[0]!.id)).toBe(digest(bytes));
    await expectNothingLost();
  });

  test("canceled and expired uploads leave nothing behind", async () => {
    const [canceled, expired] = [
      await createTusUpload(testApp, owner, 10, { name: "a", parent_id: root }),
      await createTusUpload(testApp, owner, 10, { name: "b", parent_id: root }),
    ];
    for (const url of [canceled, expired])
      expect((await testApp.send(owner, { method: "PATCH", url, headers: { ...PART, "upload-offset": "0" }, payload: "half" })).status).toBe(204);
    expect(leftovers().length).toBeGreaterThan(3);
    expect((await elsewhereClient.send(owner, { method: "DELETE", url: canceled, headers: { "tus-resumable": "1.0.0" } })).status).toBe(204);
    testApp.clock.advance(RESUMABLE_MS + MINUTE);
    await elsewhere.scheduledJobs["delete expired uploads"]?.();
    await expectNothingLost();
  });

  test("a song is processed by another process than the one that received it, and deleted with all of its copies", async () => {
    const id = await upload(testApp, owner, { parent: root, name: "song.wav", bytes: encodeAudio("wav16", testSong(2), 44_100) });
    const stop = elsewhere.startMedia();
    while (!["transcoded", "failed"].includes((await currentVersion(testApp, id)).transcoding_status)) await sleep(20);
    await stop();
    const version = await currentVersion(testApp, id);
    expect(version).toMatchObject({ transcoding_status: "transcoded", kind: "audio", duration: expect.closeTo(2, 1) });
    expect(JSON.parse(version.peaks!).levels.length).toBeGreaterThan(0);
    const peaks = await testApp.send(owner, { method: "GET", url: requestUrl(files.getPeaksLevel, { params: { file_id: id, number: 1, level: 0 } }) });
    expect(peaks.status).toBe(200);
    expect(existsSync(join(elsewhereFolder, "files", "work")) && readdirSync(join(elsewhereFolder, "files", "work"))).toEqual([]);
    await expectNothingLost();
    const { length } = server.objects();
    await testApp.call(owner, files.deleteFile, { body: { file_id: id } });
    testApp.clock.advance(FILE_RETENTION_MS);
    await testApp.app.scheduledJobs["delete the bytes of deleted files"]?.();
    owner = { ...owner, ...(await createSession(testApp, owner.id, owner.name)) };
    guest = { ...guest, ...(await createSession(testApp, guest.id, guest.name)) };
    expect(length - server.objects().length).toBeGreaterThan(2);
    expect(await testApp.database.read.selectFrom("blobs").select("key").where("key", "=", version.blob_key).where("deleted_at", "is", null).execute()).toEqual(
      [],
    );
  });

  test("a zip has the bytes of all files", async () => {
    const ids = [
      await upload(testApp, owner, { parent: root, name: "one.txt", bytes: "first" }),
      await upload(testApp, owner, { parent: root, name: "two.txt", bytes: "" }),
    ];
    const reply = await fetch((base ??= await listen(testApp)) + requestUrl(view.getArchive, { query: { ids: ids.join(",") } }), { headers: owner.headers });
    const path = join(elsewhereFolder, "both.zip");
    writeFileSync(path, Buffer.from(await reply.arrayBuffer()));
    const { entries, close } = openZip(path);
    expect(entries.map((entry) => [entry.path, entry.read().toString()])).toEqual([
      ["one.txt", "first"],
      ["two.txt", ""],
    ]);
    close();
  });

  test("a store that is out of reach stops uploads and media with a clear error, nothing else, and leaves nothing behind", async () => {
    const id = await upload(testApp, owner, { parent: root, name: "before.wav", bytes: "RIFF before" });
    const before = await testApp.database.read.selectFrom("files").select("id").execute();
    server.onRequest = () => ({ status: 403, code: "AccessDenied" });
    const failed = await testApp.callUntyped(owner, files.uploadFile, { query: { parent_id: root, name: "during.wav" }, bytes: Buffer.from("RIFF") });
    expect([failed.status, failed.problem.detail, failed.headers["retry-after"]]).toEqual([
      503,
      "The file storage is unavailable. Nothing was saved. Try again.",
      "5",
    ]);
    expect((await read(testApp, id)).status).toBe(503);
    expect((await testApp.call(owner, chat.sendMessage, { body: { project_id: project, body: "still here" } })).status).toBe(200);
    expect(await testApp.database.read.selectFrom("files").select("id").execute()).toEqual(before);
    server.onRequest = () => null;
    expect((await read(testApp, id)).text).toBe("RIFF before");
    await expectNothingLost();
  });

  test("a download whose connection to the store breaks ends whole", async () => {
    const bytes = randomBytes(2_000_000);
    const id = await upload(testApp, owner, { parent: root, name: "big.bin", bytes });
    let cuts = 0;
    server.onRequest = ({ method, key }) => (method === "GET" && key.includes("blobs/") && (cuts += 1) <= 3 ? { cutAfter: 500_000 } : null);
    const reply = await fetch((base ??= await listen(testApp)) + urlOf(id), { headers: owner.headers });
    expect(digest(Buffer.from(await reply.arrayBuffer()))).toBe(digest(bytes));
    expect(cuts).toBeGreaterThan(3);
  });

  describe("signed URLs", () => {
    const asMedia = { "sec-fetch-dest": "audio", "sec-fetch-mode": "no-cors", "sec-fetch-site": "same-origin" };
    const asDownload = { "sec-fetch-dest": "document", "sec-fetch-mode": "navigate", "sec-fetch-site": "same-origin" };
    const asScript = { "sec-fetch-dest": "empty", "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" };
    let id: number;
    beforeAll(async () => {
      id = await upload(testApp, owner, { parent: root, name: "it's a söng.wav", bytes: encodeAudio("wav16", testSong(1), 8_000) });
      await testApp.database.write(
        async (tx) => void (await tx.updateTable("file_versions").set({ media_type: "audio/wav" }).where("file_id", "=", id).execute()),
      );
    });

    test("lead media elements and downloads to the store, with the type and name of the file", async () => {
      for (const [headers, disposition] of [
        [asMedia, /^inline; filename="it's a s_ng.wav"; filename\*=UTF-8''it%27s%20a%20s%C3%B6ng.wav$/],
        [asDownload, /^inline/],
      ] as const) {
        const reply = await read(testApp, id, headers);
        expect([reply.status, reply.headers["cache-control"]]).toEqual([302, "no-store"]);
        const location = String(reply.headers["location"]);
        expect(location.startsWith(`${server.endpoint}/talkback/studio/blobs/`)).toBe(true);
        const stored = await fetch(location, { headers: { range: "bytes=0-3" } });
        expect([stored.status, await stored.text(), stored.headers.get("content-type")]).toEqual([206, "RIFF", "audio/wav"]);
        expect(stored.headers.get("content-disposition")).toMatch(disposition);
      }
      const download = await testApp.send(owner, { method: "GET", url: `${urlOf(id)}?download=1`, headers: asDownload });
      expect((await fetch(String(download.headers["location"]))).headers.get("content-disposition")).toMatch(/^attachment/);
    });
    test("are for nobody who may not read the file", async () => {
      const reply = await read(testApp, id, asMedia, guest);
      expect([reply.status, reply.headers["location"]]).toEqual([404, undefined]);
      expect((await read(testApp, id, asMedia, { name: "nobody", headers: {} })).status).toBe(401);
    });
    test.each<[string, Record<string, string>]>([
      ["a script of the page", asScript],
      ["an element of another page", { ...asMedia, "sec-fetch-site": "cross-site" }],
      ["an element with CORS", { ...asMedia, "sec-fetch-mode": "cors" }],
      ["a frame", { ...asDownload, "sec-fetch-dest": "iframe" }],
      ["a program", {}],
    ])("are not for %s", async (_who, headers) => {
      const reply = await read(testApp, id, headers);
      expect([reply.status, reply.text.slice(0, 4)]).toEqual([200, "RIFF"]);
    });
    test("are allowed by the policy of the page, as media and pictures only", async () => {
      const policy = String((await testApp.send(owner, { method: "GET", url: "/api/v2/service" })).headers["content-security-policy"]);
      for (const directive of ["img-src", "media-src"]) expect(policy).toMatch(new RegExp(`${directive} [^;]*${server.endpoint}`));
      expect(policy.split(server.endpoint)).toHaveLength(3);
    });
  });
});
