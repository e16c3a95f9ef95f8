/** Tests the storage quota of an organization, the reserve of free disk space, and the rejection of uploads beyond them. */
import { once } from "node:events";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { encodeAudio, testSong } from "../../testing/audio.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, openStorage, storedBytes, upload } from "../../testing/files.ts";
import { createFixtures, createMessage, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { createByteStream, listen, sendRawRequest } from "../../testing/raw-socket.ts";
import type { TestApp } from "../../testing/test-app.ts";

describe.each(ENGINES)("the quota on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine, { environment: { QUOTA_BYTES: "1000" } })), 60_000);
  afterAll(() => fixtures.testApp.close());
  const send = (size: number, caller: Caller, parent: number, headers: Record<string, string> = {}) =>
    fixtures.testApp.callUntyped(caller, files.uploadFile, { query: { parent_id: parent, name: "x" }, bytes: Buffer.alloc(size), headers });

  test("applies per organization", async () => {
    const { testApp, owner, foreignOwner, home, foreign } = fixtures;
    const rejection = await send(990, owner, home.folder);
    expect([rejection.status, rejection.problem.detail]).toEqual([413, expect.stringContaining("enough storage left")]);
    expect((await send(900, foreignOwner, foreign.folder)).status).toBe(200);
    expect((await send(900, foreignOwner, foreign.folder)).status).toBe(413);
    expect(await testApp.database.read.selectFrom("jobs").select("id").where("state", "=", "waiting").execute()).toHaveLength(1);
  });
  test("is not exceeded by simultaneous uploads into different projects", async () => {
    const { owner, home, next, apart } = fixtures;
    const folders = [home.folder, next.folder, apart.folder, home.root, next.root, apart.root];
    const replies = await Promise.all(folders.map((parent) => send(400, owner, parent)));
    // The fixture files already use part of the quota.
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413, 413, 413]);
    const stored = await Readable.from(openStorage(fixtures.testApp).list()).toArray();
    expect(stored.filter(({ size }: { size: number }) => size === 400)).toHaveLength(2);
  });
  test("counts of resumable uploads what has arrived: 20 that send nothing hold nothing, and a part over the quota is refused and continued later", async () => {
    const { testApp, owner, guest, home } = fixtures;
    const metadata = { parent_id: home.folder, name: "part" };
    const { bytes: used } = await testApp.database.read
      .selectFrom("stored_bytes")
      .innerJoin("accounts", "accounts.organisation_id", "stored_bytes.organisation_id")
      .select("bytes")
      .where("accounts.id", "=", owner.id)
      .executeTakeFirstOrThrow();
    const left = 1_000 - used;
    const patch = (url: string, offset: number, bytes: Buffer, caller = owner) =>
      testApp.send(caller, {
        method: "PATCH",
        url,
        headers: { "tus-resumable": "1.0.0", "upload-offset": String(offset), "content-type": "application/offset+octet-stream" },
        payload: bytes,
      });
    const offsetOf = async (url: string) =>
      Number((await testApp.send(owner, { method: "HEAD", url, headers: { "tus-resumable": "1.0.0" } })).headers["upload-offset"]);
    await Promise.all(Array.from({ length: 20 }, () => createTusUpload(testApp, guest, left, metadata)));
    await expect(createTusUpload(testApp, owner, left + 1, metadata)).rejects.toThrow(/^413 .*enough storage left/);

    const bytes = Buffer.from(Array.from({ length: left }, (_, index) => index % 256));
    const half = Math.floor(left / 2);
    const whole = await createTusUpload(testApp, owner, left, metadata);
    expect((await patch(whole, 0, bytes.subarray(0, half))).status).toBe(204);
    expect((await send(left - half + 1, owner, home.folder)).status).toBe(413);
    const other = await createTusUpload(testApp, owner, left - half, metadata);
    expect((await patch(other, 0, Buffer.alloc(left - half - 1))).status).toBe(204);
    const refused = await patch(whole, half, bytes.subarray(half));
    expect([refused.status, refused.text]).toEqual([413, expect.stringContaining("enough storage left")]);
    expect(await offsetOf(whole)).toBe(half);

    // What one canceled upload held is free, and the other one continues where it was.
    await testApp.send(owner, { method: "DELETE", url: other, headers: { "tus-resumable": "1.0.0" } });
    const finished = await patch(whole, half, bytes.subarray(half));
    expect(finished.status).toBe(200);
    const { file_id } = JSON.parse(finished.text) as { file_id: number };
    const original = await testApp.app.server.inject({ method: "GET", url: `/api/v2/files/${file_id}/versions/1/original`, headers: owner.headers });
    expect(original.rawPayload.equals(bytes)).toBe(true);
    expect(await testApp.database.read.selectFrom("upload_reservations").select("id").execute()).toEqual([]);
    expect((await send(1, owner, home.folder)).status).toBe(413);
    await storedBytes(testApp);
  });
});

const MB = 1_000_000;

function bytesOnDisk({ config }: TestApp): number {
  const folder = join(config.dataDir, "files");
  const sizes = (readdirSync(folder, { recursive: true }) as string[]).map((name) => lstatSync(join(folder, name), { throwIfNoEntry: false }));
  return sizes.reduce((sum, stats) => sum + (stats?.isFile() ? stats.size : 0), 0);
}

/** Returns the result of `work` and the largest number of bytes on the disk meanwhile. */
async function watchDisk<T>(testApp: TestApp, work: Promise<T>): Promise<{ result: T; most: number }> {
  let most = 0;
  let isDone = false;
  const watching = (async () => {
    while (!isDone) {
      most = Math.max(most, bytesOnDisk(testApp));
      await sleep(1);
    }
  })();
  const result = await work.finally(() => (isDone = true));
  await watching;
  return { result, most };
}

describe.each(ENGINES)("uploads under way on %s", { timeout: 60_000 }, (engine) => {
  const QUOTA = 6 * MB;
  let fixtures: Fixtures;
  let base: string;
  let member: Caller;
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { environment: { QUOTA_BYTES: String(QUOTA) } });
    base = await listen(fixtures.testApp);
    member = await createApiToken(fixtures.testApp, fixtures.member);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const put = (name: string, body: Readable, headers: Record<string, string> = {}) =>
    sendRawRequest(base, member, { method: "PUT", path: `/v1/files/upload?parent_id=${fixtures.home.folder}&name=${name}`, body, headers });
  const reservations = () => fixtures.testApp.database.read.selectFrom("upload_reservations").selectAll().execute();

  test("never put more than the quota on the disk, also without a declared length", async () => {
    const before = bytesOnDisk(fixtures.testApp);
    const uploads = Array.from({ length: 10 }, (_, index) => put(`flood ${index}`, createByteStream(30 * MB)));
    const { result, most } = await watchDisk(fixtures.testApp, Promise.all(uploads));
    expect(result.map(({ status }) => status)).toEqual(Array(10).fill(413));
    expect(result[0]?.json.detail).toContain("enough storage left");
    expect(most).toBeLessThanOrEqual(QUOTA);
    expect(most).toBeGreaterThan(before);
    expect([await reservations(), bytesOnDisk(fixtures.testApp) < MB]).toEqual([[], true]);
  });
  test("reserve what they declare, so that another upload cannot take it, and release it when they break off", async () => {
    const body = new PassThrough();
    const unfinished = put("slow", body, { "content-length": String(4 * MB) }).catch(() => null);
    body.write(Buffer.alloc(1_000));
    while ((await reservations()).length === 0) await sleep(5);
    expect((await put("too much", createByteStream(3 * MB), { "content-length": String(3 * MB) })).status).toBe(413);
    expect((await put("too much", createByteStream(3 * MB))).status).toBe(413);
    await expect(createTusUpload(fixtures.testApp, fixtures.member, 3 * MB, { parent_id: fixtures.home.folder, name: "part" })).rejects.toThrow(/^413/);
    body.destroy(new Error("cable"));
    await unfinished;
    while ((await reservations()).length > 0) await sleep(5);
    expect((await put("fits", createByteStream(3 * MB))).status).toBe(200);
    expect(await reservations()).toEqual([]);
  });
  test("of other processes count too, until these have been silent for ten minutes", async () => {
    const { testApp, member: person } = fixtures;
    const { organisation_id } = await testApp.database.read
      .selectFrom("accounts")
      .select("organisation_id")
      .where("id", "=", person.id)
      .executeTakeFirstOrThrow();
    const row = { id: "elsewhere", organisation_id, bytes: 2 * MB, expires_at: testApp.clock.now() + 600_000 };
    await testApp.database.write((tx) => tx.insertInto("upload_reservations").values(row).execute());
    expect((await put("later", createByteStream(1.5 * MB))).status).toBe(413);
    testApp.clock.advance(600_000);
    expect((await put("later", createByteStream(1.5 * MB))).status).toBe(200);
    await testApp.app.recoverFromCrash();
    expect(await reservations()).toEqual([]);
  });
});

describe.each(ENGINES)("large uploads under way on %s", { timeout: 60_000 }, (engine) => {
  test("hold little of what they declare while little of it has arrived, and more the more has", async () => {
    const fixtures = await createFixtures(engine, { environment: { QUOTA_BYTES: String(50 * MB) } });
    const { testApp, home } = fixtures;
    try {
      const base = await listen(testApp);
      const member = await createApiToken(testApp, fixtures.member);
      const put = (name: string, body: Readable, size: number) =>
        sendRawRequest(base, member, {
          method: "PUT",
          path: `/v1/files/upload?parent_id=${home.folder}&name=${name}`,
          headers: { "content-length": String(size) },
          body,
        });
      const held = async () =>
        (await testApp.database.read.selectFrom("upload_reservations").select("bytes").execute())
          .map(({ bytes }) => bytes)
          .toSorted((left, right) => left - right);
      const [idle, busy] = [new PassThrough(), new PassThrough()];
      const uploads = [put("idle", idle, 30 * MB), put("busy", busy, 30 * MB)].map((request) => request.catch(() => null));
      for (const body of [idle, busy]) body.write(Buffer.alloc(1_000));
      while ((await held()).length < 2) await sleep(5);
      expect(await held()).toEqual([8 * 1024 * 1024, 8 * 1024 * 1024]);
      expect((await put("fits beside them", createByteStream(10 * MB), 10 * MB)).status).toBe(200);
      for (let part = 0; part < 16; part += 1) if (!busy.write(Buffer.alloc(MB))) await once(busy, "drain");
      while ((await held())[1]! < 24 * MB) await sleep(5);
      expect((await put("too much", createByteStream(9 * MB), 9 * MB)).status).toBe(413);
      for (const body of [idle, busy]) body.destroy(new Error("cable"));
      await Promise.all(uploads);
      while ((await held()).length > 0) await sleep(5);
      await storedBytes(testApp);
    } finally {
      await testApp.close();
    }
  });
});

describe.each(ENGINES)("results of processing on %s", { timeout: 60_000 }, (engine) => {
  test("count toward the quota: without room for them the file says so and stays as it was uploaded", async () => {
    const wav = encodeAudio("wav16", testSong(12), 44_100);
    const quota = wav.length + 100_000;
    const fixtures = await createFixtures(engine, { environment: { QUOTA_BYTES: String(quota) } });
    const { testApp, member, home } = fixtures;
    const stop = testApp.app.startMedia();
    try {
      const id = await upload(testApp, member, { parent: home.folder, name: "song.wav", bytes: wav });
      const getCommon = async () => (await testApp.call(member, files.getFileInfo, { body: { file_id: id } })).response.common;
      const waitForEnd = async () => {
        let common = await getCommon();
        for (; ["waiting", "transcoding"].includes(common.transcoding_status); common = await getCommon()) await sleep(20);
        return common;
      };
      expect(await waitForEnd()).toMatchObject({
        transcoding_status: "failed",
        failure: expect.stringMatching(/^Your organization doesn't have enough storage left for this file's waveform and copy/),
        compressed_file_url: null,
      });
      expect([(await storedBytes(testApp)) <= quota, bytesOnDisk(testApp) <= quota]).toEqual([true, true]);
      const original = await testApp.app.server.inject({ method: "GET", url: `/api/v2/files/${id}/versions/1/original`, headers: member.headers });
      expect(original.rawPayload.equals(wav)).toBe(true);
      expect((await testApp.callUntyped(member, files.retryProcessing, { params: { file_id: id } })).status).toBe(200);
      expect((await waitForEnd()).transcoding_status).toBe("failed");
    } finally {
      await stop();
      await testApp.close();
    }
  });
});

describe("the reserve of free disk space", { timeout: 60_000 }, () => {
  test("refuses files with 507 and leaves everything else working", async () => {
    const RESERVE = 5 * MB;
    let room = 100 * MB;
    let opened: TestApp | null = null;
    const fixtures = await createFixtures("sqlite", {
      environment: { DISK_RESERVE_BYTES: String(RESERVE) },
      readDiskSpace: async () => ({ free: RESERVE + room - (opened ? bytesOnDisk(opened) : 0), total: 1_000 * MB }),
    });
    const { testApp, home } = fixtures;
    opened = testApp;
    try {
      const base = await listen(testApp);
      const member = await createApiToken(testApp, fixtures.member);
      const put = (size: number, headers: Record<string, string> = {}) =>
        sendRawRequest(base, member, { method: "PUT", path: `/v1/files/upload?parent_id=${home.folder}&name=x`, body: createByteStream(size), headers });
      room = bytesOnDisk(testApp) + 2 * MB;
      const refused = { status: 507, title: "No space left", detail: expect.stringMatching(/disk is full.*everything else still works/) };
      for (const headers of [{}, { "content-length": String(3 * MB) }] as Record<string, string>[])
        expect((await put(3 * MB, headers)).json).toMatchObject(refused);
      const before = bytesOnDisk(testApp);
      const { result, most } = await watchDisk(testApp, Promise.all(Array.from({ length: 8 }, () => put(1.2 * MB))));
      expect(result.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
      expect(new Set(result.map(({ status }) => status))).toContain(507);
      expect(most).toBeLessThanOrEqual(room);
      expect(most).toBeGreaterThan(before);
      const part = await createTusUpload(testApp, member, 3 * MB, { parent_id: home.folder, name: "part" });
      const patch = () =>
        sendRawRequest(base, member, {
          method: "PATCH",
          path: part,
          headers: { "tus-resumable": "1.0.0", "upload-offset": "0", "content-type": "application/offset+octet-stream" },
          body: Buffer.alloc(3 * MB),
        });
      room = 0;
      expect((await patch()).json).toMatchObject(refused);
      expect((await put(1)).json).toMatchObject(refused);
      expect(await createMessage(testApp, fixtures.member, home.project, "still here")).toBeGreaterThan(0);
      room = bytesOnDisk(testApp) + 8 * MB;
      expect((await patch()).status).toBe(200);
    } finally {
      await testApp.close();
    }
  });
});
