/** Uploads an hour of audio and waits until the service has processed it, as after any upload. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { waitUntilProcessed } from "../../e2e/fixtures/files.ts";
import { writeHour } from "../../server/media/testing/hour.ts";
import type { BenchContext, UploadedHour } from "../lib/bench-context.ts";
import type { UploadCalls } from "../rows/upload-process.ts";

export async function uploadHour(context: BenchContext): Promise<UploadedHour> {
  const [{ ana, library }, service] = [await context.data(), await context.service()];
  const minutes = context.isQuick ? 2 : 60;
  const file = join(context.folder, "hour.wav");
  context.log(`writing ${minutes} minutes of stereo`);
  writeHour(file, "wav", "pcm_s16le", { minutes });
  const client = await context.helper<UploadCalls>(new URL("../rows/upload-process.ts", import.meta.url));
  context.log("uploading them");
  const { id } = await client.call("put", { base: service.base, file, size: statSync(file).size, headers: ana.headers, parent: library.root });
  await client.stop();
  context.log("waiting until they are processed");
  const startedAt = performance.now();
  const { common } = await waitUntilProcessed({ ...ana, url: service.base, email: "", password: "" }, id);
  if (common.transcoding_status !== "transcoded") throw new Error(`The hour of audio ended as ${common.transcoding_status}`);
  const processingSeconds = (performance.now() - startedAt) / 1_000;
  context.log(`processed in ${processingSeconds.toFixed(1)} s`);
  return { id, path: file, seconds: minutes * 60, processingSeconds };
}
