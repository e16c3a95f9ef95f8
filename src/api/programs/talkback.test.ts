/** Calls operations and reads pages of a real service, and of stand-ins that misbehave. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { Operation } from "../../../contract/define-operation.ts";
import { operations } from "../../../contract/operations/all.ts";
import type { Message } from "../../../contract/records.ts";
import { rejection } from "../../../server/testing/cuttable-service.ts";
import { ApiError } from "../api-error.ts";
import { createTalkback } from "../talkback.ts";
import { folder, service, setUpPrograms, startStub, talkback } from "./programs.fixture.ts";

setUpPrograms();

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
    const sent = await talkback.sendMessage({ project_id: service.project, body: "first" });
    expectTypeOf(sent.data).toEqualTypeOf<Message>();
    // @ts-expect-error -- body must be a text
    expect(await rejection(talkback.sendMessage({ project_id: service.project, body: 7 }))).toMatchObject({ status: 400 });
    expect((await talkback.getMessage({ project_id: service.project, message_id: sent.data.id })).data.body).toBe("first");
    expect((await talkback.call(operations.editMessage, { project_id: service.project, message_id: sent.data.id, body: "edited" })).data.body).toBe("edited");
    expect((await talkback.listProjects({ limit: 1 })).data).toHaveLength(1);
    expect(talkback).not.toHaveProperty("uploadFile");
    expect(talkback).not.toHaveProperty("createToken");
    expect(talkback).not.toHaveProperty("issueToken");
  });

  it("reject with an ApiError that has status, issues and texts, and misspelled input with a TypeError before any request", async () => {
    const error = await rejection(talkback.createProject({ name: "", team_id: 1 }));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 400, errors: [{ path: "name" }] });
    expect(await rejection(createTalkback({ baseUrl: service.baseUrl, token: "tb_pat_wrong" }).listTeams())).toMatchObject({ status: 401 });
    const misspelled = { project_id: service.project, bdoy: "x" } as { project_id: number };
    for (const baseUrl of ["service.example", "ftp://service.example", "https://service.example/?a=b", "https://service.example/#a"])
      expect(() => createTalkback({ baseUrl, token: "x" }), baseUrl).toThrow(`"${baseUrl}" is no address`);
    expect(() => createTalkback({ baseUrl: "https://me:secret@service.example", token: "x" })).toThrow('"https://service.example" is no address');
    expect(() => createTalkback({ baseUrl: service.baseUrl, token: " \n" })).toThrow(/token is empty/);
    expect(() => createTalkback({ baseUrl: service.baseUrl, token: undefined })).toThrow(/token is empty/);
    expect(() => createTalkback({ baseUrl: service.baseUrl, token: "“x”" })).toThrow(/characters that no token has/);
    // As read from a file.
    expect((await createTalkback({ baseUrl: ` ${service.baseUrl}//\n`, token: `${service.token}\n` }).listTeams()).data).toHaveLength(1);
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

describe("after a lost connection", () => {
  const description = { object: "service", data: { name: "Other", version: "1", features: [], limits: {}, setup_required: false } };
  /** Starts a service that loses the first response to each operation. Returns a client for it and the paths of the requests. */
  async function startLosing({ isDescribed }: { isDescribed: boolean }) {
    const paths: string[] = [];
    const stub = await startStub((request, response) => {
      const path = request.url?.replace("/base", "") ?? "";
      if (path === "/api/v2/service") return void response.writeHead(isDescribed ? 200 : 404).end(JSON.stringify(description));
      paths.push(path);
      if (paths.length === 1) return void request.socket.destroy();
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ object: "x", data: { id: 1, url: "", event_types: [] } }));
    });
    return { stub, paths };
  }
  const endpoint = { url: "https://tools.example/hook", event_types: ["file.uploaded" as const] };

  it("a webhook endpoint is created again only at a service that is known to have idempotency keys", async () => {
    const other = await startLosing({ isDescribed: false });
    expect(await rejection(other.stub.createWebhookEndpoint(endpoint))).toMatchObject({ kind: "offline" });
    expect(other.paths).toHaveLength(1);
    const own = await startLosing({ isDescribed: true });
    await own.stub.createWebhookEndpoint(endpoint);
    expect(own.paths).toHaveLength(2);
  });

  it("what needs only a right to read, but changes something, is not repeated", async () => {
    const { stub, paths } = await startLosing({ isDescribed: true });
    expect(await rejection(stub.markUnread({ project_id: 1, message_id: 2 }))).toMatchObject({ kind: "offline" });
    expect(paths).toHaveLength(1);
  });

  it("a key for an operation that knows none is refused, because the service would ignore it", async () => {
    const { stub, paths } = await startLosing({ isDescribed: true });
    expect(String(await rejection(stub.deleteFile({ file_id: 1 }, { idempotencyKey: "mine" })))).toMatch(/^TypeError: POST \/v1\/files\/delete knows no/);
    expect(paths).toEqual([]);
  });
});

describe("pages", () => {
  it("are one sequence of entries, and end with the loop", async () => {
    for (let index = 0; index < 5; index += 1) await talkback.createFolder({ name: `Folder ${index}`, parent_id: service.root });
    const names: string[] = [];
    for await (const folderEntry of talkback.each("listFolder", { file_id: service.root, limit: 2 })) names.push(folderEntry.name);
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
    // One that refuses what the service document does not name is asked for what it names.
    const strict = await startStub((request, response) => {
      request.setEncoding("utf8").once("data", (body: string) => {
        const isNamed = Object.keys(JSON.parse(body) as object).every((name) => name === "project_id");
        response.writeHead(isNamed ? 200 : 400, { "content-type": "application/json" }).end(JSON.stringify({ object: "list", data: [message] }));
      });
    });
    for await (const { body } of strict.messages({ project_id: 1 })) bodies.push(body);
    expect(bodies.splice(1)).toEqual(["hi"]);
    // The same page holds nothing new for somebody who has read it.
    for await (const known of stub.messages({ project_id: 1, after_id: 5 })) expect.fail(`repeated ${known.id}`);
    expect([bodies, count]).toEqual([["hi"], 2]);
  });
});
