/** A zip of a large file. */
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { BLOB_KEY } from "../data/insert-files.ts";
import type { Benchmark } from "../lib/benchmark.ts";

export const archive: Benchmark = {
  name: "archive",
  title: "a zip of a file of 1 GiB, against its plain download",
  async run(context) {
    const [{ folder, ana, library }, service, load] = [await context.data(), await context.service(), await context.load()];
    const size = (context.isQuick ? 32 : 1_024) * 1024 * 1024;
    const blobFolder = join(folder, "files", "blobs", BLOB_KEY.slice(0, 2));
    mkdirSync(blobFolder, { recursive: true });
    // Sparse: reading it costs no disk.
    writeFileSync(join(blobFolder, BLOB_KEY), "");
    truncateSync(join(blobFolder, BLOB_KEY), size);
    const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
    database.prepare("update file_versions set size = ? where file_id = ?").run(size, library.file);
    database.close();
    const download = (path: string) => () => load.call("download", { base: service.base, request: { method: "GET", path, headers: ana.headers } });
    const measured = await context.inTurn(context.rounds(3), {
      "plain download": download(`/api/v2/files/${library.file}/versions/1/original`),
      zip: download(`/api/v2/files/archive?ids=${library.file}`),
    });
    const yardstick = { name: "plain download", values: measured["plain download"] };
    return [{ work: `zip of a file of ${size / 1024 ** 2} MiB`, unit: "MB/s", values: measured.zip, yardstick }];
  },
};
