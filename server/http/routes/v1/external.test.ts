/** Files from elsewhere: what the route makes of what the fetcher brings. The fetcher itself is tested beside its code. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as files from "../../../../contract/operations/files.ts";
import type { Fetched, FileFetcher } from "../../../delivery/fetch-file.ts";
import { invalid } from "../../../lib/faults.ts";
import { startCast, type Cast } from "../../../testing/cast.ts";
import { storageOf } from "../../../testing/files.ts";

describe("upload_external", { timeout: 30_000 }, () => {
  let cast: Cast;
  let bring: (address: string) => Promise<Partial<Fetched>>;
  let asked: string[];
  let ended: number;
  const fetcher: FileFetcher = {
    async fetch(address) {
      asked.push(address);
      const brought = await bring(address);
      return { body: Readable.from([Buffer.from("sound")]), bytes: undefined, fileName: "a.wav", end: () => void (ended += 1), ...brought };
    },
    close: async () => {},
  };
  beforeAll(async () => void (cast = await startCast("sqlite", { fetcher, environment: { MAX_UPLOAD_BYTES: "1000" } })), 60_000);
  afterAll(() => cast.world.close());
  beforeEach(() => {
    bring = async () => ({});
    asked = [];
    ended = 0;
  });

  const url = "https://files.example/a.wav";
  const fetchIt = (more: object = {}, headers: Record<string, string> = {}) =>
    cast.world.call(cast.member, files.uploadExternal, { body: { url, parent_id: cast.home.folder, ...more } }, { headers });
  const nameOf = async (id: number) => (await cast.world.call(cast.member, files.getFileInfo, { body: { file_id: id } })).answer.common.name;
  const stored = async () => (await Readable.from(storageOf(cast.world).list()).toArray()).length;

  async function refused(status: number, more: object = {}): Promise<string> {
    const before = await stored();
    const reply = await fetchIt(more);
    expect(reply.status, reply.text).toBe(status);
    expect(await stored()).toBe(before);
    expect(readdirSync(join(cast.world.config.dataDir, "files", "incoming"))).toEqual([]);
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
  ])("a name from elsewhere is used only if it is a good one: %j", async (suggested, name) => {
    bring = async () => ({ fileName: suggested });
    expect(await nameOf((await fetchIt()).answer.file_id)).toMatch(new RegExp(`^${name.replace(".wav", "")}( \\(\\d+\\))?(\\.wav)?$`));
    expect(ended).toBe(1);
  });
  test("the caller's name wins", async () => {
    expect(await nameOf((await fetchIt({ name: "mine.wav" })).answer.file_id)).toBe("mine.wav");
  });
  test("nothing is fetched for somebody who may not keep it", async () => {
    await refused(404, { parent_id: cast.next.folder });
    await refused(400, { name: "a/b" });
    await refused(400, { parent_id: cast.home.file });
    expect(asked).toEqual([]);
  });
  test("too large is told before a byte, or as soon as it is", async () => {
    bring = async () => ({ bytes: 1_001 });
    expect(await refused(413)).toContain("1,000 bytes");
    async function* endless() {
      for (;;) yield Buffer.alloc(100);
    }
    bring = async () => ({ body: endless() });
    await refused(413);
    expect(ended).toBe(2);
  });
  test("more or less than the other side said is a 400", async () => {
    bring = async () => ({ bytes: 4 });
    await refused(400);
    bring = async () => ({ bytes: 6 });
    await refused(400);
  });
  test("a failure in the middle is told, and leaves nothing", async () => {
    async function* breaking() {
      yield Buffer.from("half");
      throw invalid("url", "took too long to send the file");
    }
    bring = async () => ({ body: breaking() });
    expect(await refused(400)).toBe("url: took too long to send the file");
    expect(ended).toBe(1);
  });
  test("the same Idempotency-Key brings one file, even when elsewhere it has changed", async () => {
    const first = await fetchIt({}, { "idempotency-key": "external" });
    bring = async () => ({ body: Readable.from([Buffer.from("other sound")]) });
    const before = await stored();
    expect((await fetchIt({}, { "idempotency-key": "external" })).answer).toEqual(first.answer);
    expect(await stored()).toBe(before);
    expect((await fetchIt({ name: "another.wav" }, { "idempotency-key": "external" })).status).toBe(409);
  });
});
