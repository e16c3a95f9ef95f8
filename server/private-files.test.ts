/** Tests with real processes that no other user can read the data, although the data folder was there and open to everybody. */
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { restrictDataFiles } from "./private-files.ts";
import { encodeAudio, testSong } from "./testing/audio.ts";
import { tusHeaders } from "./testing/files.ts";
import { sendRawRequest } from "./testing/raw-socket.ts";
import { createOwnerByCli, startService } from "./testing/service-process.ts";

/** Returns the paths below the folder that others can access, with their modes. */
function listOpenPaths(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => ({ name, stats: lstatSync(join(folder, name)) }))
    .filter(({ stats }) => !stats.isSymbolicLink() && (stats.mode & 0o077) !== 0)
    .map(({ name, stats }) => `${name} ${(stats.mode & 0o777).toString(8)}`);
}

describe.skipIf(process.platform === "win32")("the data folder", { timeout: 90_000 }, () => {
  test("contains nothing that other users can read after the service, the command line and the media process have written to it", async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "talkback-open-"));
    chmodSync(dataDir, 0o755);
    const umask = process.umask(0o022);
    try {
      const owner = await createOwnerByCli(dataDir);
      expect(readdirSync(dataDir)).toContain("master.key");
      expect(listOpenPaths(dataDir)).toEqual([]);
      const service = await startService(dataDir);
      const request = async (method: string, path: string, body: Buffer, headers: Record<string, string> = {}) =>
        await sendRawRequest(service.base, owner, { method, path, headers, body });
      const post = async (path: string, body: object) =>
        (await request("POST", path, Buffer.from(JSON.stringify(body)), { "content-type": "application/json" })).json.data;
      try {
        const [team] = await post("/v1/teams/ls", {});
        const root = (await post("/v1/account/projects/create", { name: "Songs", team_id: team.id })).root_folder_id;
        const wav = encodeAudio("wav16", testSong(2), 44_100);
        const { file_id } = (await request("PUT", `/v1/files/upload?parent_id=${root}&name=tone.wav`, wav)).json;
        const begun = await request("POST", "/api/v2/uploads", Buffer.from("half"), tusHeaders(10, { name: "part.wav", parent_id: root }));
        expect(begun.status).toBe(201);
        const getStatus = async () =>
          (await request("POST", "/v1/files/get_info", Buffer.from(JSON.stringify({ file_id })), { "content-type": "application/json" })).json;
        let info = await getStatus();
        for (let tries = 0; tries < 600 && info.common.transcoding_status !== "transcoded"; tries += 1) {
          await sleep(50);
          info = await getStatus();
        }
        expect(info.common).toMatchObject({ transcoding_status: "transcoded", compressed_file_url: expect.any(String) });
        expect(readdirSync(join(dataDir, "files", "uploads"))).not.toEqual([]);
        expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(["talkback.db", "talkback.db-wal", "talkback.db-shm", "master.key"]));
        expect(listOpenPaths(dataDir)).toEqual([]);
      } finally {
        await service.kill();
      }
    } finally {
      process.umask(umask);
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  test("loses the access of others to what an earlier version left open, and keeps its own mode", () => {
    const dataDir = mkdtempSync(join(tmpdir(), "talkback-open-"));
    try {
      for (const folder of ["files/uploads", "files/blobs/0a", "other"]) mkdirSync(join(dataDir, folder), { recursive: true });
      const files = [
        "talkback.db",
        "talkback.db-wal",
        "talkback.db-shm",
        "serving.lock",
        "master.key",
        "files/uploads/part",
        "files/blobs/0a/blob",
        "other/notes",
      ];
      for (const file of files) writeFileSync(join(dataDir, file), "x");
      symlinkSync(join(dataDir, "other"), join(dataDir, "files", "link"));
      for (const path of readdirSync(dataDir, { recursive: true }) as string[])
        if (path !== "files/link") chmodSync(join(dataDir, path), path.includes(".") || /part|blob$|notes/.test(path) ? 0o664 : 0o755);
      chmodSync(dataDir, 0o755);
      // All but the folder `other`, what is in it, and the link.
      // On some disks a mode cannot be changed, which must not stop the start.
      const refuse = () => {
        throw Object.assign(new Error("EPERM: operation not permitted"), { code: "EPERM" });
      };
      for (const chmod of [refuse, () => {}]) expect(restrictDataFiles(dataDir, chmod)).toEqual({ restrictedCount: 0, openCount: 11 });
      expect(restrictDataFiles(dataDir)).toEqual({ restrictedCount: 11, openCount: 0 });
      expect(listOpenPaths(dataDir).map((path) => path.split(" ")[0])).toEqual(["other", "other/notes", "files/link/notes"]);
      expect(lstatSync(dataDir).mode & 0o777).toBe(0o755);
      expect(restrictDataFiles(dataDir)).toEqual({ restrictedCount: 0, openCount: 0 });
      expect(restrictDataFiles(join(dataDir, "missing"))).toEqual({ restrictedCount: 0, openCount: 0 });
    } finally {
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
