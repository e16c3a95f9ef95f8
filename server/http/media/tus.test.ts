import { createHash, randomBytes } from "node:crypto";
import { appendFileSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { Upload } from "tus-js-client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { RESUMABLE_MS } from "../../domain/files/resumable.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { beginUpload, currentVersion, storageOf, tusHeaders, uploadIdIn } from "../../testing/files.ts";
import { tokenOf } from "../../testing/people.ts";
import { ask, listen, type WireReply } from "../../testing/wire.ts";

const LIMIT = 5_000_000;

describe.each(ENGINES)("resumable uploads on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  let base: string;
  let member: Caller;
  let guest: Caller;
  beforeAll(async () => {
    cast = await startCast(engine, { environment: { MAX_UPLOAD_BYTES: String(LIMIT) } });
    base = await listen(cast.world);
    member = await tokenOf(cast.world, cast.member);
    guest = await tokenOf(cast.world, cast.guest);
  }, 60_000);
  afterAll(() => cast.world.close());

  const folder = () => join(cast.world.config.dataDir, "files", "uploads");
  const parts = () => readdirSync(folder());
  const begin = (size: number, metadata: Record<string, string | number> = { name: "take.wav", parent_id: cast.home.folder }) =>
    beginUpload(cast.world, member, size, metadata);
  const call = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer | Readable, by = member): Promise<WireReply> =>
    ask(base, by, {
      method,
      path,
      headers: { "tus-resumable": "1.0.0", ...(body ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
      ...(body ? { body } : {}),
    });
  const send = (path: string, offset: number, body: Buffer | Readable, by = member) => call("PATCH", path, { "upload-offset": String(offset) }, body, by);
  const offsetOf = async (path: string) => Number((await call("HEAD", path)).headers["upload-offset"]);
  const resultOf = async (path: string, by: Caller = member) => cast.world.call(by, files.getUpload, { params: { upload_id: uploadIdIn(path) } });
  const countFiles = async () =>
    Number(
      (
        await cast.world.database.read
          .selectFrom("files")
          .select(({ fn }) => fn.countAll<number | string>().as("count"))
          .executeTakeFirstOrThrow()
      ).count,
    );

  async function refused(reply: WireReply, status: number, detail: RegExp): Promise<void> {
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.headers["x-content-type-options"]).toBe("nosniff");
    expect(reply.json).toMatchObject({ object: "error", status, detail: expect.stringMatching(detail), request_id: expect.any(String) });
  }

  test("the protocol's own client brings a file in pieces, and is told which file it became", async () => {
    const bytes = randomBytes(3_000_000);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let body = "";
    new Upload(bytes, {
      endpoint: `${base}/api/v2/uploads`,
      headers: member.headers,
      metadata: { name: "client.wav", project_id: String(cast.home.project) },
      chunkSize: 1_000_000,
      onAfterResponse: (_request, response) => void (body = response.getBody() || body),
      onSuccess: () => resolve(body),
      onError: reject,
    }).start();
    const { file_id } = JSON.parse(await promise) as { file_id: number };
    const version = await currentVersion(cast.world, file_id);
    const stored = Buffer.concat(await (await storageOf(cast.world).open(version.blob_key)).toArray());
    expect(stored.equals(bytes)).toBe(true);
    const { name, parent_id } = (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id } })).answer.common;
    const chat = (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: Number(parent_id) } })).answer.common;
    expect([name, chat.name]).toEqual(["client.wav", "Chat"]);
    expect(parts()).toEqual([]);
  });

  test("goes on where it stood after the connection broke", async () => {
    const bytes = randomBytes(900_000);
    const path = await begin(bytes.length);
    const body = new PassThrough();
    const broken = send(path, 0, body).catch(() => null);
    body.write(bytes.subarray(0, 500_000));
    for (let tries = 0; tries < 300 && (await offsetOf(path).catch(() => 0)) === 0; tries += 1) await sleep(10);
    body.destroy(new Error("cable"));
    await broken;
    const offset = await offsetOf(path);
    expect(offset).toBeGreaterThan(0);
    expect(offset).toBeLessThanOrEqual(500_000);
    expect((await resultOf(path)).answer.data).toMatchObject({ size: 900_000, file_id: null });
    const { json, status } = await send(path, offset, bytes.subarray(offset));
    expect(status).toBe(200);
    const { blob_key } = await currentVersion(cast.world, json.file_id);
    const blob = await cast.world.database.read.selectFrom("blobs").select("sha256").where("key", "=", blob_key).executeTakeFirstOrThrow();
    expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test("creation with all bytes at once, and with none, make files too", async () => {
    const all = await call("POST", "/api/v2/uploads", tusHeaders(5, { name: "at once.wav", parent_id: cast.home.folder }), Buffer.from("bytes"));
    const landed = { name: "at once.wav", folder_id: cast.home.folder, folder_name: expect.any(String) };
    expect([all.status, all.json]).toEqual([200, { file_id: expect.any(Number), version: 1, landed }]);
    const none = await call("POST", "/api/v2/uploads", tusHeaders(0, { name: "none.wav", parent_id: cast.home.folder }));
    expect([none.status, (await currentVersion(cast.world, none.json.file_id)).size]).toEqual([200, 0]);
    expect(parts()).toEqual([]);
  });

  test("a version is one, whatever the part is called", async () => {
    const path = await begin(3, { version_of: cast.home.file });
    expect((await send(path, 0, Buffer.from("new"))).json).toMatchObject({ file_id: cast.home.file, version: 2 });
  });

  describe("the end comes once", () => {
    test("asked again it answers the same file", async () => {
      const path = await begin(4);
      const { json } = await send(path, 0, Buffer.from("once"));
      const before = await countFiles();
      for (const _ of [1, 2]) expect((await resultOf(path)).answer.data).toMatchObject({ size: 4, ...json });
      await refused(await send(path, 4, Buffer.from("more")), 404, /no such upload/);
      expect(await countFiles()).toBe(before);
    });
    test("eight that see the last byte at once make one file of one blob", async () => {
      const path = await begin(4);
      await send(path, 0, Buffer.from("twi"));
      const before = [await countFiles(), (await Readable.from(storageOf(cast.world).list()).toArray()).length];
      // As if the service had stopped between the last byte and the file.
      appendFileSync(join(folder(), uploadIdIn(path)), "n");
      const results = await Promise.all(Array.from({ length: 8 }, () => resultOf(path)));
      const ids = new Set(results.map(({ answer }) => answer.data.file_id));
      expect(ids.size).toBe(1);
      expect([...ids][0]).toEqual(expect.any(Number));
      expect([await countFiles(), (await Readable.from(storageOf(cast.world).list()).toArray()).length]).toEqual(before.map((count) => count + 1));
      expect(parts()).toEqual([]);
    });
  });

  describe("is refused", () => {
    test("to everybody but who began it", async () => {
      const path = await begin(4);
      await refused(await send(path, 0, Buffer.from("mine"), guest), 404, /no such upload/);
      expect((await call("HEAD", path, {}, undefined, guest)).status).toBe(404);
      await refused(await call("DELETE", path, {}, undefined, guest), 404, /no such upload/);
      expect((await resultOf(path, cast.owner)).status).toBe(404);
      expect(await offsetOf(path)).toBe(0);
    });
    test("without a sign-in, without the scope, and to a browser of another site", async () => {
      const path = await begin(4);
      for (const method of ["PATCH", "HEAD", "DELETE"]) {
        const body = method === "PATCH" ? Buffer.from("x") : undefined;
        expect((await call(method, path, { "upload-offset": "0" }, body, { name: "nobody", headers: {} })).status, method).toBe(401);
        expect((await call(method, path, { "upload-offset": "0" }, body, await tokenOf(cast.world, cast.member, ["files:read"]))).status, method).toBe(403);
      }
      const otherSite = { cookie: cast.member.headers["cookie"] ?? "", origin: "https://evil.test", "sec-fetch-site": "cross-site" };
      expect((await call("DELETE", path, {}, undefined, { name: "other site", headers: otherSite })).status).toBe(403);
      expect(await offsetOf(path)).toBe(0);
    });
    test.each(["0".repeat(32), "..%2f..%2fx", "%2e%2e", "x", "%00"])("for the id %s", async (id) => {
      const reply = await send(`/api/v2/uploads/${id}`, 0, Buffer.from("x"));
      expect([400, 404]).toContain(reply.status);
      expect(reply.json.object).toBe("error");
    });
    test("at another offset, before and after", async () => {
      const path = await begin(10);
      await send(path, 0, Buffer.from("01234"));
      for (const offset of [0, 4, 6, 10]) await refused(await send(path, offset, Buffer.from("x")), 409, /another offset/);
      for (const offset of ["", "-1", "x", "5.5"]) expect((await call("PATCH", path, { "upload-offset": offset }, Buffer.from("x"))).status, offset).toBe(400);
      expect(await offsetOf(path)).toBe(5);
    });
    test("with more bytes than it declared, declared again or chunked", async () => {
      const path = await begin(5);
      await refused(await send(path, 0, Buffer.from("123456")), 413, /larger than it declared/);
      const chunked = await send(path, 0, Readable.from([Buffer.from("123"), Buffer.from("456789")]));
      expect(chunked.status).toBe(413);
      expect(await offsetOf(path)).toBeLessThanOrEqual(5);
      expect((await resultOf(path)).answer.data.file_id).toBeNull();
    });
    test("over the limit, before a byte", async () => {
      const before = parts().length;
      await refused(await call("POST", "/api/v2/uploads", tusHeaders(LIMIT + 1, { name: "x", parent_id: cast.home.folder })), 413, /larger/);
      expect(parts()).toHaveLength(before);
    });
    test("in several pieces side by side, and without a length", async () => {
      await refused(
        await call("POST", "/api/v2/uploads", { ...tusHeaders(5, { name: "x", parent_id: cast.home.folder }), "upload-concat": "partial" }),
        400,
        /not offered/,
      );
      const deferred: Record<string, string> = { ...tusHeaders(5, { name: "x", parent_id: cast.home.folder }), "upload-defer-length": "1" };
      delete deferred["upload-length"];
      await refused(await call("POST", "/api/v2/uploads", deferred), 400, /Upload-Length/);
    });
    test("without the protocol's version", async () => {
      const path = await begin(5);
      await refused(
        await ask(base, member, {
          method: "PATCH",
          path,
          headers: { "upload-offset": "0", "content-type": "application/offset+octet-stream" },
          body: Buffer.from("x"),
        }),
        412,
        /Tus-Resumable/,
      );
    });
    test("as another type of content", async () => {
      const path = await begin(5);
      expect((await call("PATCH", path, { "upload-offset": "0", "content-type": "application/octet-stream" }, Buffer.from("x"))).status).toBe(400);
      expect(await offsetOf(path)).toBe(0);
    });
    test.each(["name", "name !!!", "name dGFrZQ==,name dGFrZQ==", "na\tme dGFrZQ=="])("with the metadata %j", async (metadata) => {
      expect(
        (
          await cast.world.send(member, {
            method: "POST",
            url: "/api/v2/uploads",
            headers: { "tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": metadata },
          })
        ).status,
      ).toBe(400);
    });
    test("to somebody with 200 others under way, until one of them is given up", async () => {
      const account = cast.guest.id;
      const { database, clock } = cast.world;
      const rows = Array.from({ length: 200 }, () => ({
        id: randomBytes(16).toString("hex"),
        account_id: account,
        destination: "{}",
        size: 1,
        created_at: clock.now(),
      }));
      await database.write((tx) => tx.insertInto("uploads").values(rows).execute());
      const again = () => call("POST", "/api/v2/uploads", tusHeaders(1, { name: "x", parent_id: cast.home.folder }), undefined, guest);
      await refused(await again(), 409, /200 uploads under way/);
      await database.write((tx) =>
        tx
          .deleteFrom("uploads")
          .where("id", "=", rows[0]?.id ?? "")
          .execute(),
      );
      expect((await again()).status).toBe(201);
      await database.write((tx) => tx.deleteFrom("uploads").where("account_id", "=", account).execute());
    });
  });

  test("DELETE forgets it, part and row", async () => {
    const path = await begin(10);
    await send(path, 0, Buffer.from("half"));
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("HEAD", path)).status).toBe(404);
    expect((await resultOf(path)).status).toBe(404);
    expect(await cast.world.database.read.selectFrom("uploads").select("id").where("id", "=", uploadIdIn(path)).execute()).toEqual([]);
    expect(existsSync(join(folder(), uploadIdIn(path)))).toBe(false);
    // As a failure between the two leaves it.
    const half = await begin(10);
    for (const name of [uploadIdIn(half), `${uploadIdIn(half)}.json`]) rmSync(join(folder(), name));
    expect((await call("DELETE", half)).status).toBe(204);
    expect((await resultOf(half)).status).toBe(404);
  });

  test("three days after its beginning it is gone, whether anybody tidies or not", async () => {
    const path = await begin(10);
    await send(path, 0, Buffer.from("half"));
    const done = await begin(4);
    await send(done, 0, Buffer.from("done"));
    const { clock, app, database } = cast.world;
    clock.pass(RESUMABLE_MS - 1);
    expect((await call("HEAD", path)).status).toBe(200);
    await app.chores["forgetting uploads that nobody finished"]?.();
    expect(await offsetOf(path)).toBe(4);
    clock.pass(1);
    expect((await call("HEAD", path)).status).toBe(404);
    await refused(await send(path, 4, Buffer.from("rest")), 404, /no such upload/);
    expect(existsSync(join(folder(), uploadIdIn(path)))).toBe(true);
    await app.chores["forgetting uploads that nobody finished"]?.();
    for (const gone of [path, done]) expect(parts().filter((name) => name.startsWith(uploadIdIn(gone)))).toEqual([]);
    expect(await database.read.selectFrom("uploads").select("id").execute()).toEqual([]);
  });
});
