import { readdirSync } from "node:fs";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { getAvatar, removeAvatar, setAvatar } from "../../../contract/operations/account-profiles.ts";
import { listMembers } from "../../../contract/operations/accounts.ts";
import { listProjectMembers } from "../../../contract/operations/projects.ts";
import { getSession } from "../../../contract/operations/session.ts";
import type { Actor } from "../../access/access.ts";
import { COMMANDS } from "../../cli/commands.ts";
import { MediaFailure } from "../../media/failure.ts";
import { UPLOAD_GRACE_MS } from "../../storage/storage.ts";
import { ENGINES } from "../../testing/engines.ts";
import { openStorage } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken, createSession } from "../../testing/people.ts";
import { PICTURE } from "../../testing/pictures.ts";
import { SAME_ORIGIN_HEADERS } from "../../testing/test-app.ts";
import { createAvatars } from "./avatars.ts";

describe.each(ENGINES)("pictures of accounts on %s", { timeout: 30_000 }, (engine) => {
  let fixtures: Fixtures;
  beforeAll(async () => void (fixtures = await createFixtures(engine)), 60_000);
  afterAll(() => fixtures.testApp.close());

  const upload = (bytes = PICTURE, by = fixtures.member) => fixtures.testApp.callUntyped(by, setAvatar, { bytes });
  const avatarUrl = async (by = fixtures.member) => (await fixtures.testApp.call(by, getSession)).response.data.account.avatar_url;
  const rows = () => fixtures.testApp.database.read.selectFrom("avatars").selectAll().where("account_id", "=", fixtures.member.id).orderBy("id").execute();
  async function blobKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const { key } of openStorage(fixtures.testApp).list()) keys.push(key);
    return keys;
  }
  const load = (size: "small" | "large", version?: number) =>
    fixtures.testApp.call(fixtures.guest, getAvatar, {
      params: { account_id: fixtures.member.id },
      query: { size, ...(version ? { version: String(version) } : {}) },
    });

  test("appear in every record of the person, in three sizes, and only one is kept", async () => {
    const blobsBefore = (await blobKeys()).length;
    await upload();
    const url = await avatarUrl();
    const { testApp, owner, member, home } = fixtures;
    const people = (await testApp.call(owner, listMembers, { query: {} })).response.data;
    const members = (await testApp.call(owner, listProjectMembers, { params: { project_id: home.project }, query: {} })).response.data;
    for (const list of [people, members]) expect(list.find(({ id }) => id === member.id)?.avatar_url).toBe(url);
    const event = await testApp.database.read
      .selectFrom("events")
      .select("data")
      .where("type", "=", "account.updated")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(event.data)).toMatchObject({ id: member.id, avatar_url: url, role: "member" });
    const [small, large] = [await load("small"), await load("large")];
    expect(small.headers["content-type"]).toBe("image/webp");
    expect(small.headers["etag"]).not.toBe(large.headers["etag"]);

    await upload();
    expect(await avatarUrl()).not.toBe(url);
    expect(await rows()).toHaveLength(1);
    // Three sizes of one picture, and nothing of the uploads.
    expect((await blobKeys()).length - blobsBefore).toBe(3);
    await testApp.call(member, removeAvatar);
    expect(await avatarUrl()).toBeNull();
    expect(await rows()).toEqual([]);
    expect((await blobKeys()).length).toBe(blobsBefore);
    expect((await load("small")).status).toBe(404);
  });

  test("a refused upload changes nothing and leaves no bytes", async () => {
    await upload();
    const [url, keys] = [await avatarUrl(), await blobKeys()];
    for (const [bytes, status] of [
      [Buffer.from("not a picture"), 400],
      [PICTURE.subarray(0, 70), 400],
      [Buffer.concat([PICTURE, Buffer.alloc(5_000_000)]), 413],
    ] as const)
      expect((await upload(bytes)).status).toBe(status);
    // Without a declared size, as a stream.
    const stream = Readable.from([PICTURE, Buffer.alloc(3_000_000), Buffer.alloc(3_000_000)]);
    const reply = await fixtures.testApp.send(fixtures.member, {
      method: "PUT",
      url: setAvatar.path,
      headers: { ...SAME_ORIGIN_HEADERS, "content-type": "application/octet-stream" },
      payload: stream,
    });
    expect(reply.status).toBe(413);
    expect(await avatarUrl()).toBe(url);
    expect((await blobKeys()).toSorted()).toEqual(keys.toSorted());
  });

  test("an account uploads one at a time, and does not keep others from it", async () => {
    const replies = await Promise.all([upload(), upload(), upload(PICTURE, fixtures.guest)]);
    expect(replies.map(({ status }) => status)).toEqual([200, 429, 200]);
    expect(replies[1].headers["retry-after"]).toBe("2");
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect(await avatarUrl()).toMatch(new RegExp(`version=${row!.id}$`));
    expect((await upload()).status).toBe(200);
  });

  test("twenty uploads of different accounts wait, the next gets a 503", async () => {
    const { app } = fixtures.testApp;
    const held = Promise.withResolvers<never>();
    held.promise.catch(() => {});
    const avatars = createAvatars({
      ...app.deps,
      storage: openStorage(fixtures.testApp),
      writeSquares: () => held.promise,
      reauthenticate: async (_tx, actor) => actor,
    });
    const setFor = async (accountId: number) => {
      const actor: Actor = {
        accountId,
        organisationId: 1,
        role: "member",
        scopes: null,
        sessionId: null,
        tokenId: null,
        address: null,
        checkedRules: new Set(),
      };
      return avatars.set(actor, Readable.from([PICTURE]), PICTURE.length).catch((error: unknown) => error);
    };
    const waiting = Array.from({ length: 20 }, (_, index) => setFor(index + 1));
    expect(await setFor(21)).toMatchObject({ status: 503, retryAfter: 10 });
    held.reject(new MediaFailure("not-media"));
    for (const error of await Promise.all(waiting)) expect(error).toMatchObject({ status: 400 });
    expect(await setFor(21)).toMatchObject({ status: 400 });
  });

  test("a new picture stays where the old one cannot be removed, which the hourly job does later", async () => {
    const { testApp } = fixtures;
    await upload();
    const [old] = await rows();
    const { storage } = testApp.app.deps;
    const remove = vi.spyOn(storage, "remove").mockRejectedValue(Object.assign(new Error("denied"), { code: "EACCES" }));
    const replies = [await upload(), await fixtures.testApp.call(fixtures.member, removeAvatar), await upload()];
    remove.mockRestore();
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await load("small")).status).toBe(200);
    await testApp.app.scheduledJobs["delete replaced pictures"]?.();
    expect(await rows()).toHaveLength(1);
    expect(await openStorage(testApp).size(old!.small_key)).toBeNull();
    expect((await load("small")).status).toBe(200);
  });

  test("a session that ends during the upload sets nothing", async () => {
    const { testApp, member } = fixtures;
    await upload();
    const url = await avatarUrl();
    const session = await createSession(testApp, member.id, "member");
    const stream = new PassThrough();
    stream.write(PICTURE.subarray(0, 50));
    const headers = { ...SAME_ORIGIN_HEADERS, "content-type": "application/octet-stream" };
    const reply = testApp.send(session, { method: "PUT", url: setAvatar.path, headers, payload: stream });
    // The caller is identified before anything is stored.
    await vi.waitFor(() => expect(readdirSync(join(testApp.config.dataDir, "files", "work"))).not.toEqual([]));
    await testApp.database.write((tx) => tx.deleteFrom("sessions").where("id", "=", session.id).execute());
    stream.end(PICTURE.subarray(50));
    expect((await reply).status).toBe(401);
    expect(await avatarUrl()).toBe(url);
  });

  test("a picture whose replacement was interrupted is deleted by the hourly job, and no other", async () => {
    const { testApp, member } = fixtures;
    await upload();
    const [current] = await rows();
    const stored = async (name: string) => (await openStorage(testApp).put(toStream(name), { maxBytes: 100 })).key;
    const keys = { small_key: await stored("a"), medium_key: await stored("b"), large_key: await stored("c") };
    // As after a process that ended between the commit and the removal of the bytes.
    await testApp.database.write((tx) =>
      tx
        .insertInto("avatars")
        .values({ account_id: member.id, ...keys, created_at: 1, replaced_at: 2 })
        .execute(),
    );
    await testApp.app.scheduledJobs["delete replaced pictures"]?.();
    expect(await rows()).toEqual([current]);
    for (const key of Object.values(keys)) expect(await openStorage(testApp).size(key)).toBeNull();
    expect((await load("large")).status).toBe(200);
  });

  test("check-files knows them", async () => {
    const { testApp } = fixtures;
    await upload();
    const [row] = await rows();
    const check = async (): Promise<string> => {
      const context = { ...testApp, storage: openStorage(testApp), services: testApp.app.services, publicUrl: "" };
      const lines = await COMMANDS["check-files"]!.run({ ...context, clock: { time: Date.now() + UPLOAD_GRACE_MS + 60_000 } }, {});
      return lines.join("\n");
    };
    expect(await check()).not.toContain(row!.small_key);
    await openStorage(testApp).remove(row!.medium_key);
    expect(await check()).toContain(`${row!.medium_key}  picture of account ${fixtures.member.id}`);
    await upload();
  });

  test("a token needs its scope to set one", async () => {
    const { testApp, member } = fixtures;
    const status = async (scopes: Parameters<typeof createApiToken>[2]) =>
      (await testApp.callUntyped(await createApiToken(testApp, member, scopes), setAvatar, { bytes: PICTURE })).status;
    expect([await status(["account:read"]), await status(["account:write"]), await status(["account:read", "account:write"])]).toEqual([403, 403, 200]);
  });

  test("browsers keep what an address with a version shows, and ask again without one", async () => {
    await upload();
    const [row] = await rows();
    expect((await load("small", row!.id)).headers["cache-control"]).toBe("private, max-age=86400");
    const { headers } = await load("small");
    expect(headers["cache-control"]).toBe("private, no-cache");
    const reply = await fixtures.testApp.send(fixtures.guest, {
      method: "GET",
      url: `/api/v2/accounts/${fixtures.member.id}/avatar?size=small`,
      headers: { "if-none-match": String(headers["etag"]) },
    });
    expect(reply.status).toBe(304);
  });
});

async function* toStream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
