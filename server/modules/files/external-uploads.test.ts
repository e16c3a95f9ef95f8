/** Tests the route for external files, with a fake fetcher and, for what slow servers may hold, with the real one. */
import { readdirSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import { createFileFetcher, type FetchedFile, type FileFetcher } from "../../delivery/fetch-file.ts";
import { createGuard } from "../../delivery/guard.ts";
import { invalid } from "../../lib/errors.ts";
import { createCertificate } from "../../testing/certificate.ts";
import type { Caller } from "../../testing/client.ts";
import { openStorage } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";

describe("upload_external", { timeout: 30_000 }, () => {
  let fixtures: Fixtures;
  let fetchOverrides: (address: string) => Promise<Partial<FetchedFile>>;
  let requestedUrls: string[];
  let endedCount: number;
  const fetcher: FileFetcher = {
    async fetch(address) {
      requestedUrls.push(address);
      const overrides = await fetchOverrides(address);
      return { body: Readable.from([Buffer.from("sound")]), bytes: undefined, fileName: "a.wav", end: () => void (endedCount += 1), ...overrides };
    },
    close: async () => {},
  };
  beforeAll(async () => void (fixtures = await createFixtures("sqlite", { fetcher, environment: { MAX_UPLOAD_BYTES: "1000" } })), 60_000);
  afterAll(() => fixtures.testApp.close());
  beforeEach(() => {
    fetchOverrides = async () => ({});
    requestedUrls = [];
    endedCount = 0;
  });

  const url = "https://files.example/a.wav";
  const uploadExternal = (more: object = {}, headers: Record<string, string> = {}) =>
    fixtures.testApp.call(fixtures.member, files.uploadExternal, { body: { url, parent_id: fixtures.home.folder, ...more } }, { headers });
  const getFileName = async (id: number) => (await fixtures.testApp.call(fixtures.member, files.getFileInfo, { body: { file_id: id } })).response.common.name;
  const countStored = async () => (await Readable.from(openStorage(fixtures.testApp).list()).toArray()).length;

  async function expectRejected(status: number, more: object = {}): Promise<string> {
    const before = await countStored();
    const reply = await uploadExternal(more);
    expect(reply.status, reply.text).toBe(status);
    expect(await countStored()).toBe(before);
    expect(readdirSync(join(fixtures.testApp.config.dataDir, "files", "incoming"))).toEqual([]);
    return reply.problem.detail ?? "";
  }

  test.each([
    ["take one.wav", "take one.wav"],
    ["", "file"],
    ["..", "file"],
    ["a/b.wav", "file"],
    ["nul\0.wav", "file"],
    ["gpj\u202e.exe", "file"],
    ["x".repeat(300), "file"],
  ])("uses the server's file name only if it is valid: %j", async (suggested, name) => {
    fetchOverrides = async () => ({ fileName: suggested });
    expect(await getFileName((await uploadExternal()).response.file_id)).toMatch(new RegExp(`^${name.replace(".wav", "")}( \\(\\d+\\))?(\\.wav)?$`));
    expect(endedCount).toBe(1);
  });
  test("prefers the caller's name", async () => {
    expect(await getFileName((await uploadExternal({ name: "mine.wav" })).response.file_id)).toBe("mine.wav");
  });
  test("fetches nothing if the caller cannot store the file", async () => {
    await expectRejected(404, { parent_id: fixtures.next.folder });
    await expectRejected(400, { name: "a/b" });
    await expectRejected(400, { parent_id: fixtures.home.file });
    expect(requestedUrls).toEqual([]);
  });
  test("rejects a file over the limit by its declared length or while reading", async () => {
    fetchOverrides = async () => ({ bytes: 1_001 });
    expect(await expectRejected(413)).toContain("1,000 bytes");
    async function* streamEndlessly() {
      for (;;) yield Buffer.alloc(100);
    }
    fetchOverrides = async () => ({ body: streamEndlessly() });
    await expectRejected(413);
    expect(endedCount).toBe(2);
  });
  test("returns 400 if the size differs from the declared length", async () => {
    fetchOverrides = async () => ({ bytes: 4 });
    await expectRejected(400);
    fetchOverrides = async () => ({ bytes: 6 });
    await expectRejected(400);
  });
  test("reports a failure midway and leaves nothing behind", async () => {
    async function* streamThenFail() {
      yield Buffer.from("half");
      throw invalid("url", "took too long to send the file");
    }
    fetchOverrides = async () => ({ body: streamThenFail() });
    expect(await expectRejected(400)).toBe("url: took too long to send the file");
    expect(endedCount).toBe(1);
  });
  test("the same Idempotency-Key creates one file even if the source has changed", async () => {
    const first = await uploadExternal({}, { "idempotency-key": "external" });
    fetchOverrides = async () => ({ body: Readable.from([Buffer.from("other sound")]) });
    const before = await countStored();
    expect((await uploadExternal({}, { "idempotency-key": "external" })).response).toEqual(first.response);
    expect(await countStored()).toBe(before);
    expect((await uploadExternal({ name: "another.wav" }, { "idempotency-key": "external" })).status).toBe(409);
  });
});

describe("upload_external from slow servers", { timeout: 60_000 }, () => {
  let fixtures: Fixtures;
  let server: Server;
  let url: string;
  /** The responses that have begun and not ended. */
  const responses: ServerResponse[] = [];
  let onRequest = () => {};
  beforeAll(async () => {
    const { key, cert } = createCertificate("files.test");
    server = createServer({ key, cert }, (_request, response) => {
      response.writeHead(200, { "content-length": "4" }).write("so");
      responses.push(response);
      onRequest();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `https://files.test:${(server.address() as AddressInfo).port}/take.wav`;
    const guard = createGuard({ allowHttp: false, allowCidrs: ["127.0.0.1/32"] }, (_hostname, _options, callback) =>
      callback(null, [{ address: "127.0.0.1", family: 4 }]),
    );
    fixtures = await createFixtures("sqlite", { fetcher: createFileFetcher(guard, { ca: cert }) });
  }, 60_000);
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await fixtures.testApp.close();
  });

  const fetchAs = (caller: Caller, parent_id = fixtures.home.folder) =>
    fixtures.testApp.callUntyped(caller, files.uploadExternal, { body: { url, parent_id } });
  async function whenUnderWay(count: number): Promise<void> {
    while (responses.length < count) await new Promise<void>((resolve) => (onRequest = resolve));
  }

  test("has three under way per account and twelve per organization, and refuses others with 429 until one has arrived", async () => {
    const { owner, foreignOwner, foreign } = fixtures;
    const people = [fixtures.guest, fixtures.member, fixtures.admin, owner];
    const fifth = () => fetchAs(fixtures.neighbor, fixtures.next.folder);
    const underWay = [];
    for (const person of people) {
      underWay.push(...Array.from({ length: 3 }, () => fetchAs(person)));
      await whenUnderWay(underWay.length);
      const refused = await fetchAs(person);
      expect([refused.status, refused.headers["retry-after"], refused.problem.detail]).toEqual([
        429,
        "30",
        "You have 3 files on their way from other servers. Try again once one of them has arrived.",
      ]);
    }
    expect((await fifth()).problem).toMatchObject({ status: 429, detail: expect.stringMatching(/^Your organization has 12 files/) });
    underWay.push(fetchAs(foreignOwner, foreign.folder));
    await whenUnderWay(13);

    responses[0]!.end("nd");
    expect((await underWay[0]!).status).toBe(200);
    underWay.push(fifth());
    await whenUnderWay(14);
    // A server that breaks off frees its place too.
    responses[1]!.destroy();
    expect((await underWay[1]!).status).toBe(400);
    underWay.push(fifth());
    await whenUnderWay(15);
    for (const response of responses) response.end("nd");
    expect((await Promise.all(underWay)).map(({ status }) => status).toSorted()).toEqual([...Array(14).fill(200), 400]);
    expect(responses.length).toBe(15);
  });
});
