/** A person who uploads songs in parts, each of which may arrive at another service, and goes on after every failure. */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { encodeWav } from "../../server/media/audio-files.ts";
import { isFinal, isOk, parseData, type Headers, type Send } from "./requests.ts";

const SAMPLE_RATE = 22_050;
const SECONDS = 2;
const PART_BYTES = 48_000;
const PAUSE_MS = 1_500;
const RETRY_MS = 300;

export interface Uploaded {
  fileId: number;
  sha256: string;
}

export interface UploadLoad {
  uploaded: Uploaded[];
  refusals: string[];
  retries: number;
  /** Uploads whose parts were received by more than one service. */
  spread: number;
  done: Promise<void>;
}

/** Returns a WAV file of quiet noise, whose bytes no other one has. */
function createSong(): Buffer {
  const noise = Float32Array.from(randomBytes(SAMPLE_RATE * SECONDS), (byte) => (byte - 128) / 1_024);
  return encodeWav([noise, noise], SAMPLE_RATE);
}

const encode = (text: string): string => Buffer.from(text).toString("base64");

export function startUploadLoad(send: Send, { folder, headers, isOver }: { folder: number; headers: Headers; isOver: () => boolean }): UploadLoad {
  const load: Omit<UploadLoad, "done"> = { uploaded: [], refusals: [], retries: 0, spread: 0 };
  const sendTus = (method: string, path: string, own: Headers, body?: Buffer) => send(method, path, { ...headers, "tus-resumable": "1.0.0", ...own }, body);

  async function retry(): Promise<void> {
    load.retries += 1;
    await sleep(RETRY_MS);
  }

  async function create(name: string, size: number): Promise<string | null> {
    const metadata = `name ${encode(name)},parent_id ${encode(String(folder))}`;
    for (;;) {
      const answer = await sendTus("POST", "/api/v2/uploads", { "upload-length": String(size), "upload-metadata": metadata });
      if (isOk(answer)) return String(answer.headers["location"]);
      if (isFinal(answer)) {
        load.refusals.push(`${answer.status} ${answer.body.toString().slice(0, 200)}`);
        return null;
      }
      await retry();
    }
  }

  /** Returns how much has arrived; waits until a service knows. */
  async function findOffset(path: string): Promise<number> {
    for (;;) {
      const answer = await sendTus("HEAD", path, {});
      if (isOk(answer)) return Number(answer.headers["upload-offset"]);
      if (isFinal(answer)) return Number.NaN;
      await retry();
    }
  }

  /** Returns the file of a finished upload; the response to its last part may have been lost. */
  async function findFile(path: string): Promise<number | null> {
    for (;;) {
      const answer = await send("GET", `${path}/result`, headers);
      if (isOk(answer)) return (parseData(answer) as { file_id: number | null }).file_id;
      if (isFinal(answer)) return null;
      await retry();
    }
  }

  async function upload(name: string): Promise<void> {
    const bytes = createSong();
    const path = await create(name, bytes.length);
    if (path === null) return;
    const services = new Set<number | undefined>();
    let offset = 0;
    while (offset < bytes.length) {
      const part = bytes.subarray(offset, offset + PART_BYTES);
      const answer = await sendTus("PATCH", path, { "upload-offset": String(offset), "content-type": "application/offset+octet-stream" }, part);
      services.add(answer.service);
      if (isOk(answer)) offset += part.length;
      else {
        await retry();
        offset = await findOffset(path);
        if (Number.isNaN(offset)) return void load.refusals.push(`${path} is gone`);
      }
    }
    if (services.size > 1) load.spread += 1;
    const fileId = await findFile(path);
    if (fileId === null) load.refusals.push(`${path} has no file`);
    else load.uploaded.push({ fileId, sha256: createHash("sha256").update(bytes).digest("hex") });
  }

  async function run(): Promise<void> {
    for (let count = 1; !isOver(); count += 1) {
      await upload(`take ${count}.wav`);
      await sleep(PAUSE_MS);
    }
  }
  return Object.assign(load, { done: run() });
}
