/** Uploads and downloads over connections that break. */
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { rejection } from "../../../server/testing/cuttable-service.ts";
import { createTalkback } from "../talkback.ts";
import { folder, service, setUpPrograms, talkback } from "./programs.fixture.ts";

setUpPrograms();

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
    const uploaded = await talkback.upload(path, { parent_id: service.root, path: "Stems/Drums" }, { onProgress: (sent) => void progress.push(sent) });
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
    service.network.cutAfter(20_000_000);
    const { file_id } = await talkback.upload(path, { parent_id: service.root }, { onRetry: ({ kind }) => void errors.push(kind) });
    expect(errors).toContain("offline");
    const { common } = await talkback.getFileInfo({ file_id });
    const copy = join(folder, "cut-copy.bin");
    const received: number[] = [];
    service.network.cutAfter(10_000_000);
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
      { parent_id: service.root },
      {
        signal: controller.signal,
        onStart: (url) => void (resumeFrom = url),
        onProgress: (sent) => sent > 17_000_000 && controller.abort(new Error("stopped")),
      },
    );
    expect(await rejection(stopped)).toMatchObject({ message: "stopped" });
    const first: number[] = [];
    const again = createTalkback({ baseUrl: service.baseUrl, token: service.token });
    const { file_id } = await again.upload(path, { parent_id: service.root }, { resumeFrom, onProgress: (sent) => void first.push(sent) });
    expect(first[0]).toBeGreaterThan(16_000_000);
    const version = await talkback.upload(createFile("v2.bin", 10).path, { version_of: file_id }, { name: "other.bin" });
    expect(version.file_id).toBe(file_id);
    expect((await talkback.listVersions({ file_id })).data.map(({ size }) => size)).toEqual([10, 40_000_000]);
  });

  it("fail at once with what the service says, and leave nothing behind", async () => {
    const { path } = createFile("refused.bin", 5);
    expect(await rejection(talkback.upload(path, { parent_id: 999_999 }))).toMatchObject({ status: 404 });
    expect(await rejection(createTalkback({ baseUrl: service.baseUrl, token: "tb_pat_wrong" }).upload(path, { parent_id: service.root }))).toMatchObject({
      status: 401,
    });
    expect(await rejection(talkback.upload(join(folder, "missing.bin"), { parent_id: service.root }))).toMatchObject({
      code: expect.stringMatching(/ENOENT|ERR_/),
    });
    const copy = join(folder, "refused-copy.bin");
    expect(await rejection(talkback.download(`${service.baseUrl}/api/v2/files/999999/versions/1/original`, copy))).toMatchObject({ status: 404 });
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
    onTestFinished(() => void server.close());
    const elsewhere = `http://127.0.0.1:${(server.address() as AddressInfo).port}/file`;
    expect(await talkback.download(elsewhere, join(folder, "elsewhere"))).toBe(5);
    expect(await rejection(talkback.download(elsewhere, join(folder, "elsewhere")))).toMatchObject({
      status: 401,
      detail: expect.stringContaining("is not sent"),
    });
    expect(seen).toEqual([undefined, undefined]);
  });
});
