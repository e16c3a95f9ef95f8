import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { waitUntil } from "../../testing/live.ts";
import { createApiToken, joinTeam } from "../../testing/people.ts";
import { sendRawRequest, listen, createByteStream, type RawRequest } from "../../testing/raw-socket.ts";

const LIMIT = 3_000_000;
let uploaderCount = 0;

describe.each(ENGINES)("plain uploads on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  let member: Caller;
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { environment: { MAX_UPLOAD_BYTES: String(LIMIT) } });
    base = await listen(fixtures.testApp);
    member = await createApiToken(fixtures.testApp, fixtures.member);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const incoming = () => readdirSync(join(fixtures.testApp.config.dataDir, "files", "incoming"));
  const countStored = async () => {
    const { testApp } = fixtures;
    const keys = (await Readable.from(openStorage(testApp).list()).toArray()).length;
    const rows = await testApp.database.read
      .selectFrom("files")
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .executeTakeFirstOrThrow();
    return { keys, rows: Number(rows.count) };
  };
  const uploadFile = (query: Record<string, string | number>, request: Omit<RawRequest, "method" | "path">) =>
    sendRawRequest(base, member, {
      method: "PUT",
      path: `/v1/files/upload?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
      ...request,
    });
  const homeFolderQuery = (name: string) => ({ parent_id: fixtures.home.folder, name });
  const getFileName = async (id: number) => (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.name;

  /** Asserts that the sender can read the rejection and that nothing is stored. */
  async function expectRejected(status: number, send: () => ReturnType<typeof sendRawRequest>, detail: RegExp): Promise<void> {
    const before = await countStored();
    const reply = await send();
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.json.detail).toMatch(detail);
    expect(await countStored()).toEqual(before);
    expect(incoming()).toEqual([]);
  }

  test("stores the bytes unchanged, chunked or with a length", async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));
    for (const body of [bytes, Readable.from([bytes.subarray(0, 5), bytes.subarray(5)])]) {
      const { json } = await uploadFile(homeFolderQuery("bytes.bin"), { body });
      const version = await currentVersion(fixtures.testApp, json.file_id);
      expect(version).toMatchObject({ number: 1, size: 200_000, transcoding_status: "waiting" });
      const blob = await fixtures.testApp.database.read.selectFrom("blobs").selectAll().where("key", "=", version.blob_key).executeTakeFirstOrThrow();
      expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      const stored = Buffer.concat(await (await openStorage(fixtures.testApp).open(version.blob_key)).toArray());
      expect(stored.equals(bytes)).toBe(true);
    }
  });

  test.each([
    ["the token is revoked", 401, "api_tokens", { revoked_at: 1 }],
    ["the account is disabled", 401, "accounts", { disabled_at: 1 }],
    ["the account becomes a guest, who adds no versions to files of others", 403, "accounts", { role: "guest" }],
  ] as const)("stores nothing if, between the first byte and the last, %s", async (_title, status, table, changes) => {
    const { testApp, owner, home } = fixtures;
    const person = await joinTeam(testApp, owner, `uploader ${(uploaderCount += 1)}`, { team: home.team, role: "member", projects: [home.project] });
    const caller = await createApiToken(testApp, person);
    const file = await upload(testApp, fixtures.owner, { parent: home.folder, name: "of the owner.wav" });
    const before = await countStored();
    const body = new PassThrough();
    const pending = sendRawRequest(base, caller, { method: "PUT", path: `/v1/files/upload?version_of=${file}`, body });
    body.write(Buffer.alloc(1_000));
    await waitUntil(() => incoming().length > 0, "receiving the first bytes");
    await testApp.database.write((tx) =>
      tx
        .updateTable(table)
        .set(changes)
        .where(table === "accounts" ? "id" : "account_id", "=", person.id)
        .execute(),
    );
    body.end(Buffer.alloc(1_000));
    expect((await pending).status).toBe(status);
    expect([await countStored(), incoming(), (await currentVersion(testApp, file)).number]).toEqual([before, [], 1]);
  });

  test("stores an empty file", async () => {
    const { json, status } = await uploadFile(homeFolderQuery("empty.wav"), { body: Buffer.alloc(0) });
    expect(status).toBe(200);
    expect((await currentVersion(fixtures.testApp, json.file_id)).size).toBe(0);
  });

  test("each upload creates a job, an event and an outbound webhook event", async () => {
    const { database } = fixtures.testApp;
    const { json } = await uploadFile(homeFolderQuery("noticed.wav"), { body: Buffer.from("x") });
    const version = await currentVersion(fixtures.testApp, json.file_id);
    const jobs = await database.read.selectFrom("jobs").selectAll().where("subject_id", "=", version.id).execute();
    expect(jobs).toMatchObject([{ kind: "media", state: "waiting" }]);
    const [event] = await database.read
      .selectFrom("events")
      .selectAll()
      .where("topic", "=", `project:${fixtures.home.project}`)
      .orderBy("seq", "desc")
      .limit(1)
      .execute();
    expect([event?.type, JSON.parse(event?.data ?? "{}").id]).toEqual(["file.created", json.file_id]);
    const outbound = await database.read.selectFrom("outbound_events").selectAll().where("type", "=", "file.uploaded").execute();
    expect(outbound.map(({ data }) => JSON.parse(data)).filter(({ id }) => id === json.file_id)).toMatchObject([
      {
        object: "file",
        name: "noticed.wav",
        is_folder: false,
        parent_id: fixtures.home.folder,
        size: 1,
        removal_protection: false,
        task_load_protection: false,
        team_id: fixtures.home.team,
        version: 1,
        changed_by_account_id: fixtures.member.id,
        upload_time: expect.stringMatching(/Z$/),
      },
    ]);
  });

  describe("rejects an upload", () => {
    test("over the size limit before it reads a byte, if the length is declared", async () => {
      const body = new PassThrough();
      await expectRejected(
        413,
        () => uploadFile(homeFolderQuery("big.wav"), { body, headers: { "content-length": String(LIMIT + 1) } }),
        /larger than the limit of 3,000,000 bytes/,
      );
    });
    test("over the size limit as soon as it is reached, if no length is declared", () =>
      expectRejected(413, () => uploadFile(homeFolderQuery("big.wav"), { body: createByteStream(LIMIT * 3) }), /larger than the limit of 3,000,000 bytes/));
    test("into an inaccessible folder without waiting for the rest", async () => {
      await expectRejected(404, () => uploadFile({ parent_id: fixtures.next.folder, name: "x" }, { body: createByteStream(LIMIT * 3) }), /No such file/);
      await expectRejected(
        404,
        () => uploadFile({ parent_id: fixtures.next.folder, name: "x" }, { body: new PassThrough(), headers: { "content-length": "5" } }),
        /No such file/,
      );
    });
    test.each([
      "../etc/passwd",
      "a/b.wav",
      "a\\b.wav",
      ".",
      "..",
      "   ",
      "x".repeat(300),
      "é".repeat(128),
      "nul\0.wav",
      "gpj\u202e.exe",
      "\u200fmix.wav",
      "two\nlines.wav",
      "zero\u200bwidth.wav",
    ])("under the name %j", (name) => expectRejected(400, () => uploadFile(homeFolderQuery(name), { body: Buffer.from("x") }), /^(name|query)/));
    test("with another content type", async () => {
      await expectRejected(
        415,
        () => uploadFile(homeFolderQuery("x.wav"), { body: Buffer.from("{}"), headers: { "content-type": "application/json" } }),
        /application\/octet-stream/,
      );
      await expectRejected(
        415,
        () => uploadFile(homeFolderQuery("x.wav"), { body: Buffer.from("x"), headers: { "content-type": "multipart/form-data; boundary=x" } }),
        /application\/octet-stream/,
      );
    });
    test("without a body", () => expectRejected(415, () => uploadFile(homeFolderQuery("x.wav"), {}), /application\/octet-stream/));
    test("of bytes where JSON is expected", () =>
      expectRejected(415, () => sendRawRequest(base, member, { method: "POST", path: "/v1/account/get_info", body: Buffer.from("x") }), /application\/json/));
  });

  test("a broken connection leaves nothing behind, with a length or chunked", async () => {
    const before = await countStored();
    for (const length of [undefined, "1000000"]) {
      const body = new PassThrough();
      const pendingUpload = uploadFile(homeFolderQuery("broken.wav"), { body, headers: length === undefined ? {} : { "content-length": length } }).catch(
        () => null,
      );
      body.write(Buffer.alloc(100_000));
      for (let tries = 0; incoming().length === 0 && tries < 200; tries += 1) await sleep(10);
      expect(incoming()).toHaveLength(1);
      body.destroy(new Error("cable"));
      expect(await pendingUpload.then(() => "over")).toBe("over");
      for (let tries = 0; incoming().length > 0 && tries < 200; tries += 1) await sleep(10);
      expect(incoming()).toEqual([]);
    }
    expect(await countStored()).toEqual(before);
  });

  test("a connection that ends before the declared length leaves nothing behind", async () => {
    const before = await countStored();
    const url = new URL(base);
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => {});
    socket.write(
      `PUT /v1/files/upload?parent_id=${fixtures.home.folder}&name=short.wav HTTP/1.1\r\nHost: x\r\nAuthorization: ${member.headers["authorization"]}\r\nContent-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nfive!`,
    );
    for (let tries = 0; incoming().length === 0 && tries < 500; tries += 1) await sleep(10);
    expect(incoming()).toHaveLength(1);
    socket.end();
    for (let tries = 0; incoming().length > 0 && tries < 500; tries += 1) await sleep(10);
    expect(incoming()).toEqual([]);
    expect(await countStored()).toEqual(before);
    expect((await uploadFile(homeFolderQuery("after.wav"), { body: Buffer.from("x") })).status).toBe(200);
  });

  describe("names", () => {
    const createFolder = async (name: string) =>
      (await fixtures.testApp.call(fixtures.member, files.createFolder, { body: { parent_id: fixtures.home.root, name } })).response.data.id;
    test("numbers a taken name, ignoring case and Unicode form", async () => {
      const parent = await createFolder(`Names ${engine}`);
      const names = [];
      for (const name of ["Été.wav", "ÉTÉ.WAV", "E\u0301te\u0301.wav", "Été (2).wav", ".hidden", ".hidden", "no ending", "no ending"])
        names.push(await getFileName(await upload(fixtures.testApp, fixtures.member, { parent, name })));
      expect(names).toEqual(["Été.wav", "ÉTÉ (2).WAV", "E\u0301te\u0301 (3).wav", "Été (2) (2).wav", ".hidden", ".hidden (2)", "no ending", "no ending (2)"]);
    });
    test("numbers names of the maximum length", async () => {
      const parent = await createFolder(`Long ${engine}`);
      for (const name of [`${"a".repeat(251)}.wav`, `a.${"b".repeat(253)}`, "🎧".repeat(63)]) {
        await upload(fixtures.testApp, fixtures.member, { parent, name });
        const twin = await getFileName(await upload(fixtures.testApp, fixtures.member, { parent, name }));
        expect(twin).toMatch(/ \(2\)(\.wav)?$/);
        expect(Buffer.byteLength(twin)).toBeLessThanOrEqual(255);
      }
    });
    test("gives twelve simultaneous uploads of one name different numbers", async () => {
      const parent = await createFolder(`Race ${engine}`);
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) => uploadFile({ parent_id: parent, name: "take.wav" }, { body: Buffer.from(`take ${index}`) })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const names = (await fixtures.testApp.call(fixtures.member, files.listFolder, { body: { file_id: parent } })).response.data.map(({ name }) => name);
      expect(new Set(names)).toEqual(new Set(["take.wav", ...Array.from({ length: 11 }, (_, index) => `take (${index + 2}).wav`)]));
    });
    test("numbers sixty uploads of one name in sequence", async () => {
      const parent = await createFolder(`Sixty ${engine}`);
      let last = 0;
      for (let twin = 0; twin < 60; twin += 1) last = await upload(fixtures.testApp, fixtures.member, { parent, name: "t.wav" });
      expect(await getFileName(last)).toBe("t (60).wav");
    });
  });

  describe("versions", () => {
    test("are created only by version_of, numbered from one, each with its own bytes", async () => {
      const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "versions.wav", bytes: "one" });
      const { json } = await uploadFile({ version_of: id }, { body: Buffer.from("two!") });
      expect(json).toEqual({ file_id: id, version: 2 });
      expect(await getFileName(id)).toBe("versions.wav");
      const content = (number: number) => sendRawRequest(base, member, { method: "GET", path: `/api/v2/files/${id}/versions/${number}/original` });
      expect([(await content(1)).text, (await content(2)).text, (await content(3)).status]).toEqual(["one", "two!", 404]);
      // File info also works per version, and without a version returns the newest.
      const info = (version?: number) => fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id, ...(version ? { version } : {}) } });
      for (const [requestedVersion, number, size] of [
        [undefined, 2, 4],
        [2, 2, 4],
        [1, 1, 3],
      ] as const)
        expect((await info(requestedVersion)).response.common).toMatchObject({
          version: number,
          size,
          url: expect.stringContaining(`/versions/${number}/original`),
        });
      expect([(await info(3)).status, (await info(2 ** 31)).status]).toEqual([404, 404]);
    });
    test("get different numbers for eight simultaneous uploads", async () => {
      const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "together.wav" });
      const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => uploadFile({ version_of: id }, { body: Buffer.from(`v${index}`) })));
      expect(replies.map(({ json }) => json.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    });
    test("of a file deleted during the upload become a new file in its folder", async () => {
      const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "going.wav" });
      const body = new PassThrough();
      body.write("half");
      const pendingUpload = uploadFile({ version_of: id }, { body });
      for (let tries = 0; incoming().length === 0 && tries < 200; tries += 1) await sleep(10);
      await fixtures.testApp.call(fixtures.member, files.deleteFile, { body: { file_id: id } });
      body.end();
      const { json } = await pendingUpload;
      expect(json).toMatchObject({ version: 1 });
      const { common } = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: json.file_id } })).response;
      expect(common).toMatchObject({ name: "going.wav", parent_id: fixtures.home.folder, size: 4 });
    });
  });

  describe("an Idempotency-Key", () => {
    const uploadWithKey = (body: string, key: string, name = "keyed.wav") =>
      uploadFile(homeFolderQuery(name), { body: Buffer.from(body), headers: { "idempotency-key": key } });
    test("returns the same file and stores its bytes once", async () => {
      const first = await uploadWithKey("sound", "one");
      const before = await countStored();
      expect((await uploadWithKey("sound", "one")).json).toEqual(first.json);
      expect(await countStored()).toEqual(before);
    });
    test("returns 409 for other bytes or another name and stores nothing", async () => {
      await uploadWithKey("sound", "two");
      await expectRejected(409, () => uploadWithKey("noise", "two"), /Idempotency-Key/);
      await expectRejected(409, () => uploadWithKey("sound", "two", "other.wav"), /Idempotency-Key/);
    });
    test("creates one file for six simultaneous uploads", async () => {
      const before = await countStored();
      const replies = await Promise.all(Array.from({ length: 6 }, () => uploadWithKey("six", "six")));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(await countStored()).toEqual({ keys: before.keys + 1, rows: before.rows + 1 });
    });
  });

  // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
  afterEach(() => expect(incoming()).toEqual([]));
});
