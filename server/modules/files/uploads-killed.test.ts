/** Tests uploads to the real service: killed midway, and with more bytes than it may hold in memory. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { reportFaults } from "../../testing/fault-counts.ts";
import type { FileInfoResponse } from "../../../contract/records.ts";
import { testSong, encodeAudio } from "../../testing/audio.ts";
import type { Caller } from "../../testing/client.ts";
import { tusHeaders } from "../../testing/files.ts";
import { sendRawRequest, createByteStream } from "../../testing/raw-socket.ts";
import { runCli, createOwnerByCli, readMemoryUsage, startService, type ServiceProcess } from "../../testing/service-process.ts";

const MB = 1_000_000;
/** Long enough that killing the process during the work leaves something behind. */
const SOUND_SECONDS = 8;
/** How often a test looks for files that are about to be removed, before it counts them as left over. */
const MAX_LOOKS = 400;

describe("the real service", { timeout: 120_000 }, () => {
  let dataDir: string;
  let owner: Caller;
  let service: ServiceProcess;
  let root: number;
  beforeAll(async () => {
    dataDir = mkdtempSync(join(tmpdir(), "talkback-service-"));
    owner = await createOwnerByCli(dataDir);
    service = await startService(dataDir);
    const json = async (path: string, body: object) =>
      (
        await sendRawRequest(service.base, owner, {
          method: "POST",
          path,
          headers: { "content-type": "application/json" },
          body: Buffer.from(JSON.stringify(body)),
        })
      ).json;
    const [team] = (await json("/v1/teams/ls", {})).data;
    root = (await json("/v1/account/projects/create", { name: "Songs", team_id: team.id })).data.root_folder_id;
  }, 60_000);
  afterAll(async () => {
    await service.kill();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const incoming = () => readdirSync(join(dataDir, "files", "incoming"));
  const uploadFile = (name: string, body: Readable, headers = {}) =>
    sendRawRequest(service.base, owner, { method: "PUT", path: `/v1/files/upload?parent_id=${root}&name=${name}`, body, headers });
  const sendTus = (method: string, path: string, headers: Record<string, string>, body?: Buffer | PassThrough) =>
    sendRawRequest(service.base, owner, {
      method,
      path,
      headers: { "tus-resumable": "1.0.0", ...(body ? { "content-type": "application/offset+octet-stream" } : {}), ...headers },
      ...(body ? { body } : {}),
    });

  test.runIf(process.platform === "linux")("receives and serves 200 MB without buffering them", async () => {
    await uploadFile("warm.bin", createByteStream(5 * MB));
    const before = readMemoryUsage(service);
    const { status, json } = await uploadFile("big.bin", createByteStream(200 * MB));
    expect(status).toBe(200);
    expect(readMemoryUsage(service).peak - before.now).toBeLessThan(80 * MB);
    // Memory also stays bounded when the file is downloaded.
    const reply = await fetch(`${service.base}/api/v2/files/${json.file_id}/versions/1/original`, { headers: owner.headers });
    let read = 0;
    for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>) read += chunk.length;
    expect(read).toBe(200 * MB);
    expect(readMemoryUsage(service).peak - before.now).toBeLessThan(100 * MB);
  });

  test("resumes a resumable upload after a kill", async () => {
    const bytes = randomBytes(8 * MB);
    const created = await sendTus("POST", "/api/v2/uploads", tusHeaders(bytes.length, { name: "survives.wav", parent_id: root }));
    const path = String(created.headers["location"]);
    const body = new PassThrough();
    const brokenUpload = sendTus("PATCH", path, { "upload-offset": "0" }, body).catch(() => null);
    const offset = async () => Number((await sendTus("HEAD", path, {})).headers["upload-offset"]);
    body.write(bytes.subarray(0, 3 * MB));
    const part = join(dataDir, "files", "uploads", path.split("/").at(-1) ?? "");
    while (statSync(part).size < 2 * MB) await sleep(10);
    await service.kill();
    await brokenUpload;

    service = await startService(dataDir);
    const resumeOffset = await offset();
    expect(resumeOffset).toBeGreaterThanOrEqual(2 * MB);
    expect(resumeOffset).toBeLessThanOrEqual(3 * MB);
    const { json } = await sendTus("PATCH", path, { "upload-offset": String(resumeOffset) }, bytes.subarray(resumeOffset));
    const reply = await fetch(`${service.base}/api/v2/files/${json.file_id}/versions/1/original`, { headers: owner.headers });
    const stored = Buffer.from(await reply.arrayBuffer());
    expect(createHash("sha256").update(stored).digest("hex")).toBe(createHash("sha256").update(bytes).digest("hex"));
  });

  test("processes a file again after a kill and leaves nothing behind", async () => {
    const bytes = encodeAudio("wav24", testSong(SOUND_SECONDS), 44_100);
    const { status: uploadStatus, json } = await uploadFile("worked.wav", Readable.from([bytes]));
    const listWorkFiles = () => readdirSync(join(dataDir, "files", "work"));
    const fetchInfo = async () => {
      const reply = await fetch(`${service.base}/v1/files/get_info`, {
        method: "POST",
        headers: { ...owner.headers, "content-type": "application/json" },
        body: JSON.stringify({ file_id: json.file_id }),
      });
      return (await reply.json()) as FileInfoResponse;
    };
    while ((await fetchInfo()).common.transcoding_status === "waiting" || listWorkFiles().length === 0) await sleep(5);
    await service.kill();
    const broken = listWorkFiles().length > 0 ? 1 : 0;

    service = await startService(dataDir);
    let info = await fetchInfo();
    for (; !["transcoded", "failed"].includes(info.common.transcoding_status); info = await fetchInfo()) await sleep(50);
    const reply = await fetch(`${service.base}/api/v2/files/${json.file_id}/versions/1/original`, { headers: owner.headers });
    const isSame = Buffer.from(await reply.arrayBuffer()).equals(bytes);
    const report = await runCli(dataDir, {}, "check-files");
    // The folder of a job is removed just after its result is recorded.
    for (let looks = 0; looks < MAX_LOOKS && listWorkFiles().length > 0; looks += 1) await sleep(50);
    const isProcessed = info.common.transcoding_status === "transcoded";
    const counts = {
      broken,
      acknowledged: uploadStatus === 200 ? 1 : 0,
      lost: isProcessed && isSame && report.includes("Nothing is missing.") ? 0 : 1,
      resumed: isProcessed ? 1 : 0,
      leftovers: listWorkFiles().length + (report.endsWith("No orphans.") ? 0 : 1),
    };
    reportFaults("killed: processing", "sqlite", counts);
    expect(counts).toEqual({ broken: 1, acknowledged: 1, lost: 0, resumed: 1, leftovers: 0 });
    expect(info.file_info).toMatchObject({ object: "audio_file_info", duration: SOUND_SECONDS, number_of_samples: SOUND_SECONDS * 44_100 });
  });

  test("discards a plain upload after a kill, and check-files does not disturb one in progress", async () => {
    const body = new PassThrough();
    const brokenUpload = uploadFile("lost.wav", body).catch(() => null);
    body.write(Buffer.alloc(MB));
    while (incoming().length === 0) await sleep(10);
    await service.kill();
    await brokenUpload;
    expect(incoming()).toHaveLength(1);

    service = await startService(dataDir);
    expect(incoming()).toEqual([]);
    const openBody = new PassThrough();
    const pendingUpload = uploadFile("kept.wav", openBody);
    openBody.write(Buffer.alloc(MB));
    while (incoming().length === 0) await sleep(10);
    const report = await runCli(dataDir, {}, "check-files");
    expect(report).toMatch(/^\d+ blobs, [\d,]+ bytes\.\nNothing is missing\.\nNo orphans\.$/);
    openBody.end();
    expect((await pendingUpload).status).toBe(200);
  });
});
