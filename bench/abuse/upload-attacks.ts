/** Attacks by uploads: on the disk, on the quota, and on the processing of media. */
import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Attack, expectSome } from "./attack.ts";
import { silentFlac } from "../../server/media/testing/silent-flac.ts";
import { count, endAll, openRaw, requestHead, type RequestInput } from "./requests.ts";
import type { Target } from "./target.ts";

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size);
  }, 0);
}

const uploadOf = (target: Target, headers: Record<string, string>, name: string, body: Buffer): RequestInput => ({
  method: "PUT",
  path: `/v1/files/upload?parent_id=${target.large.root}&name=${name}`,
  headers,
  body,
});

/** A WAV file of noise, mono. */
function wav(seconds: number): Buffer {
  const [rate, header] = [8_000, Buffer.alloc(44)];
  const bytes = rate * 2 * seconds;
  header.write("RIFF", 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write("WAVEfmt ", 8);
  for (const [offset, value] of [
    [16, 16],
    [24, rate],
    [28, rate * 2],
    [40, bytes],
  ] as const)
    header.writeUInt32LE(value, offset);
  for (const [offset, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    header.writeUInt16LE(value, offset);
  header.write("data", 36);
  return Buffer.concat([header, randomBytes(bytes)]);
}

export const UPLOAD_ATTACKS: Attack[] = [
  {
    name: "endless-uploads",
    title: "10 uploads of 5 MB in pieces that do not end, with a quota of 20 MB",
    settings: { QUOTA_BYTES: "20000000", MAX_UPLOAD_BYTES: "6000000" },
    async run({ target, outcomes, seconds }) {
      const path = `/v1/files/upload?parent_id=${target.large.root}&name=endless.wav`;
      const head = requestHead("PUT", path, { ...target.guest, "content-type": "application/octet-stream", "transfer-encoding": "chunked" });
      const sockets = Array.from({ length: 10 }, () => openRaw(target.service.base, outcomes, head));
      const piece = Buffer.alloc(500_000);
      for (let index = 0; index < 10; index += 1) {
        for (const socket of sockets) if (socket.writable) socket.write(Buffer.concat([Buffer.from("7a120\r\n"), piece, Buffer.from("\r\n")]));
        await sleep((seconds * 1_000) / 10);
      }
      count(outcomes, "MB on disk", Math.round(bytesIn(join(target.folder, "files")) / 1e6));
      endAll(sockets, outcomes, "still open");
    },
    findProblem: (outcomes) =>
      (outcomes["MB on disk"] ?? 0) > 30 ? `${outcomes["MB on disk"]} MB lay on the disk` : expectSome(outcomes, "413", "429", "closed"),
  },
  {
    name: "stalled-uploads",
    title: "60 uploads of 1 GB that send one byte, with a quota of 2 GB, while another account uploads",
    settings: { QUOTA_BYTES: "2000000000" },
    async run({ target, send, outcomes, seconds, scale }) {
      const sockets = Array.from({ length: 60 * scale }, (_, index) => {
        const path = `/v1/files/upload?parent_id=${target.large.root}&name=stalled${index}.wav`;
        const headers = { ...target.guest, "content-type": "application/octet-stream", "content-length": 1_000_000_000 };
        return openRaw(target.service.base, outcomes, `${requestHead("PUT", path, headers)}x`);
      });
      await sleep(seconds * 500);
      const { status } = await send(uploadOf(target, target.owner, "own.wav", wav(1)));
      if (status < 300) count(outcomes, "the other's upload done");
      await sleep(seconds * 500);
      endAll(sockets, outcomes, "still open");
    },
    findProblem: (outcomes) => expectSome(outcomes, "the other's upload done"),
  },
  {
    name: "silent-flac",
    title: "6 FLAC files of 25 minutes of silence, 8 channels, and a short file of another account",
    async run({ target, send, seconds, outcomes }) {
      const silence = silentFlac(25);
      await Promise.all(Array.from({ length: 6 }, (_, index) => send(uploadOf(target, target.guest, `silence${index}.flac`, silence))));
      const { text } = await send(uploadOf(target, target.owner, "own.wav", wav(1)));
      const { file_id } = JSON.parse(text) as { file_id: number };
      for (const until = performance.now() + Math.max(seconds, 30) * 1_000; performance.now() < until; await sleep(250)) {
        const info = await send({ method: "POST", path: "/v1/files/get_info", headers: target.owner, body: { file_id } });
        if (!/"transcoding_status":"(transcoded|failed)"/.test(info.text)) continue;
        return count(outcomes, "the other's file done");
      }
    },
    findProblem: (outcomes) => expectSome(outcomes, "the other's file done"),
  },
];
