/** Zips over real connections: what is in them, and readers who go. */
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync, type ReadStream } from "node:fs";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as files from "../../../contract/operations/files.ts";
import * as view from "../../../contract/operations/files-view.ts";
import { MINUTE } from "../../lib/clock.ts";
import type { Storage } from "../../storage/storage.ts";
import { startCast, type Cast } from "../../testing/cast.ts";
import { addressOf, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { currentVersion, upload } from "../../testing/files.ts";
import { tokenOf } from "../../testing/people.ts";
import { unzip } from "../../testing/unzip.ts";
import { listen } from "../../testing/wire.ts";

const MIB = 1024 * 1024;
/** What the system itself may hold of a connection: the largest buffers of its two ends. */
const inKernel = () =>
  ["tcp_rmem", "tcp_wmem"].reduce((sum, name) => sum + Number(readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").trim().split(/\s+/).at(-1)), 0);

describe.each(ENGINES)("a zip on %s", { timeout: 60_000 }, (engine) => {
  let cast: Cast;
  let base: string;
  let member: Caller;
  const folder = mkdtempSync(join(tmpdir(), "talkback-unzip-"));
  beforeAll(async () => {
    cast = await startCast(engine);
    base = await listen(cast.world);
    member = await tokenOf(cast.world, cast.member);
  }, 60_000);
  afterAll(async () => {
    await cast.world.close();
    rmSync(folder, { recursive: true });
  });

  const make = async (name: string, parent_id: number) => (await cast.world.call(cast.member, files.makeFolder, { body: { name, parent_id } })).answer.data.id;
  const file = (name: string, parent: number, bytes: string) => upload(cast.world, cast.member, { parent, name, bytes });
  async function open(ids: readonly number[]): Promise<IncomingMessage> {
    const request = get(base + addressOf(view.getArchive, { query: { ids: ids.join(",") } }), { headers: member.headers, agent: false });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  }
  async function content(ids: readonly number[]): Promise<{ name: string; files: Record<string, string> }> {
    const response = await open(ids);
    const bytes = Buffer.concat(await response.toArray());
    expect([response.statusCode, String(bytes.length)]).toEqual([200, response.headers["content-length"]]);
    const path = join(folder, `${ids[0]}.zip`);
    writeFileSync(path, bytes);
    const { entries, close } = unzip(path);
    const read = Object.fromEntries(entries.map((one) => [one.path, one.isFolder ? "" : one.bytes().toString()]));
    expect(Object.keys(read)).toHaveLength(entries.length);
    close();
    return { name: decodeURIComponent(/''(.*)$/.exec(String(response.headers["content-disposition"]))?.[1] ?? ""), files: read };
  }

  test("has folders with all below them, each name once whatever the file system, and nothing that leads elsewhere", async () => {
    const top = await make("Album", cast.home.root);
    const stems = await make("Stems", top);
    await make("Empty", top);
    const [mix, twin] = [await file("mix.wav", top, "mix"), await file("MIX.wav", stems, "twin")];
    const tricks = ["x", "y", "z", "a_b", "c"];
    const ids = [];
    for (const name of tricks) ids.push(await file(name, stems, name));
    // As an import, or an older version, might have left them.
    const wild = ["../../evil", "/etc/passwd", "CON", "a\\b", "gone"];
    for (const [index, id] of ids.entries())
      await cast.world.database.write((tx) => tx.updateTable("files").set({ name: wild[index]! }).where("id", "=", id).execute());
    // What lies in a folder that is named comes once.
    expect(await content([top, mix])).toEqual({
      name: "Album.zip",
      files: {
        "Album/": "",
        "Album/Empty/": "",
        "Album/Stems/": "",
        "Album/mix.wav": "mix",
        "Album/Stems/MIX.wav": "twin",
        "Album/Stems/.._.._evil": "x",
        "Album/Stems/_etc_passwd": "y",
        "Album/Stems/_CON": "z",
        "Album/Stems/a_b": "a_b",
        "Album/Stems/gone": "c",
      },
    });
    expect(await content([mix, twin])).toEqual({ name: "Album.zip", files: { "mix.wav": "mix", "MIX (2).wav": "twin" } });
    expect((await content([mix])).name).toBe("mix.zip");
    expect(Object.keys((await content([cast.home.root])).files)).toContain("home/Album/mix.wav");
  });

  test("may be paused for half an hour; what is asked next on its connection may not", async () => {
    const id = await file("paused.wav", cast.home.folder, "sound");
    const { server } = cast.world.app.server;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const waits: number[] = [];
    const onRequest = (request: IncomingMessage, reply: ServerResponse) => void reply.once("prefinish", () => waits.push(request.socket.timeout ?? 0));
    server.prependListener("request", onRequest);
    for (const path of [addressOf(view.getArchive, { query: { ids: id } }), "/api/v2/service"]) {
      const [response] = (await once(get(base + path, { headers: member.headers, agent }), "response")) as [IncomingMessage];
      await response.toArray();
    }
    server.off("request", onRequest);
    agent.destroy();
    expect(waits).toEqual([30 * MINUTE, MINUTE]);
  });

  test("of nothing changes for who only asks how long it is", async () => {
    const id = await file("head.wav", cast.home.folder, "sound");
    const { headers } = await cast.world.send(cast.member, { method: "HEAD", url: addressOf(view.getArchive, { query: { ids: id } }) });
    const { headers: whole } = await open([id]);
    expect(headers["content-length"]).toBe(whole["content-length"]);
  });

  // One engine is enough for bytes.
  test.runIf(engine === "sqlite" && process.platform === "linux")(
    "of 3 GB that nobody reads on waits without growing, and ends when its reader goes",
    async () => {
      const at = await make("Large", cast.home.root);
      const shelf = join(cast.world.config.dataDir, "files", "blobs");
      for (const [index, bytes] of [10_000_000, 2_000_000_000, 1_000_000_000].entries()) {
        const id = await file(`${index}.wav`, at, "x");
        const { id: version, blob_key } = await currentVersion(cast.world, id);
        truncateSync(join(shelf, blob_key.slice(0, 2), blob_key), bytes);
        await cast.world.database.write((tx) => tx.updateTable("file_versions").set({ size: bytes }).where("id", "=", version).execute());
      }
      const openBlobs = () =>
        readdirSync("/proc/self/fd").filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(shelf);
          } catch {
            return false;
          }
        }).length;
      const { storage } = (cast.world.app.services as unknown as { deps: { storage: Storage } }).deps;
      const streams: ReadStream[] = [];
      const original = storage.open.bind(storage);
      const opening = vi.spyOn(storage, "open").mockImplementation(async (key) => {
        const stream = (await original(key)) as ReadStream;
        streams.push(stream);
        return stream;
      });
      onTestFinished(() => opening.mockRestore());
      const response = await open([at]);
      onTestFinished(() => void response.destroy());
      expect(Number(response.headers["content-length"])).toBeGreaterThan(3_000_000_000);
      let read = 0;
      const { promise: enough, resolve } = Promise.withResolvers<void>();
      response.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read < 30_000_000) return;
        response.pause();
        resolve();
      });
      await enough;
      const ahead = () => streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0) - read;
      // Held back, not piled up: soon nothing more is read from the disk.
      for (let [tries, still, last] = [0, 0, -1]; still < 10 && tries < 100; tries += 1) {
        await sleep(30);
        still = ahead() === last ? still + 1 : 0;
        last = ahead();
      }
      expect(ahead()).toBeLessThan(16 * MIB + inKernel());
      expect(process.memoryUsage().arrayBuffers).toBeLessThan(128 * MIB);
      expect(openBlobs()).toBe(1);
      response.destroy();
      for (let tries = 0; openBlobs() > 0 && tries < 300; tries += 1) await sleep(10);
      expect(openBlobs()).toBe(0);
      await sleep(50);
      expect(openBlobs()).toBe(0);
    },
  );

  test("whose bytes are gone on the way breaks off instead of looking whole", async () => {
    const at = await make("Broken", cast.home.root);
    await file("a.wav", at, "here");
    const { blob_key } = await currentVersion(cast.world, await file("b.wav", at, "gone"));
    rmSync(join(cast.world.config.dataDir, "files", "blobs", blob_key.slice(0, 2), blob_key));
    const response = await open([at]);
    await expect(response.toArray()).rejects.toThrow("aborted");
  });
});
