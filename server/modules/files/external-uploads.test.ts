/** Tests the route for external files with a fake fetcher; the real fetcher has its own tests. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import type { FetchedFile, FileFetcher } from "../../delivery/fetch-file.ts";
import { invalid } from "../../lib/errors.ts";
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
