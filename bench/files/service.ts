/**
 * Benchmarks pages of the files view as folders and projects grow, against a route that returns the same bytes, and a
 * zip archive against the plain download of the single file in it.
 * `node bench/files/service.ts [files] [seconds]`, as in `node bench/files/service.ts 100000 5`, on SQLite.
 */
import { createReadStream, mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { request } from "undici";
import { createOwner, startService } from "../../server/testing/service-process.ts";
import { measureLoad, startConstantServer, type LoadRequest } from "../lib/load.ts";
import { seedFiles } from "./seed-files.ts";

const FILES = Number(process.argv[2] ?? 100_000);
const SECONDS = Number(process.argv[3] ?? 5);
const ZIPPED_BYTES = 1024 ** 3;
const rows: string[][] = [["", "a second", "p50 ms", "p99 ms", "vs. baseline"]];

/** Returns megabytes per second, the best of three runs. */
async function throughput(read: () => Promise<AsyncIterable<Uint8Array>>): Promise<number> {
  let best = 0;
  for (let run = 0; run < 3; run += 1) {
    const startedAt = performance.now();
    let bytes = 0;
    for await (const chunk of await read()) bytes += chunk.length;
    best = Math.max(best, bytes / 1e6 / ((performance.now() - startedAt) / 1_000));
  }
  return best;
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "talkback-bench-"));
  const owner = await createOwner(folder);
  const { project, fullFolder, smallFolder, file, blobKey } = seedFiles(folder, FILES);
  const blobFolder = join(folder, "files", "blobs", blobKey.slice(0, 2));
  mkdirSync(blobFolder, { recursive: true });
  const blob = join(blobFolder, blobKey);
  writeFileSync(blob, "");
  truncateSync(blob, ZIPPED_BYTES);
  const service = await startService(folder);
  const headers: Record<string, string> = { ...owner.headers };
  const listPath = (query: string) => `/api/v2/projects/${project}/files?${query}`;
  const createRequest = (address: string): LoadRequest => ({ method: "GET", path: address, headers, body: () => "" });
  const runLoad = (loadRequest: LoadRequest, base = service.base) => measureLoad(base, loadRequest, { seconds: SECONDS });
  const addRow = (label: string, { perSecond, p50, p99 }: { perSecond: number; p50: number; p99: number }, baseline: number | null) =>
    rows.push([
      label,
      Math.round(perSecond).toLocaleString("en"),
      p50.toFixed(1),
      p99.toFixed(1),
      baseline === null ? "" : `${(perSecond / baseline).toFixed(2)} x`,
    ]);
  try {
    const get = async (address: string) => (await fetch(service.base + address, { headers })).text();
    const page = await get(listPath(`folder_id=${smallFolder}`));
    const constantServer = await startConstantServer(folder, page);
    const constantResult = await runLoad(
      { ...createRequest("/constant"), method: "POST", headers: { "content-type": "application/json" }, body: () => "{}" },
      constantServer.base,
    );
    constantServer.stop();
    addRow("Fastify route of the same bytes", constantResult, null);
    const smallest = await runLoad(createRequest(listPath(`folder_id=${smallFolder}`)));
    addRow("a page of 100, folder of 100", smallest, constantResult.perSecond);
    const first = JSON.parse(await get(listPath("deep=true&limit=500"))) as { next_cursor: string };
    for (const [label, query] of [
      ["folder of 10,000, by name", `folder_id=${fullFolder}`],
      ["folder of 10,000, by size, descending", `folder_id=${fullFolder}&sort=size&order=desc`],
      [`all ${FILES.toLocaleString("en")}, by name`, "deep=true"],
      [`all ${FILES.toLocaleString("en")}, by name, further on`, `deep=true&cursor=${first.next_cursor}`],
      [`all ${FILES.toLocaleString("en")}, by tempo`, "deep=true&sort=bpm"],
      [`all ${FILES.toLocaleString("en")}, A minor at 120 to 128 bpm`, `deep=true&sort=bpm&bpm_min=120&bpm_max=128&key=A%20minor`],
      [`all ${FILES.toLocaleString("en")}, a tag`, "deep=true&tag=House"],
      ["below a folder of 10,000, by name", `folder_id=${fullFolder}&deep=true`],
      ["below a folder of 10,000, a name that one file has", `folder_id=${fullFolder}&deep=true&q=bounce%20${FILES - 1}`],
      [`all ${FILES.toLocaleString("en")}, a name that one file has`, `deep=true&q=bounce%20${FILES - 1}`],
    ] as const)
      addRow(label, await runLoad(createRequest(listPath(query))), smallest.perSecond);
    addRow("facets", await runLoad(createRequest(`/api/v2/projects/${project}/file-facets`)), null);
    for (const row of rows) console.log(row.map((cell, column) => (column === 0 ? cell.padEnd(52) : cell.padStart(12))).join("  "));

    const database = new DatabaseSync(join(folder, "talkback.db"), { timeout: 5_000 });
    database.prepare("update file_versions set size = ? where file_id = ?").run(ZIPPED_BYTES, file);
    database.close();
    const openBody = (address: string) => async () => (await request(service.base + address, { headers })).body;
    const plain = await throughput(openBody(`/api/v2/files/${file}/versions/1/original`));
    const zip = await throughput(openBody(`/api/v2/files/archive?ids=${file}`));
    const disk = await throughput(async () => createReadStream(blob));
    console.log(
      `MB a second: read from the disk ${disk.toFixed(0)}, plain download ${plain.toFixed(0)}, in a zip ${zip.toFixed(0)} (${(zip / plain).toFixed(2)} x)`,
    );
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

await main();
