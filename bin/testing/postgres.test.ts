import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { postgresPrograms, startCluster } from "./postgres.ts";

function createDebianFolder(...versions: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "talkback-debian-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const version of versions) {
    mkdirSync(join(folder, version, "bin"), { recursive: true });
    for (const program of ["initdb", "pg_ctl", "postgres"]) {
      writeFileSync(join(folder, version, "bin", program), "");
      chmodSync(join(folder, version, "bin", program), 0o755);
    }
  }
  return folder;
}

test("chooses the newest version by number", () => {
  const folder = createDebianFolder("9", "15", "100");
  expect(postgresPrograms(folder, "")).toBe(join(folder, "100", "bin"));
});

test("returns null when PostgreSQL is not installed", () => {
  expect(postgresPrograms("/nowhere", "/nowhere/bin")).toBe(null);
});

test.skipIf(!postgresPrograms())("starts a cluster that accepts connections and leaves nothing behind when it stops", async () => {
  const cluster = await startCluster();
  const client = new pg.Client({ connectionString: cluster.url });
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  await client.end();
  const folder = dirname(rows[0].folder as string);
  expect(existsSync(folder)).toBe(true);
  cluster.stop();
  expect(existsSync(folder)).toBe(false);
  await expect(new pg.Client({ connectionString: cluster.url }).connect()).rejects.toThrow(/ECONNREFUSED/);
});
