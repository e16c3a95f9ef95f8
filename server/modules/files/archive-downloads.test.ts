/** Tests zip downloads over real connections: their content, and clients that pause or disconnect. */
import { EventEmitter, once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync, type ReadStream } from "node:fs";
import { Agent, get, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import * as view from "../../../contract/operations/files-view.ts";
import type { Actor } from "../../access/access.ts";
import { MINUTE } from "../../lib/clock.ts";
import { requestUrl, type Caller } from "../../testing/client.ts";
import { ENGINES } from "../../testing/engines.ts";
import { createFolder, currentVersion, upload } from "../../testing/files.ts";
import { createFixtures, type Fixtures } from "../../testing/fixtures.ts";
import { createApiToken } from "../../testing/people.ts";
import { listen } from "../../testing/raw-socket.ts";
import { openZip } from "../../testing/unzip.ts";
import { createArchiveDownloads } from "./archive-downloads.ts";

const MIB = 1024 * 1024;
/** Returns the largest kernel buffers that both ends of a connection may use. */
const kernelBufferBytes = () =>
  ["tcp_rmem", "tcp_wmem"].reduce((sum, name) => sum + Number(readFileSync(`/proc/sys/net/ipv4/${name}`, "utf8").trim().split(/\s+/).at(-1)), 0);

describe.each(ENGINES)("an archive download on %s", { timeout: 60_000 }, (engine) => {
  let fixtures: Fixtures;
  let base: string;
  let member: Caller;
  const folder = mkdtempSync(join(tmpdir(), "talkback-unzip-"));
  beforeAll(async () => {
    fixtures = await createFixtures(engine);
    base = await listen(fixtures.testApp);
    member = await createApiToken(fixtures.testApp, fixtures.member);
  }, 60_000);
  afterAll(async () => {
    await fixtures.testApp.close();
    rmSync(folder, { recursive: true });
  });

  const makeFolder = (name: string, parent: number) => createFolder(fixtures.testApp, fixtures.member, parent, name);
  const uploadFile = (name: string, parent: number, bytes: string) => upload(fixtures.testApp, fixtures.member, { parent, name, bytes });
  async function requestArchive(ids: readonly number[], caller: Caller = member): Promise<IncomingMessage> {
    const request = get(base + requestUrl(view.getArchive, { query: { ids: ids.join(",") } }), { headers: caller.headers, agent: false });
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return response;
  }
  async function readArchive(ids: readonly number[]): Promise<{ name: string; files: Record<string, string> }> {
    const response = await requestArchive(ids);
    const bytes = Buffer.concat(await response.toArray());
    expect([response.statusCode, String(bytes.length)]).toEqual([200, response.headers["content-length"]]);
    const path = join(folder, `${ids[0]}.zip`);
    writeFileSync(path, bytes);
    const { entries, close } = openZip(path);
    const read = Object.fromEntries(entries.map((entry) => [entry.path, entry.isFolder ? "" : entry.read().toString()]));
    expect(Object.keys(read)).toHaveLength(entries.length);
    close();
    return { name: decodeURIComponent(/''(.*)$/.exec(String(response.headers["content-disposition"]))?.[1] ?? ""), files: read };
  }

  test("contains folders with their descendants, under unique and safe names", async () => {
    const top = await makeFolder("Album", fixtures.home.root);
    const stems = await makeFolder("Stems", top);
    await makeFolder("Empty", top);
    const [mix, twin] = [await uploadFile("mix.wav", top, "mix"), await uploadFile("MIX.wav", stems, "twin")];
    const names = ["x", "y", "z", "a_b", "c"];
    const ids = [];
    for (const name of names) ids.push(await uploadFile(name, stems, name));
    // Names that an import or an older version might have left.
    const hostileNames = ["../../evil", "/etc/passwd", "CON", "a\\b", "gone"];
    for (const [index, id] of ids.entries())
      await fixtures.testApp.database.write((tx) => tx.updateTable("files").set({ name: hostileNames[index]! }).where("id", "=", id).execute());
    // A file in a selected folder appears only once.
    expect(await readArchive([top, mix])).toEqual({
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
    expect(await readArchive([mix, twin])).toEqual({ name: "Album.zip", files: { "mix.wav": "mix", "MIX (2).wav": "twin" } });
    expect((await readArchive([mix])).name).toBe("mix.zip");
    expect(Object.keys((await readArchive([fixtures.home.root])).files)).toContain("home/Album/mix.wav");
  });

  test("can pause for half an hour, and the next request on its connection has the usual timeout", async () => {
    const id = await uploadFile("paused.wav", fixtures.home.folder, "sound");
    const { server } = fixtures.testApp.app.server;
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const timeouts: number[] = [];
    const onRequest = (request: IncomingMessage, reply: ServerResponse) => void reply.once("prefinish", () => timeouts.push(request.socket.timeout ?? 0));
    server.prependListener("request", onRequest);
    for (const path of [requestUrl(view.getArchive, { query: { ids: id } }), "/api/v2/service"]) {
      const [response] = (await once(get(base + path, { headers: member.headers, agent }), "response")) as [IncomingMessage];
      await response.toArray();
    }
    server.off("request", onRequest);
    agent.destroy();
    expect(timeouts).toEqual([30 * MINUTE, MINUTE]);
  });

  test("has the same Content-Length for HEAD and GET", async () => {
    const id = await uploadFile("head.wav", fixtures.home.folder, "sound");
    const { headers } = await fixtures.testApp.send(fixtures.member, { method: "HEAD", url: requestUrl(view.getArchive, { query: { ids: id } }) });
    const { headers: fullHeaders } = await requestArchive([id]);
    expect(headers["content-length"]).toBe(fullHeaders["content-length"]);
  });

  test("an account has five at a time; one that ends makes room for another, and other accounts are not affected", async () => {
    const other = await createApiToken(fixtures.testApp, fixtures.admin);
    const id = await makeFolder("Many", fixtures.home.root);
    const blobFolder = join(fixtures.testApp.config.dataDir, "files", "blobs");
    const file = await uploadFile("large.wav", id, "large");
    const { id: version, blob_key } = await currentVersion(fixtures.testApp, file);
    truncateSync(join(blobFolder, blob_key.slice(0, 2), blob_key), 100 * MIB);
    await fixtures.testApp.database.write((tx) =>
      tx
        .updateTable("file_versions")
        .set({ size: 100 * MIB })
        .where("id", "=", version)
        .execute(),
    );
    // They are not read, so they do not end.
    const running = [];
    for (let count = 0; count < 5; count += 1) running.push(await requestArchive([id]));
    expect(running.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    const refused = await requestArchive([id]);
    expect([refused.statusCode, refused.headers["retry-after"]]).toEqual([429, "10"]);
    refused.resume();
    const elsewhere = await requestArchive([id], other);
    expect(elsewhere.statusCode).toBe(200);
    running[0]?.destroy();
    let next = await requestArchive([id]);
    for (; next.statusCode === 429; next = await requestArchive([id])) next.resume();
    expect(next.statusCode).toBe(200);
    for (const response of [...running, elsewhere, next]) response.destroy();
  });

  // Byte streaming does not depend on the database engine.
  test.runIf(engine === "sqlite" && process.platform === "linux")(
    "of 3 GB uses constant memory while its reader pauses, and ends when the reader disconnects",
    async () => {
      const folderId = await makeFolder("Large", fixtures.home.root);
      const blobFolder = join(fixtures.testApp.config.dataDir, "files", "blobs");
      for (const [index, bytes] of [10_000_000, 2_000_000_000, 1_000_000_000].entries()) {
        const id = await uploadFile(`${index}.wav`, folderId, "x");
        const { id: version, blob_key } = await currentVersion(fixtures.testApp, id);
        truncateSync(join(blobFolder, blob_key.slice(0, 2), blob_key), bytes);
        await fixtures.testApp.database.write((tx) => tx.updateTable("file_versions").set({ size: bytes }).where("id", "=", version).execute());
      }
      const openBlobs = () =>
        readdirSync("/proc/self/fd").filter((fd) => {
          try {
            return readlinkSync(`/proc/self/fd/${fd}`).startsWith(blobFolder);
          } catch {
            return false;
          }
        }).length;
      const { storage } = fixtures.testApp.app.deps;
      const streams: ReadStream[] = [];
      const originalOpen = storage.open.bind(storage);
      const openSpy = vi.spyOn(storage, "open").mockImplementation(async (...args) => {
        const stream = (await originalOpen(...args)) as ReadStream;
        streams.push(stream);
        return stream;
      });
      onTestFinished(() => openSpy.mockRestore());
      const response = await requestArchive([folderId]);
      onTestFinished(() => void response.destroy());
      expect(Number(response.headers["content-length"])).toBeGreaterThan(3_000_000_000);
      let read = 0;
      const { promise: readEnough, resolve } = Promise.withResolvers<void>();
      response.on("data", (chunk: Buffer) => {
        read += chunk.length;
        if (read < 30_000_000) return;
        response.pause();
        resolve();
      });
      await readEnough;
      const bytesAhead = () => streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0) - read;
      // Backpressure stops reading from the disk soon, instead of buffering.
      for (let [tries, stableCount, last] = [0, 0, -1]; stableCount < 10 && tries < 100; tries += 1) {
        await sleep(30);
        stableCount = bytesAhead() === last ? stableCount + 1 : 0;
        last = bytesAhead();
      }
      expect(bytesAhead()).toBeLessThan(16 * MIB + kernelBufferBytes());
      expect(process.memoryUsage().arrayBuffers).toBeLessThan(128 * MIB);
      expect(openBlobs()).toBe(1);
      response.destroy();
      for (let tries = 0; openBlobs() > 0 && tries < 300; tries += 1) await sleep(10);
      expect(openBlobs()).toBe(0);
      await sleep(50);
      expect(openBlobs()).toBe(0);
    },
  );

  test.each(["missing", "shorter", "longer"])("is aborted when a blob is %s", async (problem) => {
    const folderId = await makeFolder(`Broken: ${problem}`, fixtures.home.root);
    await uploadFile("a.wav", folderId, "here");
    const { blob_key } = await currentVersion(fixtures.testApp, await uploadFile("b.wav", folderId, "gone"));
    const path = join(fixtures.testApp.config.dataDir, "files", "blobs", blob_key.slice(0, 2), blob_key);
    if (problem === "missing") rmSync(path);
    else truncateSync(path, problem === "shorter" ? 3 : 5_000_000);
    const response = await requestArchive([folderId]);
    await expect(response.toArray()).rejects.toThrow("aborted");
  });
});

describe("planning zips", () => {
  /** Zips whose planning ends when `finish` is called, always with an error. */
  function createPlanning() {
    const running = new Map<string, () => void>();
    const { send } = createArchiveDownloads({
      storage: null as never,
    });
    const pack = (name: string) => () =>
      new Promise<never>((_resolve, reject) => {
        running.set(name, () => {
          running.delete(name);
          reject(new Error(name));
        });
      });
    const outcomes: string[] = [];
    return {
      outcomes,
      running: () => [...running.keys()].join(),
      finish: async () => {
        for (const end of running.values()) end();
        for (let turn = 0; turn < 5; turn += 1) await setImmediate();
      },
      /** Returns a function that disconnects the client. */
      request(accountId: number, name: string) {
        const raw = new EventEmitter();
        send({ accountId } as Actor, pack(name), {} as never, { raw } as never).catch((error: Error) => void outcomes.push(error.message.slice(0, 20)));
        return () => raw.emit("close");
      },
    };
  }

  test("is done for one at a time, by turns of the accounts", async () => {
    const { request, running, finish } = createPlanning();
    for (const name of ["a1", "a2", "a3"]) request(1, name);
    request(2, "b1");
    request(3, "c1");
    const order = [];
    for (let count = 0; count < 6; count += 1) {
      await finish();
      order.push(running());
    }
    expect(order).toEqual(["a1", "b1", "c1", "a2", "a3", ""]);
  });

  test("of a client that disconnects is left out, or goes on alone if it has begun", async () => {
    const { request, running, finish, outcomes } = createPlanning();
    const [disconnectFirst, disconnectSecond] = ["first", "second", "third"].map((name) => request(1, name));
    await setImmediate();
    disconnectFirst?.();
    disconnectSecond?.();
    await setImmediate();
    expect(running()).toBe("first");
    expect(outcomes).toEqual(["The connection close"]);
    await finish();
    expect(running()).toBe("third");
  });

  test("refuses zips of one account with more than 100,000 entries together, until one has ended", async () => {
    const entries = Array.from({ length: 60_000 }, (_, index) => ({ path: `${index}.wav`, size: 1, changedAt: 0, content: "key" }));
    const { send } = createArchiveDownloads({ storage: { open: () => new Promise(() => {}) } as never });
    const download = async () => {
      const raw = new EventEmitter();
      const reply = { raw, header: () => reply, type: () => reply, send: () => reply };
      await send({ accountId: 1 } as Actor, async () => ({ name: "Album.zip", entries }), { method: "GET", raw: { socket: {} } } as never, reply as never);
      return { end: () => raw.emit("close") };
    };
    const { end } = await download();
    await expect(download()).rejects.toMatchObject({ status: 429, message: expect.stringContaining("100,000") as string });
    end();
    await download();
  });

  test("refuses more than 20 that wait", async () => {
    const { request, outcomes } = createPlanning();
    for (let count = 0; count < 22; count += 1) request(1, String(count));
    await setImmediate();
    expect(outcomes).toEqual(["Too many requests at"]);
  });
});
