/** The attacks: each bounded in time and count, with what the service has to answer. */
import { randomBytes } from "node:crypto";
import { readdirSync, statSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { silentFlac } from "./flac.ts";
import { type Answers, count, createSender, endAll, openRaw, repeat, requestHead, type Send } from "./requests.ts";
import type { Target } from "./target.ts";

interface AttackContext {
  target: Target;
  send: Send;
  answers: Answers;
  seconds: number;
  /** 1 in the benchmark; smaller in the short form. Multiplies counts. */
  scale: number;
}

export interface Attack {
  name: string;
  title: string;
  /** Settings of the service, as environment variables. */
  settings?: Record<string, string>;
  run(context: AttackContext): Promise<void>;
  /** Returns what is wrong with the answers, or null. */
  judge?(answers: Answers): string | null;
}

const HISTORY = "/v1/account/projects/chat_history";
const refusedSome = (answers: Answers, ...expected: string[]): string | null =>
  expected.some((answer) => (answers[answer] ?? 0) > 0) ? null : `none was answered with ${expected.join(" or ")}`;

function bytesIn(folder: string): number {
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? bytesIn(path) : statSync(path).size);
  }, 0);
}

export const ATTACKS: Attack[] = [
  {
    name: "slow-bodies",
    title: "2,000 sockets that send one byte of a body every two seconds, by a stranger",
    async run({ target, answers, seconds, scale }) {
      const sockets: Socket[] = [];
      await repeat((2_000 * scale) / Math.min(2, seconds), Math.min(2, seconds), async () => {
        const head = requestHead("POST", "/v1/teams/ls", { "content-type": "application/json", "content-length": 100 });
        sockets.push(openRaw(target.service.base, answers, `${head}{`));
      });
      for (const until = performance.now() + (seconds - 2) * 1_000; performance.now() < until; await sleep(2_000))
        for (const socket of sockets) if (socket.writable) socket.write(" ");
      endAll(sockets, answers, "still open");
    },
    judge: (answers) => ((answers["still open"] ?? 0) > 500 ? `${answers["still open"]} sockets stayed open` : null),
  },
  {
    name: "live-frames",
    title: "100 subscriptions a second on each of 50 live sockets",
    async run({ target, answers, seconds, scale }) {
      const url = `${target.service.base.replace("http", "ws")}/api/v2/live`;
      const sockets = Array.from({ length: 50 }, () => new WebSocket(url, { headers: target.guest, perMessageDeflate: false }));
      for (const socket of sockets) {
        socket.on("error", () => {});
        socket.on("unexpected-response", (_request, response) => count(answers, response.statusCode ?? 0));
        socket.on("close", (code) => count(answers, `closed ${code}`));
        socket.on("message", (data) => count(answers, Object.keys(JSON.parse(String(data)) as object)[0] ?? ""));
      }
      await repeat(100 * scale, seconds, async () => {
        const frame = JSON.stringify({ subscribe: { topic: `project:${target.large.project}`, since: 0 } });
        for (const socket of sockets) if (socket.readyState === socket.OPEN) socket.send(frame);
      });
      for (const socket of sockets) socket.terminate();
    },
  },
  {
    name: "history",
    title: "15 pages of history a second, of messages of 10,000 emoji",
    run: ({ target, send, seconds, answers }) =>
      repeat(15, seconds, async () => {
        const { text } = await send({ method: "POST", path: HISTORY, headers: target.guest, body: { project_id: target.large.project, limit: 200 } });
        if (text.length > 1_500_000) count(answers, "large");
      }),
    judge: (answers) => (answers["large"] ? `${answers["large"]} pages were larger than 1.5 MB` : null),
  },
  {
    name: "unread",
    title: "60 answers that nobody reads, of pages of history",
    async run({ target, answers, seconds }) {
      const body = JSON.stringify({ project_id: target.large.project, limit: 200 });
      const headers = { ...target.guest, "content-type": "application/json", "content-length": Buffer.byteLength(body) };
      const sockets = Array.from({ length: 60 }, () => openRaw(target.service.base, answers, requestHead("POST", HISTORY, headers) + body, { reads: false }));
      await sleep(seconds * 1_000);
      endAll(sockets, answers, "unread");
    },
  },
  {
    name: "folders",
    title: "10 listings of all folders of a project a second",
    run: ({ target, send, seconds, answers }) =>
      repeat(10, seconds, async () => {
        const { text } = await send({ method: "GET", path: `/api/v2/projects/${target.large.project}/folders`, headers: target.guest });
        if (text.length > 1_500_000) count(answers, "large");
      }),
    judge: (answers) => (answers["large"] ? `${answers["large"]} answers were larger than 1.5 MB` : null),
  },
  {
    name: "ls",
    title: "10 listings of a folder of 10,000 files a second",
    run: ({ target, send, seconds, answers }) =>
      repeat(10, seconds, async () => {
        const { text } = await send({ method: "POST", path: "/v1/files/ls", headers: target.guest, body: { file_id: target.large.fullFolder } });
        if (text.length > 1_500_000) count(answers, "large");
      }),
    judge: (answers) => (answers["large"] ? `${answers["large"]} answers were larger than 1.5 MB` : null),
  },
  {
    name: "facets",
    title: "15 counts of all filter values a second",
    run: ({ target, send, seconds }) =>
      repeat(15, seconds, () => send({ method: "GET", path: `/api/v2/projects/${target.large.project}/file-facets`, headers: target.guest })),
  },
  {
    name: "search",
    title: "15 searches for a name that no file has, and through a folder, a second",
    run: ({ target, send, seconds }) =>
      repeat(15, seconds, (index) => {
        const folder = index % 2 === 0 ? `&folder_id=${target.large.fullFolder}` : "";
        const path = `/api/v2/projects/${target.large.project}/files?deep=true&q=nothing%20${index}${folder}`;
        return send({ method: "GET", path, headers: target.guest });
      }),
  },
  {
    name: "archive",
    title: "5 sizes of a zip of a folder of 10,000 files a second",
    run: ({ target, send, seconds }) =>
      repeat(5, seconds, () => send({ method: "HEAD", path: `/api/v2/files/archive?ids=${target.large.fullFolder}`, headers: target.guest })),
  },
  {
    name: "delete-restore",
    title: "a folder of 10,000 files deleted and restored without a pause",
    async run({ target, send, seconds }) {
      const body = { file_ids: [target.large.fullFolder] };
      for (const until = performance.now() + seconds * 1_000; performance.now() < until;) {
        await send({ method: "POST", path: "/api/v2/files/delete", headers: target.owner, body });
        await send({ method: "POST", path: "/api/v2/files/restore", headers: target.owner, body });
      }
    },
  },
  {
    name: "endless-uploads",
    title: "10 uploads of 5 MB in pieces that do not end, with a quota of 20 MB",
    settings: { QUOTA_BYTES: "20000000", MAX_UPLOAD_BYTES: "6000000" },
    async run({ target, answers, seconds }) {
      const path = `/v1/files/upload?parent_id=${target.large.root}&name=endless.wav`;
      const head = requestHead("PUT", path, { ...target.guest, "content-type": "application/octet-stream", "transfer-encoding": "chunked" });
      const sockets = Array.from({ length: 10 }, () => openRaw(target.service.base, answers, head));
      const piece = Buffer.alloc(500_000);
      for (let index = 0; index < 10; index += 1) {
        for (const socket of sockets) if (socket.writable) socket.write(Buffer.concat([Buffer.from("7a120\r\n"), piece, Buffer.from("\r\n")]));
        await sleep((seconds * 1_000) / 10);
      }
      count(answers, "MB on disk", Math.round(bytesIn(join(target.folder, "files")) / 1e6));
      endAll(sockets, answers, "still open");
    },
    judge: (answers) => ((answers["MB on disk"] ?? 0) > 30 ? `${answers["MB on disk"]} MB lay on the disk` : refusedSome(answers, "413", "429", "closed")),
  },
  {
    name: "silent-flac",
    title: "6 FLAC files of 25 minutes of silence, 8 channels",
    async run({ target, send, seconds, answers }) {
      const silence = silentFlac(25);
      const upload = (headers: Record<string, string>, name: string, body: Buffer) =>
        send({ method: "PUT", path: `/v1/files/upload?parent_id=${target.large.root}&name=${name}`, headers, body });
      await Promise.all(Array.from({ length: 6 }, (_, index) => upload(target.guest, `silence${index}.flac`, silence)));
      const { text } = await upload(target.owner, "own.wav", wav(1));
      const { file_id } = JSON.parse(text) as { file_id: number };
      for (const until = performance.now() + Math.max(seconds, 20) * 1_000; performance.now() < until; await sleep(250)) {
        const info = await send({ method: "POST", path: "/v1/files/get_info", headers: target.owner, body: { file_id } });
        if (!/"transcoding_status":"(transcoded|failed)"/.test(info.text)) continue;
        return count(answers, "owner's file done");
      }
    },
    judge: (answers) => refusedSome(answers, "owner's file done"),
  },
  {
    name: "guessing",
    title: "20 guesses of a password a second",
    run: ({ send, seconds }) =>
      repeat(20, seconds, (index) =>
        send({ method: "POST", path: "/api/v2/session", body: { login: "owner@talkback.test", password: `wrong guess ${index}` } }),
      ),
    judge: (answers) => refusedSome(answers, "429"),
  },
  {
    name: "aborted",
    title: "100 bodies a second that are aborted half way, by a stranger",
    async run({ target, answers, seconds, scale }) {
      await repeat(100 * scale, seconds, async () => {
        const head = requestHead("POST", "/v1/teams/ls", { "content-type": "application/json", "content-length": 20_000 });
        const socket = openRaw(target.service.base, answers, head + "x".repeat(10_000));
        await sleep(50);
        endAll([socket], answers, "aborted");
      });
    },
  },
];

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

/** Runs an attack and returns how it was answered. */
export async function runAttack(attack: Attack, target: Target, options: { seconds: number; scale: number }): Promise<Answers> {
  const answers: Answers = {};
  const { send, close } = createSender(target.service.base, answers);
  try {
    await attack.run({ target, send, answers, ...options });
  } finally {
    await close();
  }
  return answers;
}
