/** Uploads of a gigabyte, and the memory that the service needs for them. */
import { execFile } from "node:child_process";
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { readMemoryUsage } from "../../server/testing/service-process.ts";
import { createRandom } from "../data/generated-chat.ts";
import type { Benchmark, Goal } from "../lib/benchmark.ts";
import type { UploadCalls } from "./upload-process.ts";

const MEGABYTE = 1024 * 1024;
const MEMORY_POLL_MS = 50;

function writeRandomFile(path: string, size: number): void {
  const random = createRandom(3);
  const block = Buffer.from(Uint32Array.from({ length: MEGABYTE / 4 }, () => Math.floor(random() * 2 ** 32)).buffer);
  const file = openSync(path, "w");
  for (let written = 0; written < size; written += block.length) writeSync(file, block);
  fsyncSync(file);
  closeSync(file);
}

/** Removes the bytes of uploads, so that the rounds need little room. */
function removeLargeFiles(folder: string, size: number): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && statSync(path, { throwIfNoEntry: false })?.size === size) rmSync(path);
  }
}

export const upload: Benchmark = {
  name: "upload",
  title: "1 GB through PUT and through tus, against a bare Node pipe to disk and cat, and the service's memory",
  async run(context) {
    const [{ folder, owner, library }, service] = [await context.data(), await context.service()];
    const size = (context.isQuick ? 32 : 1_024) * MEGABYTE;
    const [file, copy] = [join(context.folder, "upload.bin"), join(context.folder, "copy.bin")];
    context.log(`writing ${size / MEGABYTE} MB`);
    writeRandomFile(file, size);
    const client = await context.helper<UploadCalls>(new URL("upload-process.ts", import.meta.url));
    const bare = await context.helper<UploadCalls>(new URL("upload-process.ts", import.meta.url));
    const bareBase = await bare.call("pipeInto", copy);
    const options = { base: service.base, file, size, headers: owner.headers, parent: library.root };
    const before = readMemoryUsage(service).now;
    let most = before;
    const timer = setInterval(() => (most = Math.max(most, readMemoryUsage(service).now)), MEMORY_POLL_MS);
    context.onEnd(() => clearInterval(timer));
    const perSecond = (seconds: number) => size / 1e6 / seconds;
    const uploadBy = (method: "put" | "tus") => async () => {
      const { seconds } = await client.call(method, options);
      removeLargeFiles(join(folder, "files"), size);
      return perSecond(seconds);
    };
    const measured = await context.inTurn(context.rounds(3), {
      cat: async () => {
        const startedAt = performance.now();
        await promisify(execFile)("sh", ["-c", 'cat "$1" > "$2" && sync "$2" && rm "$2"', "sh", file, copy]);
        return perSecond((performance.now() - startedAt) / 1_000);
      },
      "bare pipe": async () => perSecond((await client.call("put", { ...options, base: bareBase })).seconds),
      PUT: uploadBy("put"),
      tus: uploadBy("tus"),
    });
    clearInterval(timer);
    await Promise.all([client.stop(), bare.stop()]);
    rmSync(file);
    const goal: Goal = { of: "ratio", better: "higher", must: 0.6, aim: 0.9 };
    const pipe = { name: "bare Node pipe", values: measured["bare pipe"] };
    return [
      { work: `${size / MEGABYTE} MB by PUT`, unit: "MB/s", values: measured.PUT, yardstick: pipe, goal },
      { work: "the same by tus", unit: "MB/s", values: measured.tus, yardstick: pipe, goal },
      { work: "bare Node pipe", unit: "MB/s", values: measured["bare pipe"], yardstick: { name: "cat and sync", values: measured.cat } },
      {
        work: "memory of the service above that before",
        unit: "MB",
        values: [(most - before) / 1e6],
        goal: { of: "value", better: "lower", must: 150 },
        note: `${Math.round(before / 1e6)} MB before`,
      },
    ];
  },
};
