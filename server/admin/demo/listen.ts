/** Waits until the files of the demo were looked into: who opens the chat is to see waveforms. */
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp } from "../../app.ts";
import { MINUTE } from "../../lib/clock.ts";
import type { Config } from "../../config.ts";
import type { Database } from "../../db/database.ts";

const LOOK_EVERY_MS = 400;
/** What is not done by then is done later, in sight of everybody. */
const LONGEST_MS = 3 * MINUTE;

export async function listen(database: Database, projects: readonly number[], tell: (share: number) => Promise<void>): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    const states = await database.read
      .selectFrom("file_versions")
      .innerJoin("files", "files.id", "file_versions.file_id")
      .select("transcoding_status")
      .where("files.project_id", "in", projects)
      .execute();
    const done = states.filter(({ transcoding_status: state }) => state === "transcoded" || state === "failed").length;
    await tell(states.length === 0 ? 1 : done / states.length);
    if (done === states.length || Date.now() > end) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Looks into files as a service does. By today's clock: leases and tries are measured by it. Beside a service both take what the other has not. */
export async function work({ database, config, masterKey }: { database: Database; config: Config; masterKey: Buffer }): Promise<() => Promise<void>> {
  const app = await buildApp({ config: { ...config, logLevel: "silent" }, database, masterKey, clientFolder: "/nowhere" });
  const stopMedia = app.startMedia();
  return async () => {
    await stopMedia();
    await app.server.close();
  };
}
