/** Starts the service, a worker and the admin commands, as processes, on a database of a newer version: each refuses with a sentence and changes nothing. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { reportFaults } from "../testing/fault-counts.ts";
import { systemClock } from "../lib/clock.ts";
import { createTestDatabase, ENGINES } from "../testing/engines.ts";
import { serviceEnvironment } from "../testing/service-process.ts";
import { stateFingerprint } from "../testing/state-fingerprint.ts";
import type { Engine } from "./database.ts";
import { migrate, MIGRATIONS } from "./migrate.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const NEWER = "999-of-another-year";
const PROGRAMS = { service: ["server/main.ts"], worker: ["server/worker.ts"], "admin command": ["server/cli/main.ts", "check-files"] };
/** With the built-in database, the service itself does the work of a worker. */
const programsOn = (engine: Engine): (keyof typeof PROGRAMS)[] =>
  engine === "postgres" ? ["service", "worker", "admin command"] : ["service", "admin command"];

describe.each(ENGINES)("a database of a newer version on %s", { timeout: 60_000 }, (engine) => {
  it("is refused by each program with a sentence that names both versions and what to do, and stays as it is", async () => {
    const data = await createTestDatabase(engine);
    const dataDir = engine === "sqlite" ? data.location : mkdtempSync(join(tmpdir(), "talkback-newer-"));
    const database = data.open();
    onTestFinished(async () => {
      await database.close();
      await data.drop();
      rmSync(dataDir, { recursive: true, force: true });
    });
    await migrate(database, systemClock);
    await database.write((tx) => tx.insertInto("migrations").values({ name: NEWER, applied_at: 1 }).execute());
    const before = await stateFingerprint(database);
    const env = serviceEnvironment(dataDir, {
      MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
      ...(engine === "postgres" ? { DATABASE_URL: data.location } : {}),
    });
    const refusals = await Promise.all(
      programsOn(engine).map(async (program) => {
        const child = spawn(process.execPath, PROGRAMS[program], { cwd: ROOT, env, stdio: ["ignore", "ignore", "pipe"] });
        const [output, [code]] = await Promise.all([text(child.stderr), once(child, "exit") as Promise<[number]>]);
        return { program, output, code };
      }),
    );
    const stateChanges = (await stateFingerprint(database)) === before ? 0 : 1;
    const isClear = ({ output, code }: { output: string; code: number }) => code === 1 && output.includes(NEWER) && output.includes("restore a backup");
    const clearFailures = refusals.filter(isClear).length;
    const counts = { broken: refusals.length, clearFailures, unclearFailures: refusals.length - clearFailures, stateChanges };
    reportFaults("upgrade: newer database", engine, counts);
    for (const { program, output, code } of refusals) {
      expect(code, program).toBe(1);
      expect(output, program).toContain(`it has the migration "${NEWER}", and this version ends with "${MIGRATIONS.at(-1)!.name}"`);
      expect(output, program).toContain("Start the newer version, or restore a backup");
      expect(output, program).not.toMatch(/\bat .*\.ts:\d+/);
    }
    expect(counts).toMatchObject({ unclearFailures: 0, stateChanges: 0 });
  });
});
