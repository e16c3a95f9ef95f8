import { readdirSync, readlinkSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as accounts from "../../../contract/operations/accounts.ts";
import * as files from "../../../contract/operations/files.ts";
import * as projects from "../../../contract/operations/projects.ts";
import { DAY, HOUR, MINUTE } from "../../lib/clock.ts";
import { ANONYMOUS, type Caller } from "../../testing/client.ts";
import { currentVersion, markProcessed, openStorage, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { joinTeam as joinOrganisation, createApiToken, createSession } from "../../testing/people.ts";
import { sendRawRequest, listen } from "../../testing/raw-socket.ts";

const BYTES = "0123456789";

describe("downloads", { timeout: 30_000 }, () => {
  let fixtures: Fixtures;
  let file: number;
  beforeAll(async () => {
    fixtures = await createFixtures("sqlite");
    file = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "ranges.wav", bytes: BYTES });
    await markProcessed(fixtures.testApp, file);
  }, 60_000);
  afterAll(() => fixtures.testApp.close());

  const pathOf = (id: number, variant = "original", query = "") => `/api/v2/files/${id}/versions/1/${variant}${query}`;
  const get = (headers: Record<string, string> = {}, path = pathOf(file), method: "GET" | "HEAD" = "GET") =>
    fixtures.testApp.send(fixtures.guest, { method, url: path, headers });

  describe("ranges", () => {
    test.each<[string, string, string]>([
      ["bytes=0-0", "0", "bytes 0-0/10"],
      ["bytes=0-", BYTES, "bytes 0-9/10"],
      ["bytes=9-9", "9", "bytes 9-9/10"],
      ["bytes=3-5", "345", "bytes 3-5/10"],
      ["bytes=5-100", "56789", "bytes 5-9/10"],
      ["bytes=-1", "9", "bytes 9-9/10"],
      ["bytes=-3", "789", "bytes 7-9/10"],
      ["bytes=-100", BYTES, "bytes 0-9/10"],
    ])("%s returns that part", async (range, text, contentRange) => {
      const reply = await get({ range });
      expect([reply.status, reply.text]).toEqual([206, text]);
      expect(reply.headers).toMatchObject({
        "content-range": contentRange,
        "content-length": String(text.length),
        "content-type": "audio/wav",
        "accept-ranges": "bytes",
      });
    });
    test.each(["bytes=10-", "bytes=10-20", "bytes=99999999999999999999-", "bytes=-0"])("%s returns 416", async (range) => {
      const reply = await get({ range });
      expect([reply.status, reply.text, reply.headers["content-range"]]).toEqual([416, "", "bytes */10"]);
    });
    test.each(["bytes=0-1,4-5", "bytes=5-3", "bytes=x-y", "items=0-1", "bytes=-", "bytes=1", "bytes 0-1", "0-1"])(
      "%s returns the whole file",
      async (range) => {
        const reply = await get({ range });
        expect([reply.status, reply.text]).toEqual([200, BYTES]);
      },
    );
    test("If-Range returns a part only if the ETag matches", async () => {
      const etag = String((await get()).headers["etag"]);
      expect((await get({ range: "bytes=0-1", "if-range": etag })).status).toBe(206);
      for (const other of ['"another"', `W/${etag}`, "Sat, 21 Nov 2026 00:00:00 GMT"]) {
        const reply = await get({ range: "bytes=0-1", "if-range": other });
        expect([reply.status, reply.text], other).toEqual([200, BYTES]);
      }
    });
    test("any range of an empty file returns 416", async () => {
      const empty = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "empty.wav", bytes: "" });
      expect((await get({ range: "bytes=0-" }, pathOf(empty))).status).toBe(416);
      const fullReply = await get({}, pathOf(empty));
      expect([fullReply.status, fullReply.text, fullReply.headers["content-length"]]).toEqual([200, "", "0"]);
    });
    test("peaks support ranges", async () => {
      const reply = await get({ range: "bytes=0-4" }, `/api/v2/files/${file}/versions/1/peaks/0`);
      expect([reply.status, reply.text]).toEqual([206, "peaks"]);
    });
  });

  test("HEAD returns the same headers as GET without the bytes", async () => {
    const [getReply, head] = [await get(), await get({}, pathOf(file), "HEAD")];
    expect([head.status, head.text]).toEqual([200, ""]);
    for (const name of ["content-length", "content-type", "etag", "accept-ranges", "content-disposition", "cache-control"])
      expect(head.headers[name], name).toBe(getReply.headers[name]);
    const part = await get({ range: "bytes=2-3" }, pathOf(file), "HEAD");
    expect([part.status, part.headers["content-length"], part.headers["content-range"]]).toEqual([206, "2", "bytes 2-3/10"]);
  });

  test("a matching ETag returns 304 only to people who can see the file", async () => {
    const first = await get();
    const etag = String(first.headers["etag"]);
    expect(first.headers["cache-control"]).toBe("private, no-cache");
    for (const etagHeader of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const reply = await get({ "if-none-match": etagHeader });
      expect([reply.status, reply.text, reply.headers["etag"]], etagHeader).toEqual([304, "", etag]);
    }
    expect((await get({ "if-none-match": '"other"' })).status).toBe(200);
    expect((await fixtures.testApp.send(fixtures.neighbor, { method: "GET", url: pathOf(file), headers: { "if-none-match": etag } })).status).toBe(404);
    await upload(fixtures.testApp, fixtures.member, { versionOf: file, bytes: "second" });
    expect((await get({}, pathOf(file).replace("versions/1", "versions/2"))).headers["etag"]).not.toBe(etag);
  });

  describe("inline display", () => {
    async function fetchHeaders(mediaType: string, query = "", name = "x.bin") {
      const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name, bytes: "<script>alert(1)</script>" });
      await fixtures.testApp.database.write(async (tx) => {
        await tx.updateTable("file_versions").set({ media_type: mediaType }).where("file_id", "=", id).execute();
      });
      return (await get({}, pathOf(id, "original", query))).headers;
    }
    test.each(["audio/wav", "audio/mpeg", "audio/flac", "video/mp4", "image/png", "image/webp"])("%s is served inline", async (type) => {
      expect(await fetchHeaders(type)).toMatchObject({ "content-type": type, "content-disposition": expect.stringMatching(/^inline; /) });
    });
    test.each([
      "text/html",
      "image/svg+xml",
      "application/xhtml+xml",
      "text/xml",
      "application/pdf",
      "application/javascript",
      "audio/x-mpegurl",
      "audio/mpegurl",
      "audio/x-scpls",
      "video/mp2t",
      "text/plain",
      "application/octet-stream",
      "nonsense",
      "audio/wav; charset=x",
    ])("%s is served as an attachment", async (type) => {
      expect(await fetchHeaders(type)).toMatchObject({
        "content-type": "application/octet-stream",
        "content-disposition": expect.stringMatching(/^attachment; /),
      });
    });
    test("?download=1 serves any type as an attachment", async () => {
      expect((await fetchHeaders("audio/wav", "?download=1"))["content-disposition"]).toMatch(/^attachment; /);
    });
    test("headers prevent scripts for every type", async () => {
      for (const type of ["text/html", "image/svg+xml", "audio/wav"]) {
        expect(await fetchHeaders(type)).toMatchObject({
          "content-security-policy": "sandbox; default-src 'none'",
          "x-content-type-options": "nosniff",
          "cross-origin-resource-policy": "same-origin",
          "x-frame-options": "DENY",
        });
      }
    });
    test("the type is never derived from the name", async () => {
      const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "page.html", bytes: "<script>" });
      expect((await get({}, pathOf(id))).headers).toMatchObject({
        "content-type": "application/octet-stream",
        "content-disposition": expect.stringMatching(/^attachment; /),
      });
    });
  });

  describe("names in Content-Disposition (RFC 6266)", () => {
    test.each<[string, string, string]>([
      ["mix.wav", 'filename="mix.wav"', "mix.wav"],
      ['qu"ote\u201d.wav', 'filename="qu_ote_.wav"', "qu%22ote%E2%80%9D.wav"],
      ["100%.wav", 'filename="100_.wav"', "100%25.wav"],
      ["Été 🎧.wav", 'filename="_t_ __.wav"', "%C3%89t%C3%A9%20%F0%9F%8E%A7.wav"],
      ["a;b=c, d'e(f)*.wav", `filename="a;b=c, d'e(f)*.wav"`, "a%3Bb%3Dc%2C%20d%27e%28f%29%2A.wav"],
    ])("%s", async (name, ascii, encoded) => {
      const { id: parent } = (await fixtures.testApp.call(fixtures.member, files.createFolder, { body: { parent_id: fixtures.home.root, name: encoded } }))
        .response.data;
      const id = await upload(fixtures.testApp, fixtures.member, { parent, name });
      const header = String((await get({}, pathOf(id))).headers["content-disposition"]);
      expect(header).toBe(`attachment; ${ascii}; filename*=UTF-8''${encoded}`);
      expect(decodeURIComponent(encoded)).toBe(name);
    });
    test("the copy has its own type and extension", async () => {
      const reply = await get({}, pathOf(file, "compressed"));
      expect([reply.status, reply.text, reply.headers["content-type"]]).toEqual([200, "compressed", "audio/mp4"]);
      expect(reply.headers["content-disposition"]).toBe(`inline; filename="ranges.m4a"; filename*=UTF-8''ranges.m4a`);
    });
  });

  test("an aborted download leaves no file open", async () => {
    const base = await listen(fixtures.testApp);
    const token = await createApiToken(fixtures.testApp, fixtures.member);
    const big = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "big.bin", bytes: Buffer.alloc(20_000_000) });
    const { blob_key } = await currentVersion(fixtures.testApp, big);
    const countOpenFiles = () =>
      readdirSync("/proc/self/fd").filter((fd) => {
        try {
          return readlinkSync(`/proc/self/fd/${fd}`).endsWith(blob_key);
        } catch {
          return false;
        }
      }).length;
    const aborts = Array.from({ length: 10 }, () => new AbortController());
    const readers = await Promise.all(aborts.map(({ signal }) => fetch(base + pathOf(big), { headers: token.headers, signal })));
    if (process.platform === "linux") expect(countOpenFiles()).toBe(10);
    for (const abort of aborts) abort.abort();
    for (const reader of readers) await reader.arrayBuffer().catch(() => {});
    for (let tries = 0; process.platform === "linux" && countOpenFiles() > 0 && tries < 200; tries += 1) await sleep(10);
    if (process.platform === "linux") expect(countOpenFiles()).toBe(0);
    expect((await sendRawRequest(base, token, { method: "GET", path: pathOf(big), headers: { range: "bytes=-5" } })).status).toBe(206);
  });

  test("missing bytes return 404", async () => {
    const id = await upload(fixtures.testApp, fixtures.member, { parent: fixtures.home.folder, name: "lost.wav" });
    await openStorage(fixtures.testApp).remove((await currentVersion(fixtures.testApp, id)).blob_key);
    expect((await get({}, pathOf(id))).problem).toMatchObject({ status: 404 });
  });

  describe("signed URLs", () => {
    const sign = async (body: object = {}, id = file) =>
      new URL((await fixtures.testApp.call(fixtures.guest, files.createSignedUrl, { params: { file_id: id }, body })).response.data.url).pathname;
    const openSigned = (path: string, headers: Record<string, string> = {}) => fixtures.testApp.send(ANONYMOUS, { method: "GET", url: path, headers });

    test("return the named variant to anyone, with ranges", async () => {
      expect((await openSigned(await sign({ version: 1 }))).text).toBe(BYTES);
      expect((await openSigned(await sign({ version: 1 }), { range: "bytes=-2" })).text).toBe("89");
      expect((await openSigned(await sign({ version: 1, variant: "compressed" }))).text).toBe("compressed");
    });
    test("stay the same within an hour for caches and last at least as long as requested", async () => {
      const { clock } = fixtures.testApp;
      const from = Math.ceil(clock.now() / HOUR) * HOUR;
      clock.advance(from - clock.now() + 60_000);
      const first = await sign();
      clock.advance(30 * 60_000);
      expect(await sign()).toBe(first);
      clock.advance(29 * 60_000);
      expect(await sign()).toBe(first);
      clock.advance(1);
      expect(await sign()).not.toBe(first);
      const { data } = (await fixtures.testApp.call(fixtures.guest, files.createSignedUrl, { params: { file_id: file }, body: { expires_in: 60 } })).response;
      expect(Date.parse(data.expires_at) % HOUR).toBe(0);
      expect(Date.parse(data.expires_at) - clock.now()).toBeGreaterThanOrEqual(60_000);
    });
    test("return 404 after they expire", async () => {
      const { clock } = fixtures.testApp;
      const path = await sign({ expires_in: 3_600 });
      const end = Number(path.split(".").at(-2));
      clock.advance(end - clock.now() - 1);
      expect((await openSigned(path)).status).toBe(200);
      clock.advance(1);
      expect((await openSigned(path)).problem).toMatchObject({ status: 404, detail: "This link is invalid or has expired." });
    });
    test("end with the token or session that created them, at the latest when it expires", async () => {
      const { testApp, guest } = fixtures;
      const signWith = async (caller: Caller, body: object) =>
        (await testApp.call(caller, files.createSignedUrl, { params: { file_id: file }, body })).response.data;
      const tokenEnd = new Date(testApp.clock.now() + MINUTE).toISOString();
      const ofToken = await signWith(await createApiToken(testApp, guest, ["files:read"], tokenEnd), { expires_in: 604_800 });
      expect(ofToken.expires_at).toBe(tokenEnd);
      expect((await openSigned(new URL(ofToken.url).pathname)).status).toBe(200);
      testApp.clock.advance(MINUTE);
      expect((await openSigned(new URL(ofToken.url).pathname)).status).toBe(404);

      const old = await createSession(testApp, guest.id, "old browser");
      const created_at = testApp.clock.now() - 89 * DAY;
      await testApp.database.write((tx) => tx.updateTable("sessions").set({ created_at }).where("id", "=", old.id).execute());
      expect(Date.parse((await signWith(old, { expires_in: 604_800 })).expires_at)).toBe(created_at + 90 * DAY);
    });
    test("exist for every variant", async () => {
      const { testApp, member, home } = fixtures;
      const id = await upload(testApp, member, { parent: home.folder, name: "clip.mp4" });
      await markProcessed(testApp, id);
      const { blob_key } = await currentVersion(testApp, id);
      await testApp.database.write((tx) =>
        tx
          .updateTable("file_versions")
          .set({ kind: "video", still_key: blob_key, thumbnail_key: blob_key, compressed_key: blob_key })
          .where("file_id", "=", id)
          .execute(),
      );
      const { urls = {} } = (await testApp.call(member, files.createSignedUrl, { params: { file_id: id }, body: {} })).response.data;
      expect(Object.keys(urls)).toEqual(["original", "compressed", "still", "thumbnail"]);
      for (const [variant, url] of Object.entries(urls)) {
        const path = await sign({ variant }, id);
        const reply = await openSigned(path);
        expect([variant, reply.status]).toEqual([variant, 200]);
        expect((await openSigned(new URL(url).pathname)).headers["content-disposition"]).toBe(reply.headers["content-disposition"]);
        expect((await openSigned(`${path}?download=1`)).headers["content-disposition"]).toMatch(/^attachment; /);
      }
      const { urls: ofWav } = (await testApp.call(member, files.createSignedUrl, { params: { file_id: file }, body: {} })).response.data;
      expect(ofWav).not.toHaveProperty("still");
      expect((await openSigned(await sign({ variant: "still" }))).status).toBe(404);
    });
    test("return 404 when any part is changed", async () => {
      const path = await sign({ version: 1 });
      const [fileId = "", number = "", variant = "", credential = "", generation = "", end = "", mac = ""] = (path.split("/").at(-1) ?? "").split(".");
      const other = await fixtures.testApp.database.read.selectFrom("files").select("id").where("id", "=", fixtures.next.file).executeTakeFirstOrThrow();
      const otherSession = await createSession(fixtures.testApp, fixtures.owner.id, "owner");
      const ownerToken = await createApiToken(fixtures.testApp, fixtures.owner);
      const changed = [
        [String(other.id), number, variant, credential, generation, end, mac],
        [fileId, "2", variant, credential, generation, end, mac],
        [fileId, number, "compressed", credential, generation, end, mac],
        [fileId, number, variant, `s${otherSession.id}`, generation, end, mac],
        [fileId, number, variant, `t${ownerToken.id}`, generation, end, mac],
        [fileId, number, variant, credential, String(Number(generation) + 1), end, mac],
        [fileId, number, variant, credential, generation, String(Number(end) + HOUR), mac],
        [fileId, number, variant, credential, generation, end, mac.slice(0, -1) + (mac.endsWith("A") ? "B" : "A")],
        [fileId, number, variant, credential, generation, end, ""],
        [`0${fileId}`, number, variant, credential, generation, end, mac],
        // The form of earlier versions, which named the account.
        [fileId, number, variant, String(fixtures.guest.id), end, mac],
      ];
      for (const parts of changed) expect((await openSigned(`/api/v2/media/${parts.join(".")}`)).status, parts.join(".")).toBe(404);
      expect((await openSigned(path)).status).toBe(200);
    });
    test("return 404 once their creator cannot see the file: removed from the project, disabled, or the file deleted", async () => {
      const { testApp, owner, home } = fixtures;
      const leaver = await joinOrganisation(testApp, owner, "leaver", { team: home.team, role: "member", projects: [home.project] });
      const signAsLeaver = async () =>
        new URL((await testApp.call(leaver, files.createSignedUrl, { params: { file_id: file }, body: {} })).response.data.url).pathname;
      const path = await signAsLeaver();
      expect((await openSigned(path)).status).toBe(200);
      await testApp.call(owner, projects.removeProjectMember, { params: { project_id: home.project, account_id: leaver.id } });
      expect((await openSigned(path)).status).toBe(404);
      await testApp.call(owner, projects.addProjectMember, { params: { project_id: home.project }, body: { account_id: leaver.id } });
      expect((await openSigned(path)).status).toBe(200);
      await testApp.call(owner, accounts.updateMember, { params: { account_id: leaver.id }, body: { disabled: true } });
      expect((await openSigned(path)).status).toBe(404);

      const deletedFile = await upload(testApp, fixtures.member, { parent: home.folder, name: "going.wav" });
      const address = await sign({}, deletedFile);
      expect((await openSigned(address)).status).toBe(200);
      await testApp.call(owner, files.deleteFile, { body: { file_id: deletedFile } });
      expect((await openSigned(address)).status).toBe(404);
    });
  });
});
