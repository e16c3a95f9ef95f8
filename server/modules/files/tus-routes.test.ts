import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createTusUpload, currentVersion, openStorage, tusHeaders, uploadIdFromUrl } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { sendRawRequest, listen, type RawResponse } from "../../testing/raw-socket.ts";
import { MINUTE } from "../../lib/clock.ts";
import { RESUMABLE_MS } from "./resumable.ts";

const LIMIT = 5_000_000;

describe.each(ENGINES)("resumable uploads on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  let member: Caller;
  let guest: Caller;
  beforeAll(async () => {
    fixtures = await createFixtures(engine, { environment: { MAX_UPLOAD_BYTES: String(LIMIT) } });
    base = await listen(fixtures.testApp);
    member = await createApiToken(fixtures.testApp, fixtures.member);
    guest = await createApiToken(fixtures.testApp, fixtures.guest);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const folder = () => join(fixtures.testApp.config.dataDir, "files", "uploads");
  const listParts = () => readdirSync(folder());
  const begin = (size: number, metadata: Record<string, string | number> = { name: "take.wav", parent_id: fixtures.home.folder }) =>
    createTusUpload(fixtures.testApp, member, size, metadata);
  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer | Readable, by = member): Promise<RawResponse> =>
    sendRawRequest(base, by, {
      method,
      path,
      headers: { "tus-resumable": "1.0.0", ...(body ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
      ...(body ? { body } : {}),
    });
  const send = (path: string, offset: number, body: Buffer | Readable, by = member) => call("PATCH", path, { "upload-offset": String(offset) }, body, by);
  const offsetOf = async (path: string) => Number((await call("HEAD", path)).headers["upload-offset"]);
  const getUpload = async (path: string, by: Caller = member) => fixtures.testApp.call(by, files.getUpload, { params: { upload_id: uploadIdFromUrl(path) } });
  const countFiles = async () =>
    Number(
      (
        await fixtures.testApp.database.read
          .selectFrom("files")
          .select(({ fn }) => fn.countAll<number | string>().as("count"))
          .executeTakeFirstOrThrow()
      ).count,
    );

  async function expectProblem(reply: RawResponse, status: number, detail: RegExp): Promise<void> {
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
    expect(reply.json).toMatchObject({ object: "error", status, detail: expect.stringMatching(detail), request_id: expect.any(String) });
  }

  test("the tus client uploads a file in chunks and receives the id of the file", async () => {
    const bytes = randomBytes(3_000_000);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let body = "";
    new Upload(bytes, {
      endpoint: `${base}/api/v2/uploads`,
      headers: member.headers,
      metadata: { name: "client.wav", project_id: String(fixtures.home.project) },
      chunkSize: 1_000_000,
      onAfterResponse: (_request, response) => void (body = response.getBody() || body),
      onSuccess: () => resolve(body),
      onError: reject,
    }).start();
    const { file_id } = JSON.parse(await promise) as { file_id: number };
    const version = await currentVersion(fixtures.testApp, file_id);
    const stored = Buffer.concat(await (await openStorage(fixtures.testApp).open(version.blob_key)).toArray());
    expect(stored.equals(bytes)).toBe(true);
    const { name, parent_id } = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id } })).response.common;
    const chat = (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: Number(parent_id) } })).response.common;
    expect([name, chat.name]).toEqual(["client.wav", "Chat"]);
    expect(listParts()).toEqual([]);
  });

  test("resumes at the stored offset after the connection breaks", async () => {
    const bytes = randomBytes(900_000);
    const path = await begin(bytes.length);
    const body = new PassThrough();
    const brokenUpload = send(path, 0, body).catch(() => null);
    body.write(bytes.subarray(0, 500_000));
    for (let tries = 0; tries < 300 && (await offsetOf(path).catch(() => 0)) === 0; tries += 1) await sleep(10);
    body.destroy(new Error("cable"));
    await brokenUpload;
    const offset = await offsetOf(path);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(500_000);
    expect((await getUpload(path)).response.data).toMatchObject({ size: 900_000, file_id: null });
    const { json, status } = await send(path, offset, bytes.subarray(offset));
    expect(status).toBe(200);
    const { blob_key } = await currentVersion(fixtures.testApp, json.file_id);
    const blob = await fixtures.testApp.database.read.selectFrom("blobs").select("sha256").where("key", "=", blob_key).executeTakeFirstOrThrow();
    expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  // On PostgreSQL another process may have written, so that the bytes are read again.
  const isHashCarried = engine === "sqlite";
  test(`the SHA-256 of what arrived before a broken connection is ${isHashCarried ? "continued" : "computed anew"}`, async () => {
    const { storage } = fixtures.testApp.app.deps;
    const known: boolean[] = [];
    const importFile = storage.importFile.bind(storage);
    const spy = vi.spyOn(storage, "importFile").mockImplementation((from, size, findSha256) =>
      importFile(from, size, (stats) => {
        const found = findSha256?.(stats) ?? null;
        known.push(found !== null);
        return found;
      }),
    );
    const bytes = randomBytes(900_000);
    const path = await begin(bytes.length);
    const body = new PassThrough();
    const brokenUpload = send(path, 0, body).catch(() => null);
    body.write(bytes.subarray(0, 500_000));
    const arrived = () => statSync(join(folder(), uploadIdFromUrl(path))).size;
    await vi.waitFor(() => expect(arrived()).toBeGreaterThan(100_000), { timeout: 20_000 });
    body.destroy(new Error("cable"));
    await brokenUpload;
    const offset = await offsetOf(path);
    expect(offset).toBe(arrived());
    const { json, status } = await send(path, offset, bytes.subarray(offset));
    spy.mockRestore();
    expect(status).toBe(200);
    expect(known).toEqual([isHashCarried]);
    const { blob_key } = await currentVersion(fixtures.testApp, json.file_id);
    const blob = await fixtures.testApp.database.read.selectFrom("blobs").select("sha256").where("key", "=", blob_key).executeTakeFirstOrThrow();
    expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test("creation with all bytes and creation of an empty file return the file at once", async () => {
    const all = await call("POST", "/api/v2/uploads", tusHeaders(5, { name: "at once.wav", parent_id: fixtures.home.folder }), Buffer.from("bytes"));
    const landed = { name: "at once.wav", folder_id: fixtures.home.folder, folder_name: expect.any(String) };
    expect([all.status, all.headers["location"], all.json]).toEqual([
      200,
      expect.stringMatching(/^\/api\/v2\/uploads\/\w+$/),
      { file_id: expect.any(Number), version: 1, landed },
    ]);
    const none = await call("POST", "/api/v2/uploads", tusHeaders(0, { name: "none.wav", parent_id: fixtures.home.folder }));
    expect([none.status, (await currentVersion(fixtures.testApp, none.json.file_id)).size]).toEqual([200, 0]);
    expect(listParts()).toEqual([]);
  });

  test("an upload with version_of becomes a new version", async () => {
    const path = await begin(3, { version_of: fixtures.home.file });
    expect((await send(path, 0, Buffer.from("new"))).json).toMatchObject({ file_id: fixtures.home.file, version: 2 });
  });

  describe("finishing", () => {
    test("returns the same file when asked again", async () => {
      const path = await begin(4);
      const { json } = await send(path, 0, Buffer.from("once"));
      const before = await countFiles();
      for (const _ of [1, 2]) expect((await getUpload(path)).response.data).toMatchObject({ size: 4, ...json });
      await expectProblem(await send(path, 4, Buffer.from("more")), 404, /No such upload/);
      // A client that lost the last response asks for the offset.
      const { status, headers } = await call("HEAD", path);
      expect([status, headers]).toEqual([200, expect.objectContaining({ "upload-offset": "4", "upload-length": "4", "tus-resumable": "1.0.0" })]);
      expect(await countFiles()).toBe(before);
    });
    test("asking for the offset creates the file of a complete upload, for clients that ask for nothing else", async () => {
      const path = await begin(4);
      await send(path, 0, Buffer.from("twi"));
      const before = await countFiles();
      // Simulates a service that stopped after the last byte, before it created the file.
      appendFileSync(join(folder(), uploadIdFromUrl(path)), "n");
      const { status, headers } = await call("HEAD", path);
      expect([status, headers["upload-offset"]]).toEqual([200, "4"]);
      expect(await countFiles()).toBe(before + 1);
      expect((await getUpload(path)).response.data).toMatchObject({ size: 4, file_id: expect.any(Number), version: 1 });
      expect(listParts()).toEqual([]);
    });
    test("eight simultaneous requests for a complete upload create one file and one blob", async () => {
      const path = await begin(4);
      await send(path, 0, Buffer.from("twi"));
      const before = [await countFiles(), (await Readable.from(openStorage(fixtures.testApp).list()).toArray()).length];
      // Simulates a service that stopped after the last byte, before it created the file.
      appendFileSync(join(folder(), uploadIdFromUrl(path)), "n");
      const results = await Promise.all(Array.from({ length: 8 }, () => getUpload(path)));
      const ids = new Set(results.map(({ response: answer }) => answer.data.file_id));
      expect(ids.size).toBe(1);
      expect([...ids][0]).toEqual(expect.any(Number));
      expect([await countFiles(), (await Readable.from(openStorage(fixtures.testApp).list()).toArray()).length]).toEqual(before.map((count) => count + 1));
      expect(listParts()).toEqual([]);
    });
  });

  describe("rejects an upload", () => {
    test("of another person", async () => {
      const path = await begin(4);
      await expectProblem(await send(path, 0, Buffer.from("mine"), guest), 404, /No such upload/);
      expect((await call("HEAD", path, {}, undefined, guest)).status).toBe(404);
      await expectProblem(await call("DELETE", path, {}, undefined, guest), 404, /No such upload/);
      expect((await getUpload(path, fixtures.owner)).status).toBe(404);
      expect(await offsetOf(path)).toBe(0);
    });
    test("of another person, whatever follows its id in the URL", async () => {
      const theirs = await createTusUpload(fixtures.testApp, guest, 10, { name: "theirs.wav", parent_id: fixtures.home.folder });
      const offsetOfTheirs = async () => Number((await call("HEAD", theirs, {}, undefined, guest)).headers["upload-offset"]);
      const mine = await begin(10);
      await send(mine, 0, Buffer.from("123"));
      const id = uploadIdFromUrl(mine);
      const tails = [
        `?/${id}`,
        `?id=/${id}`,
        `?%2F${id}`,
        `?/${id}/`,
        `/${id}`,
        `%2F${id}`,
        `%2f..%2f${id}`,
        `%3F/${id}`,
        `;/${id}`,
        `%5C${id}`,
        `?/%zz`,
        `%00/${id}`,
      ];
      for (const tail of tails) {
        for (const [method, offset] of [
          ["PATCH", "3"],
          ["PATCH", "0"],
          ["HEAD", ""],
          ["DELETE", ""],
        ] as const) {
          const body = method === "PATCH" ? Buffer.from("x") : undefined;
          expect([400, 404], `${method} ${tail}`).toContain((await call(method, theirs + tail, { "upload-offset": offset }, body)).status);
        }
      }
      expect([await offsetOfTheirs(), await offsetOf(mine)]).toEqual([0, 3]);
      // The other way round, the route names an upload of the actor's own.
      expect((await call("DELETE", `${mine}?/${uploadIdFromUrl(theirs)}`)).status).toBe(204);
      expect([await offsetOfTheirs(), (await call("HEAD", mine)).status]).toEqual([0, 404]);
      expect((await call("DELETE", theirs, {}, undefined, guest)).status).toBe(204);
    });
    test("without a sign-in, without the scope, and from a browser on another site", async () => {
      const path = await begin(4);
      for (const method of ["PATCH", "HEAD", "DELETE"]) {
        const body = method === "PATCH" ? Buffer.from("x") : undefined;
        expect((await call(method, path, { "upload-offset": "0" }, body, { name: "nobody", headers: {} })).status, method).toBe(401);
        expect(
          (await call(method, path, { "upload-offset": "0" }, body, await createApiToken(fixtures.testApp, fixtures.member, ["files:read"]))).status,
          method,
        ).toBe(403);
      }
      const otherSite = { cookie: fixtures.member.headers["cookie"] ?? "", origin: "https://evil.test", "sec-fetch-site": "cross-site" };
      expect((await call("DELETE", path, {}, undefined, { name: "other site", headers: otherSite })).status).toBe(403);
      expect(await offsetOf(path)).toBe(0);
    });
    test.each(["0".repeat(32), "..%2f..%2fx", "%2e%2e", "x", "%00"])("with the id %s", async (id) => {
      const reply = await send(`/api/v2/uploads/${id}`, 0, Buffer.from("x"));
      expect([400, 404]).toContain(reply.status);
      expect(reply.json.object).toBe("error");
    });
    test("at an offset before or after the stored one", async () => {
      const path = await begin(10);
      await send(path, 0, Buffer.from("01234"));
      for (const offset of [0, 4, 6, 10]) await expectProblem(await send(path, offset, Buffer.from("x")), 409, /different offset/);
      for (const offset of ["", "-1", "x", "5.5"]) expect((await call("PATCH", path, { "upload-offset": offset }, Buffer.from("x"))).status, offset).toBe(400);
      expect(await offsetOf(path)).toBe(5);
    });
    test("with more bytes than declared, with a length or chunked", async () => {
      const path = await begin(5);
      await expectProblem(await send(path, 0, Buffer.from("123456")), 413, /larger than it declared/);
      const chunked = await send(path, 0, Readable.from([Buffer.from("123"), Buffer.from("456789")]));
      expect(chunked.status).toBe(413);
      expect(await offsetOf(path)).toBeLessThanOrEqual(5);
      expect((await getUpload(path)).response.data.file_id).toBeNull();
    });
    test("over the size limit before it reads a byte", async () => {
      const before = listParts().length;
      await expectProblem(await call("POST", "/api/v2/uploads", tusHeaders(LIMIT + 1, { name: "x", parent_id: fixtures.home.folder })), 413, /larger/);
      expect(listParts()).toHaveLength(before);
    });
    test("in parallel parts or without a length", async () => {
      await expectProblem(
        await call("POST", "/api/v2/uploads", { ...tusHeaders(5, { name: "x", parent_id: fixtures.home.folder }), "upload-concat": "partial" }),
        400,
        /not supported/,
      );
      const deferred: Record<string, string> = { ...tusHeaders(5, { name: "x", parent_id: fixtures.home.folder }), "upload-defer-length": "1" };
      delete deferred["upload-length"];
      await expectProblem(await call("POST", "/api/v2/uploads", deferred), 400, /Upload-Length/);
    });
    test("without Tus-Resumable", async () => {
      const path = await begin(5);
      await expectProblem(
        await sendRawRequest(base, member, {
          method: "PATCH",
          path,
          headers: { "upload-offset": "0", "content-type": "application/offset+octet-stream" },
          body: Buffer.from("x"),
        }),
        412,
        /Tus-Resumable/,
      );
      await send(path, 0, Buffer.from("whole"));
      expect((await sendRawRequest(base, member, { method: "HEAD", path, headers: {} })).status).toBe(412);
    });
    test("with another content type", async () => {
      const path = await begin(5);
      for (const type of ["application/octet-stream", "text/plain"])
        await expectProblem(await call("PATCH", path, { "upload-offset": "0", "content-type": type }, Buffer.from("x")), 415, /octet-stream/);
      expect(await offsetOf(path)).toBe(0);
    });
    test.each(["name", "name !!!", "name dGFrZQ==,name dGFrZQ==", "na\tme dGFrZQ=="])("with the metadata %j", async (metadata) => {
      expect(
        (
          await fixtures.testApp.send(member, {
            method: "POST",
            url: "/api/v2/uploads",
            headers: { "tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": metadata },
          })
        ).status,
      ).toBe(400);
    });
    test("of a person with 200 unfinished uploads", async () => {
      const account = fixtures.guest.id;
      const { database, clock } = fixtures.testApp;
      const rows = Array.from({ length: 200 }, () => ({
        id: randomBytes(16).toString("hex"),
        account_id: account,
        destination: "{}",
        size: 1,
        created_at: clock.now(),
      }));
      await database.write((tx) => tx.insertInto("uploads").values(rows).execute());
      const startAnother = () => call("POST", "/api/v2/uploads", tusHeaders(1, { name: "x", parent_id: fixtures.home.folder }), undefined, guest);
      await expectProblem(await startAnother(), 409, /200 unfinished uploads/);
      await database.write((tx) =>
        tx
          .deleteFrom("uploads")
          .where("id", "=", rows[0]?.id ?? "")
          .execute(),
      );
      expect((await startAnother()).status).toBe(201);
      await database.write((tx) => tx.deleteFrom("uploads").where("account_id", "=", account).execute());
    });
  });

  test("DELETE removes an upload's part and row", async () => {
    const path = await begin(10);
    await send(path, 0, Buffer.from("half"));
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("HEAD", path)).status).toBe(404);
    expect((await getUpload(path)).status).toBe(404);
    expect(await fixtures.testApp.database.read.selectFrom("uploads").select("id").where("id", "=", uploadIdFromUrl(path)).execute()).toEqual([]);
    expect(existsSync(join(folder(), uploadIdFromUrl(path)))).toBe(false);
    // Simulates a failure between the two deletions.
    const halfDeletedUpload = await begin(10);
    for (const name of [uploadIdFromUrl(halfDeletedUpload), `${uploadIdFromUrl(halfDeletedUpload)}.json`]) rmSync(join(folder(), name));
    expect((await call("DELETE", halfDeletedUpload)).status).toBe(204);
    expect((await getUpload(halfDeletedUpload)).status).toBe(404);
  });

  test("an upload expires three days after it began, and the scheduled job deletes it", async () => {
    const path = await begin(10);
    await send(path, 0, Buffer.from("half"));
    const finishedUpload = await begin(4);
    await send(finishedUpload, 0, Buffer.from("done"));
    const { clock, app, database } = fixtures.testApp;
    clock.advance(RESUMABLE_MS - 1);
    expect((await call("HEAD", path)).status).toBe(200);
    await app.scheduledJobs["delete expired uploads"]?.();
    expect(await offsetOf(path)).toBe(4);
    clock.advance(1);
    expect((await call("HEAD", path)).status).toBe(404);
    await expectProblem(await send(path, 4, Buffer.from("rest")), 404, /No such upload/);
    expect(existsSync(join(folder(), uploadIdFromUrl(path)))).toBe(true);
    clock.advance(MINUTE);
    await app.scheduledJobs["delete expired uploads"]?.();
    for (const uploadPath of [path, finishedUpload]) expect(listParts().filter((name) => name.startsWith(uploadIdFromUrl(uploadPath)))).toEqual([]);
    expect(await database.read.selectFrom("uploads").select("id").execute()).toEqual([]);
  });
});
