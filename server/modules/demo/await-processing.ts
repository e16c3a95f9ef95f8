/** Waits until the demo's files are processed, so that the chat shows waveforms when it is opened. */
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE } from "../../lib/clock.ts";
import type { Database } from "../../db/database.ts";

const POLL_INTERVAL_MS = 400;
/** Timeout of the wait. The remaining files are processed later, visibly to users. */
const TIMEOUT_MS = 3 * MINUTE;

export async function awaitProcessing(database: Database, projects: readonly number[], onProgress: (share: number) => Promise<void>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const states = await database.read
      .selectFrom("file_versions")
      .innerJoin("files", "files.id", "file_versions.file_id")
      .select("transcoding_status")
      .where("files.project_id", "in", projects)
      .execute();
    const processedCount = states.filter(({ transcoding_status: state }) => state === "transcoded" || state === "failed").length;
    await onProgress(states.length === 0 ? 1 : processedCount / states.length);
    if (processedCount === states.length || Date.now() > deadline) return;
    await sleep(POLL_INTERVAL_MS);
  }
}
