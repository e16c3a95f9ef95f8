/** Runs the client for programs against a real service, over connections that this test can cut. */
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, existsSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from "vitest";
import { findFreePort } from "../../../bin/testing/service-start.ts";
import type { Operation } from "../../../contract/define-operation.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Message } from "../../../contract/records.ts";
import { bearerCaller, startTestApp, type TestApp } from "../../../server/testing/test-app.ts";
import { createApiToken, setUpOwner } from "../../../server/testing/people.ts";
import { ApiError } from "../api-error.ts";
import { createTalkback, type Talkback } from "../talkback.ts";
import type { LiveItem } from "./live-events.ts";

const folder = mkdtempSync(join(tmpdir(), "talkback-programs-"));
const closers: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

let testApp: TestApp;
let baseUrl: string;
let token: string;
let talkback: Talkback;
let projectId: number;
let rootId: number;
/** Everything between the client and the service goes through this proxy, which can cut it off. */
const network = createCuttableProxy();

function createCuttableProxy() {
  const sockets = new Set<Socket>();
  let target = 0;
  let isDown = false;
  /** Cuts connections once this many further bytes have gone through in either direction. */
  let bytesUntilCut = Infinity;
  const track = (socket: Socket) => void sockets.add(socket.on("error", () => {}).once("close", () => sockets.delete(socket)));
  const cut = () => sockets.forEach((socket) => socket.destroy());
  const server = createServer((client) => {
    if (isDown) return void client.destroy();
    const service = connect(target, "127.0.0.1");
    track(client);
    track(service);
    for (const [from, to] of [
      [client, service],
      [service, client],
    ] as const) {
      from.on("data", (chunk) => {
        to.write(chunk);
        bytesUntilCut -= chunk.length;
        if (bytesUntilCut > 0) return;
        bytesUntilCut = Infinity;
        setImmediate(cut);
      });
      from.once("close", () => to.destroy());
    }
  });
  return {
    listen: async (port: number, targetPort: number) => {
      target = targetPort;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    cutAfter: (bytes: number) => void (bytesUntilCut = bytes),
    down: () => {
      isDown = true;
      cut();
    },
    up: () => void (isDown = false),
    close: () => (cut(), server.close()),
  };
}

beforeAll(async () => {
  const port = await findFreePort();
  baseUrl = `http://127.0.0.1:${port}`;
  testApp = await startTestApp("sqlite", { environment: { PUBLIC_URL: baseUrl } });
  await testApp.app.server.listen({ host: "127.0.0.1", port: 0 });
  await network.listen(port, (testApp.app.server.server.address() as AddressInfo).port);
  const owner = await setUpOwner(testApp);
  token = (await createApiToken(testApp, { ...owner, headers: { ...owner.headers, origin: baseUrl } })).headers["authorization"]?.slice("Bearer ".length) ?? "";
  talkback = createTalkback({ baseUrl: `${baseUrl}/`, token });
  const [team] = (await talkback.listTeams()).data;
  ({ id: projectId, root_folder_id: rootId = 0 } = (await talkback.createProject({ name: "Programs", team_id: team?.id ?? 0 })).data as {
    id: number;
    root_folder_id?: number;
  });
});
afterAll(async () => {
  network.close();
  await testApp.close();
  rmSync(folder, { recursive: true, force: true });
});

const rejection = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.fail("it did not reject"),
    (error: unknown) => error,
  );

/** Starts a service that only this test answers for. */
async function startStub(respond: RequestListener): Promise<Talkback> {
  const server = createHttpServer(respond).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return createTalkback({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base`, token: "secret" });
}

describe("operations", () => {
  it("have every input name only once, so that one flat object is enough", () => {
    for (const [name, operation] of Object.entries<Operation>(operations)) {
      const names = [operation.params, operation.query, operation.body].flatMap((schema) =>
        Object.keys((schema?._zod.def as { shape?: object } | undefined)?.shape ?? {}),
      );
      expect(new Set(names).size, name).toBe(names.length);
    }
  });

  it("are functions with the types of the contract", async () => {
    const sent = await talkback.sendMessage({ project_id: projectId, body: "first" });
    expectTypeOf(sent.data).toEqualTypeOf<Message>();
    // @ts-expect-error -- body must be a text
    expect(await rejection(talkback.sendMessage({ project_id: projectId, body: 7 }))).toMatchObject({ status: 400 });
    expect((await talkback.getMessage({ project_id: projectId, message_id: sent.data.id })).data.body).toBe("first");
    expect((await talkback.call(operations.editMessage, { project_id: projectId, message_id: sent.data.id, body: "edited" })).data.body).toBe("edited");
    expect((await talkback.listProjects({ limit: 1 })).data).toHaveLength(1);
    expect(talkback).not.toHaveProperty("uploadFile");
    expect(talkback).not.toHaveProperty("createToken");
    expect(talkback).not.toHaveProperty("issueToken");
  });

  it("reject with an ApiError that has status, issues and texts, and misspelled input with a TypeError before any request", async () => {
    const error = await rejection(talkback.createProject({ name: "", team_id: 1 }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, errors: [{ path: "name" }] });
    expect(await rejection(createTalkback({ baseUrl, token: "tb_pat_wrong" }).listTeams())).toMatchObject({ status: 401 });
    const misspelled = { project_id: projectId, bdoy: "x" } as { project_id: number };
    expect(() => createTalkback({ baseUrl: "service.example", token })).toThrow(TypeError);
    expect(() => createTalkback({ baseUrl, token: "" })).toThrow(/token is empty/);
    expect(String(await rejection(talkback.sendMessage(misspelled)))).toMatch(/has no input "bdoy"/);
  });

  it("stop with the abort reason of their signal, also while they wait for a retry", async () => {
    const stub = await startStub((_request, response) => void response.writeHead(503, { "Retry-After": "60" }).end());
    const controller = new AbortController();
    const call = rejection(stub.listTeams({}, { signal: controller.signal }));
    setTimeout(() => controller.abort(new Error("enough")), 20);
    expect(await call).toMatchObject({ message: "enough" });
  });

  it("wait for Retry-After after 429 and 503, with the same idempotency key, and give up on other errors at once", async () => {
    const seen: { at: number; key: string | undefined; path: string | undefined; authorization: string | undefined }[] = [];
    const responses = [429, 503, 200];
    const stub = await startStub((request, response) => {
      const { headers, url } = request;
      seen.push({ at: performance.now(), key: headers["idempotency-key"] as string | undefined, path: url, authorization: headers.authorization });
      const status = responses.shift() ?? 500;
      response.writeHead(status, { "content-type": "application/json", ...(status === 429 ? { "Retry-After": "1" } : {}) });
      response.end(JSON.stringify({ object: "group", data: { id: 1, name: "A", description: "", team_id: 1 } }));
    });
    expect((await stub.createGroup({ name: "A", team_id: 1 })).data.id).toBe(1);
    expect(seen.map(({ path, authorization }) => [path, authorization])).toEqual(Array.from({ length: 3 }, () => ["/base/v1/groups/create", "Bearer secret"]));
    expect(new Set(seen.map(({ key }) => key)).size).toBe(1);
    expect(seen[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect((seen[1]?.at ?? 0) - (seen[0]?.at ?? 0)).toBeGreaterThan(990);
    expect(await rejection(stub.createGroup({ name: "A", team_id: 1 }))).toMatchObject({ status: 500 });
    expect(seen).toHaveLength(4);
  });

  it("do not wait longer than five minutes because a service asks for it", async () => {
    const stub = await startStub((_request, response) => void response.writeHead(503, { "Retry-After": "2592000" }).end());
    expect(await rejection(stub.listTeams())).toMatchObject({ status: 503, retryAfter: 2_592_000 });
    expect(await rejection(stub.download("/base/file", join(folder, "never")))).toMatchObject({ status: 503 });
    writeFileSync(join(folder, "waits.bin"), "x");
    expect(await rejection(stub.upload(join(folder, "waits.bin"), { parent_id: 1 }))).toMatchObject({ status: 503 });
  });

  it("of pages end when a service repeats its cursor", async () => {
    let count = 0;
    const stub = await startStub((_request, response) => {
      count += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data: [], next_cursor: "same" }));
    });
    for await (const project of stub.each("listProjects", {})) expect.fail(`there is ${project.name}`);
    expect(count).toBe(2);
  });

  it("that change something without an idempotency key are not repeated after a lost connection; reads are", async () => {
    let count = 0;
    const stub = await startStub((request, response) => {
      count += 1;
      if (count < 3) return void request.socket.destroy();
      response.writeHead(200, { "content-type": "application/json" }).end('{"object":"list","data":[]}');
    });
    expect(await rejection(stub.deleteFile({ file_id: 1 }))).toMatchObject({ kind: "offline" });
    expect(count).toBe(1);
    expect((await stub.listTeams()).data).toEqual([]);
    expect(count).toBe(3);
  });
});

describe("pages", () => {
  it("are one sequence of entries, and end with the loop", async () => {
    for (let index = 0; index < 5; index += 1) await talkback.createFolder({ name: `Folder ${index}`, parent_id: rootId });
    const names: string[] = [];
    for await (const folderEntry of talkback.each("listFolder", { file_id: rootId, limit: 2 })) names.push(folderEntry.name);
    expect(names).toEqual(["Folder 0", "Folder 1", "Folder 2", "Folder 3", "Folder 4"]);
    for await (const project of talkback.each("listProjects", { limit: 1 })) {
      expect(project.name).toBe("Programs");
      break;
    }
  });

  it("of a chat are requested until the newest message, and once from a service without paging", async () => {
    const [team] = (await talkback.listTeams()).data;
    const { id } = (await talkback.createProject({ name: "Long", team_id: team?.id ?? 0 })).data;
    await Promise.all(Array.from({ length: 203 }, (_, index) => talkback.sendMessage({ project_id: id, body: `${index}` })));
    const ids: number[] = [];
    for await (const message of talkback.messages({ project_id: id })) ids.push(message.id);
    expect(ids).toHaveLength(203);
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));

    let count = 0;
    const message = {
      id: 5,
      chat_id: 1,
      account_id: 1,
      body: "hi",
      datetime: "2026-01-01T00:00:00Z",
      edited: false,
      is_audio_message: false,
      type: "message",
      parent_message_id: null,
      parent_chat_id: null,
      parent_account_id: null,
      attachments: [],
    };
    const stub = await startStub((_request, response) => {
      count += 1;
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data: [message] }));
    });
    const bodies: string[] = [];
    for await (const { body } of stub.messages({ project_id: 1 })) bodies.push(body);
    // The same page holds nothing new for somebody who has read it.
    for await (const known of stub.messages({ project_id: 1, after_id: 5 })) expect.fail(`repeated ${known.id}`);
    expect([bodies, count]).toEqual([["hi"], 2]);
  });
});

describe("files", () => {
  const createFile = (name: string, byteCount: number): { path: string; bytes: Buffer } => {
    const path = join(folder, name);
    const bytes = Buffer.alloc(byteCount, name);
    writeFileSync(path, bytes);
    return { path, bytes };
  };

  it.each([
    ["empty", 0],
    ["small", 5],
    ["large", 40_000_000],
  ])("are uploaded into subfolders and downloaded again: %s", async (name, byteCount) => {
    const { path, bytes } = createFile(`${name}.bin`, byteCount);
    const progress: number[] = [];
    const uploaded = await talkback.upload(path, { parent_id: rootId, path: "Stems/Drums" }, { onProgress: (sent) => void progress.push(sent) });
    expect(uploaded.saved_as).toMatchObject({ name: `${name}.bin`, folder_name: "Drums" });
    const { common } = await talkback.getFileInfo({ file_id: uploaded.file_id });
    expect(common.size).toBe(byteCount);
    const copy = join(folder, `${name}-copy.bin`);
    expect(await talkback.download(common.url, copy)).toBe(byteCount);
    expect(readFileSync(copy).equals(bytes)).toBe(true);
    expect(existsSync(`${copy}.part`)).toBe(false);
    if (byteCount > 0) expect(progress.at(-1)).toBe(byteCount);
  });

  it("continue after a lost connection, in both directions", async () => {
    const { path, bytes } = createFile("cut.bin", 30_000_000);
    const errors: string[] = [];
    network.cutAfter(20_000_000);
    const { file_id } = await talkback.upload(path, { parent_id: rootId }, { onRetry: ({ kind }) => void errors.push(kind) });
    expect(errors).toContain("offline");
    const { common } = await talkback.getFileInfo({ file_id });
    const copy = join(folder, "cut-copy.bin");
    const received: number[] = [];
    network.cutAfter(10_000_000);
    await talkback.download(common.url, copy, { onProgress: (count) => void received.push(count) });
    expect(readFileSync(copy).equals(bytes)).toBe(true);
    // It did not start over.
    expect(received).toEqual(received.toSorted((a, b) => a - b));
  });

  it("resume in another run where they stopped, with a name of their own or as a version", async () => {
    const { path } = createFile("stopped.bin", 40_000_000);
    let resumeFrom = "";
    const controller = new AbortController();
    const stopped = talkback.upload(
      path,
      { parent_id: rootId },
      {
        signal: controller.signal,
        onStart: (url) => void (resumeFrom = url),
        onProgress: (sent) => sent > 17_000_000 && controller.abort(new Error("stopped")),
      },
    );
    expect(await rejection(stopped)).toMatchObject({ message: "stopped" });
    const first: number[] = [];
    const again = createTalkback({ baseUrl, token });
    const { file_id } = await again.upload(path, { parent_id: rootId }, { resumeFrom, onProgress: (sent) => void first.push(sent) });
    expect(first[0]).toBeGreaterThan(16_000_000);
    const version = await talkback.upload(createFile("v2.bin", 10).path, { version_of: file_id }, { name: "other.bin" });
    expect(version.file_id).toBe(file_id);
    expect((await talkback.listVersions({ file_id })).data.map(({ size }) => size)).toEqual([10, 40_000_000]);
  });

  it("fail at once with what the service says, and leave nothing behind", async () => {
    const { path } = createFile("refused.bin", 5);
    expect(await rejection(talkback.upload(path, { parent_id: 999_999 }))).toMatchObject({ status: 404 });
    expect(await rejection(createTalkback({ baseUrl, token: "tb_pat_wrong" }).upload(path, { parent_id: rootId }))).toMatchObject({ status: 401 });
    expect(await rejection(talkback.upload(join(folder, "missing.bin"), { parent_id: rootId }))).toMatchObject({ code: expect.stringMatching(/ENOENT|ERR_/) });
    const copy = join(folder, "refused-copy.bin");
    expect(await rejection(talkback.download(`${baseUrl}/api/v2/files/999999/versions/1/original`, copy))).toMatchObject({ status: 404 });
    expect([existsSync(copy), existsSync(`${copy}.part`)]).toEqual([false, false]);
  });

  it("of another origin are requested without the token", async () => {
    const seen: (string | undefined)[] = [];
    const respond: RequestListener = (request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(seen.length === 1 ? 200 : 401).end("bytes");
    };
    const server = createHttpServer(respond).listen(0, "127.0.0.1");
    await once(server, "listening");
    closers.push(() => server.close());
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
    expect(await talkback.download(elsewhere, join(folder, "elsewhere"))).toBe(5);
    expect(await rejection(talkback.download(elsewhere, join(folder, "elsewhere")))).toMatchObject({
      status: 401,
      detail: expect.stringContaining("is not sent"),
    });
    expect(seen).toEqual([undefined, undefined]);
  });
});

describe("events", () => {
  /** Reads items until one fits. */
  async function readUntil(items: AsyncGenerator<LiveItem>, fits: (item: LiveItem) => boolean): Promise<LiveItem[]> {
    const read: LiveItem[] = [];
    for (;;) {
      const { value, done } = await items.next();
      if (done) return expect.fail("the events ended");
      read.push(value);
      if (fits(value)) return read;
    }
  }
  const isMessage = (body: string) => (item: LiveItem) => item.kind === "event" && item.event.type === "message.created" && item.event.data["body"] === body;
  const bodiesOf = (items: LiveItem[]) =>
    items.flatMap((item) => (item.kind === "event" && item.event.type === "message.created" ? [item.event.data["body"]] : []));
  /** Writes past the proxy. */
  const write = (body: string) => testApp.call(bearerCaller("owner", token), operations.sendMessage, { body: { project_id: projectId, body } });

  it("catch up after a lost connection and in a later run, without gaps or repetitions", async () => {
    const topic = `project:${projectId}`;
    const items = talkback.events([topic]);
    closers.push(() => items.return());
    await readUntil(items, ({ kind }) => kind === "subscribed");
    await write("live");
    await readUntil(items, isMessage("live"));
    network.down();
    await write("missed 1");
    await write("missed 2");
    network.up();
    const caughtUp = await readUntil(items, isMessage("missed 2"));
    expect(bodiesOf(caughtUp)).toEqual(["missed 1", "missed 2"]);
    const lastSeq = caughtUp.at(-1)?.seq ?? 0;
    await items.return();

    await write("between the runs");
    const later = talkback.events([topic], { since: { [topic]: lastSeq } });
    expect(bodiesOf(await readUntil(later, isMessage("between the runs")))).toEqual(["between the runs"]);
    await later.return();
  });

  it("that a slow consumer has not taken are requested again instead of being stored", async () => {
    const items = talkback.events([`project:${projectId}`], { maxQueued: 3 });
    closers.push(() => items.return());
    await items.next();
    const texts = Array.from({ length: 12 }, (_, index) => `burst ${index}`);
    for (const text of texts) await write(text);
    const read = await readUntil(items, isMessage("burst 11"));
    expect(bodiesOf(read)).toEqual(texts);
    expect(read.some(({ kind }) => kind === "subscribed")).toBe(true);
  });

  it("end with the abort reason, with a refused topic, and with a revoked or wrong token", async () => {
    const controller = new AbortController();
    const items = talkback.events([`project:${projectId}`], { signal: controller.signal });
    await items.next();
    const next = rejection(items.next());
    controller.abort(new Error("stopped"));
    expect(await next).toMatchObject({ message: "stopped" });
    expect(await rejection(talkback.events(["project:999999"]).next())).toMatchObject({ status: 403, detail: expect.stringContaining("project:999999") });
    expect(
      await rejection(
        createTalkback({ baseUrl, token: "tb_pat_wrong" })
          .events([`project:${projectId}`])
          .next(),
      ),
    ).toMatchObject({ status: 401 });
    const stub = await startStub((_request, response) => void response.writeHead(404).end());
    expect(await rejection(stub.events(["project:1"]).next())).toMatchObject({ status: 404 });
  });
});
