/** The process that uploads a file, and the bare server that it is compared with. */
import { createReadStream, createWriteStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { extname } from "node:path";
import { pipeline } from "node:stream/promises";
import { provide } from "../lib/helper.ts";

/** As in the client. */
const TUS_CHUNK_BYTES = 16 * 1024 * 1024;

interface UploadOptions {
  base: string;
  file: string;
  size: number;
  headers: Record<string, string>;
  parent: number;
}

/** Sends the bytes from `start` to `end` (exclusive) as the body; throws on an error status. */
function sendBytes(url: string, method: string, headers: Record<string, string>, file: string, start: number, end: number) {
  return new Promise<{ text: string; location: string }>((resolve, reject) => {
    const outgoing = httpRequest(url, { method, headers: { ...headers, "content-length": String(end - start) } }, async (response) => {
      let text = "";
      for await (const chunk of response) text += String(chunk);
      if ((response.statusCode ?? 500) >= 300) reject(new Error(`${method} ${url} returned ${response.statusCode} ${text}`));
      else resolve({ text, location: response.headers.location ?? "" });
    });
    outgoing.on("error", reject);
    if (end === start) outgoing.end();
    else pipeline(createReadStream(file, { start, end: end - 1, highWaterMark: 256 * 1024 }), outgoing).catch(reject);
  });
}

const seconds = async (run: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now();
  await run();
  return (performance.now() - startedAt) / 1_000;
};

let target = "";
const server = createServer(async (incoming, response) => {
  await pipeline(incoming, createWriteStream(target));
  // The service, too, answers only when the bytes are on the disk.
  const file = await open(target, "r+");
  await file.sync();
  await file.close();
  await rm(target);
  response.end("{}");
});
await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));

const calls = {
  /** Returns the address of a server that pipes bodies into this file. */
  pipeInto(path: string): string {
    target = path;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  },
  /** `id`: of the new file; 0 from a bare server. */
  async put({ base, file, size, headers, parent }: UploadOptions): Promise<{ seconds: number; id: number }> {
    const url = `${base}/v1/files/upload?parent_id=${parent}&name=${Date.now()}.${extname(file).slice(1)}`;
    let text = "";
    const duration = await seconds(async () => {
      ({ text } = await sendBytes(url, "PUT", { ...headers, "content-type": "application/octet-stream" }, file, 0, size));
    });
    return { seconds: duration, id: (JSON.parse(text) as { file_id?: number }).file_id ?? 0 };
  },
  tus: async ({ base, file, size, headers, parent }: UploadOptions): Promise<{ seconds: number }> => ({
    seconds: await seconds(async () => {
      const encode = (value: string) => Buffer.from(value).toString("base64");
      const all = { ...headers, "tus-resumable": "1.0.0" };
      const metadata = `name ${encode(`${Date.now()}.bin`)},parent_id ${encode(String(parent))}`;
      const { location } = await sendBytes(
        `${base}/api/v2/uploads`,
        "POST",
        { ...all, "upload-length": String(size), "upload-metadata": metadata },
        file,
        0,
        0,
      );
      const url = new URL(location, base);
      for (let offset = 0; offset < size; offset += TUS_CHUNK_BYTES) {
        const patch = { ...all, "content-type": "application/offset+octet-stream", "upload-offset": String(offset) };
        await sendBytes(base + url.pathname, "PATCH", patch, file, offset, Math.min(size, offset + TUS_CHUNK_BYTES));
      }
    }),
  }),
};

export type UploadCalls = typeof calls;

provide(calls);
