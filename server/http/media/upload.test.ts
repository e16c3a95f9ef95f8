import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import type { Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, storageOf, upload } from "../../testing/files.ts";
import { tokenOf } from "../../testing/people.ts";
import { ask, listen, zeros, type WireRequest } from "../../testing/wire.ts";

const LIMIT = 3_000_000;

describe.each(ENGINES)("uploading over a connection, on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  let base: string;
  let member: Caller;
  beforeAll(async () => {
    cast = await startCast(engine, { environment: { MAX_UPLOAD_BYTES: String(LIMIT) } });
    base = await listen(cast.world);
    member = await tokenOf(cast.world, cast.member);
  }, 60_000);
  afterAll(() => cast.world.close());

  const incoming = () => readdirSync(join(cast.world.config.dataDir, "files", "incoming"));
  const counted = async () => {
    const { world } = cast;
    const keys = (await Readable.from(storageOf(world).list()).toArray()).length;
    const rows = await world.database.read
      .selectFrom("files")
      .select(({ fn }) => fn.countAll<number | string>().as("count"))
      .executeTakeFirstOrThrow();
    return { keys, rows: Number(rows.count) };
  };
  const put = (query: Record<string, string | number>, request: Omit<WireRequest, "method" | "path">) =>
    ask(base, member, {
      method: "PUT",
      path: `/v1/files/upload?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
      ...request,
    });
  const toFolder = (name: string) => ({ parent_id: cast.home.folder, name });
  const nameOf = async (id: number) => (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: id } })).answer.common.name;

  /** A refusal that a sender can read, and that leaves nothing. */
  async function refuses(status: number, send: () => ReturnType<typeof ask>, detail: RegExp): Promise<void> {
    const before = await counted();
    const reply = await send();
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(reply.json.detail).toMatch(detail);
    expect(await counted()).toEqual(before);
    expect(incoming()).toEqual([]);
  }

  test("bytes arrive as they were sent, chunked or with their length", async () => {
    const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, index) => (index * 7) % 256));
    for (const body of [bytes, Readable.from([bytes.subarray(0, 5), bytes.subarray(5)])]) {
      const { json } = await put(toFolder("bytes.bin"), { body });
      const version = await currentVersion(cast.world, json.file_id);
      expect(version).toMatchObject({ number: 1, size: 200_000, transcoding_status: "waiting" });
      const blob = await cast.world.database.read.selectFrom("blobs").selectAll().where("key", "=", version.blob_key).executeTakeFirstOrThrow();
      expect(blob.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
      const stored = Buffer.concat(await (await storageOf(cast.world).open(version.blob_key)).toArray());
      expect(stored.equals(bytes)).toBe(true);
    }
  });

  test("an empty file is a file", async () => {
    const { json, status } = await put(toFolder("empty.wav"), { body: Buffer.alloc(0) });
    expect(status).toBe(200);
    expect((await currentVersion(cast.world, json.file_id)).size).toBe(0);
  });

  test("each upload leaves its job, its event and its entry for webhooks", async () => {
    const { database } = cast.world;
    const { json } = await put(toFolder("noticed.wav"), { body: Buffer.from("x") });
    const version = await currentVersion(cast.world, json.file_id);
    const jobs = await database.read.selectFrom("jobs").selectAll().where("subject_id", "=", version.id).execute();
    expect(jobs).toMatchObject([{ kind: "media", state: "waiting" }]);
    const [event] = await database.read
      .selectFrom("events")
      .selectAll()
      .where("topic", "=", `project:${cast.home.project}`)
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
        parent_id: cast.home.folder,
        size: 1,
        removal_protection: false,
        task_load_protection: false,
        team_id: cast.home.team,
        version: 1,
        changed_by_account_id: cast.member.id,
        upload_time: expect.stringMatching(/Z$/),
      },
    ]);
  });

  describe("is refused", () => {
    test("over the limit before a byte is read, when the length says so", async () => {
      const body = new PassThrough();
      await refuses(413, () => put(toFolder("big.wav"), { body, headers: { "content-length": String(LIMIT + 1) } }), /larger than the 3,000,000 bytes/);
    });
    test("over the limit as soon as it is, when it does not", () =>
      refuses(413, () => put(toFolder("big.wav"), { body: zeros(LIMIT * 3) }), /larger than the 3,000,000 bytes/));
    test("where the sender may not put it, however much is still to come", async () => {
      await refuses(404, () => put({ parent_id: cast.next.folder, name: "x" }, { body: zeros(LIMIT * 3) }), /no such file/);
      await refuses(
        404,
        () => put({ parent_id: cast.next.folder, name: "x" }, { body: new PassThrough(), headers: { "content-length": "5" } }),
        /no such file/,
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
    ])("under the name %j", (name) => refuses(400, () => put(toFolder(name), { body: Buffer.from("x") }), /^(name|query)/));
    test("with another type of content", async () => {
      await refuses(
        415,
        () => put(toFolder("x.wav"), { body: Buffer.from("{}"), headers: { "content-type": "application/json" } }),
        /application\/octet-stream/,
      );
      await refuses(
        415,
        () => put(toFolder("x.wav"), { body: Buffer.from("x"), headers: { "content-type": "multipart/form-data; boundary=x" } }),
        /application\/octet-stream/,
      );
    });
    test("without a body", () => refuses(415, () => put(toFolder("x.wav"), {}), /application\/octet-stream/));
    test("and bytes are refused where JSON belongs", () =>
      refuses(415, () => ask(base, member, { method: "POST", path: "/v1/account/get_info", body: Buffer.from("x") }), /application\/json/));
  });

  test("a connection that breaks leaves nothing, declared or chunked", async () => {
    const before = await counted();
    for (const length of [undefined, "1000000"]) {
      const body = new PassThrough();
      const sending = put(toFolder("broken.wav"), { body, headers: length === undefined ? {} : { "content-length": length } }).catch(() => null);
      body.write(Buffer.alloc(100_000));
      for (let tries = 0; incoming().length === 0 && tries < 200; tries += 1) await sleep(10);
      expect(incoming()).toHaveLength(1);
      body.destroy(new Error("cable"));
      expect(await sending.then(() => "over")).toBe("over");
      for (let tries = 0; incoming().length > 0 && tries < 200; tries += 1) await sleep(10);
      expect(incoming()).toEqual([]);
    }
    expect(await counted()).toEqual(before);
  });

  test("fewer bytes than declared, then the end of the connection: nothing, and the service goes on", async () => {
    const before = await counted();
    const url = new URL(base);
    const socket = connect(Number(url.port), url.hostname);
    socket.on("error", () => {});
    socket.write(
      `PUT /v1/files/upload?parent_id=${cast.home.folder}&name=short.wav HTTP/1.1\r\nHost: x\r\nAuthorization: ${member.headers["authorization"]}\r\nContent-Type: application/octet-stream\r\nContent-Length: 10\r\n\r\nfive!`,
    );
    for (let tries = 0; incoming().length === 0 && tries < 500; tries += 1) await sleep(10);
    expect(incoming()).toHaveLength(1);
    socket.end();
    for (let tries = 0; incoming().length > 0 && tries < 500; tries += 1) await sleep(10);
    expect(incoming()).toEqual([]);
    expect(await counted()).toEqual(before);
    expect((await put(toFolder("after.wav"), { body: Buffer.from("x") })).status).toBe(200);
  });

  describe("names", () => {
    const inNewFolder = async (name: string) =>
      (await cast.world.call(cast.member, files.makeFolder, { body: { parent_id: cast.home.root, name } })).answer.data.id;
    test("a taken one is numbered, whatever its case and Unicode form", async () => {
      const parent = await inNewFolder(`Names ${engine}`);
      const names = [];
      for (const name of ["Été.wav", "ÉTÉ.WAV", "E\u0301te\u0301.wav", "Été (2).wav", ".hidden", ".hidden", "no ending", "no ending"])
        names.push(await nameOf(await upload(cast.world, cast.member, { parent, name })));
      expect(names).toEqual(["Été.wav", "ÉTÉ (2).WAV", "E\u0301te\u0301 (3).wav", "Été (2) (2).wav", ".hidden", ".hidden (2)", "no ending", "no ending (2)"]);
    });
    test("as long as they may be, they still get their number", async () => {
      const parent = await inNewFolder(`Long ${engine}`);
      for (const name of [`${"a".repeat(251)}.wav`, `a.${"b".repeat(253)}`, "🎧".repeat(63)]) {
        await upload(cast.world, cast.member, { parent, name });
        const twin = await nameOf(await upload(cast.world, cast.member, { parent, name }));
        expect(twin).toMatch(/ \(2\)(\.wav)?$/);
        expect(Buffer.byteLength(twin)).toBeLessThanOrEqual(255);
      }
    });
    test("twelve of one name at once are twelve files with twelve names", async () => {
      const parent = await inNewFolder(`Race ${engine}`);
      const replies = await Promise.all(
        Array.from({ length: 12 }, (_, index) => put({ parent_id: parent, name: "take.wav" }, { body: Buffer.from(`take ${index}`) })),
      );
      expect(replies.map(({ status }) => status)).toEqual(Array(12).fill(200));
      const names = (await cast.world.call(cast.member, files.listFolder, { body: { file_id: parent } })).answer.data.map(({ name }) => name);
      expect(new Set(names)).toEqual(new Set(["take.wav", ...Array.from({ length: 11 }, (_, index) => `take (${index + 2}).wav`)]));
    });
    test("sixty twins in a row find their numbers", async () => {
      const parent = await inNewFolder(`Sixty ${engine}`);
      let last = 0;
      for (let twin = 0; twin < 60; twin += 1) last = await upload(cast.world, cast.member, { parent, name: "t.wav" });
      expect(await nameOf(last)).toBe("t (60).wav");
    });
  });

  describe("versions", () => {
    test("are an explicit act, counted from one, each with its own bytes", async () => {
      const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "versions.wav", bytes: "one" });
      const { json } = await put({ version_of: id }, { body: Buffer.from("two!") });
      expect(json).toEqual({ file_id: id, version: 2 });
      expect(await nameOf(id)).toBe("versions.wav");
      const content = (number: number) => ask(base, member, { method: "GET", path: `/api/v2/files/${id}/versions/${number}/original` });
      expect([(await content(1)).text, (await content(2)).text, (await content(3)).status]).toEqual(["one", "two!", 404]);
      // Their info too: the newest where none is named.
      const info = (version?: number) => cast.world.call(cast.member, files.getFileInfo, { body: { file_id: id, ...(version ? { version } : {}) } });
      for (const [asked, number, size] of [
        [undefined, 2, 4],
        [2, 2, 4],
        [1, 1, 3],
      ] as const)
        expect((await info(asked)).answer.common).toMatchObject({ version: number, size, url: expect.stringContaining(`/versions/${number}/original`) });
      expect([(await info(3)).status, (await info(2 ** 31)).status]).toEqual([404, 404]);
    });
    test("eight at once get eight numbers", async () => {
      const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "together.wav" });
      const replies = await Promise.all(Array.from({ length: 8 }, (_, index) => put({ version_of: id }, { body: Buffer.from(`v${index}`) })));
      expect(replies.map(({ json }) => json.version).sort()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
    });
    test("of a file that is deleted meanwhile become a file beside where it was", async () => {
      const id = await upload(cast.world, cast.member, { parent: cast.home.folder, name: "going.wav" });
      const body = new PassThrough();
      body.write("half");
      const sending = put({ version_of: id }, { body });
      for (let tries = 0; incoming().length === 0 && tries < 200; tries += 1) await sleep(10);
      await cast.world.call(cast.member, files.deleteFile, { body: { file_id: id } });
      body.end();
      const { json } = await sending;
      expect(json).toMatchObject({ version: 1 });
      const { common } = (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: json.file_id } })).answer;
      expect(common).toMatchObject({ name: "going.wav", parent_id: cast.home.folder, size: 4 });
    });
  });

  describe("an Idempotency-Key", () => {
    const keyed = (body: string, key: string, name = "keyed.wav") => put(toFolder(name), { body: Buffer.from(body), headers: { "idempotency-key": key } });
    test("brings the same file again, and its bytes once", async () => {
      const first = await keyed("sound", "one");
      const before = await counted();
      expect((await keyed("sound", "one")).json).toEqual(first.json);
      expect(await counted()).toEqual(before);
    });
    test("with other bytes or another name is a 409 that keeps nothing", async () => {
      await keyed("sound", "two");
      await refuses(409, () => keyed("noise", "two"), /Idempotency-Key/);
      await refuses(409, () => keyed("sound", "two", "other.wav"), /Idempotency-Key/);
    });
    test("at once six times makes one file", async () => {
      const before = await counted();
      const replies = await Promise.all(Array.from({ length: 6 }, () => keyed("six", "six")));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(await counted()).toEqual({ keys: before.keys + 1, rows: before.rows + 1 });
    });
  });

  // eslint-disable-next-line vitest/no-standalone-expect -- holds after each of them
  afterEach(() => expect(incoming()).toEqual([]));
});
