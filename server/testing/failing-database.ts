/** A database whose commits fail on demand: the change does all its work, then the transaction rolls back. */
import { openPostgresDatabase, openSqliteDatabase, type Database, type Engine, type OpenOptions } from "../db/database.ts";

export function createFailingDatabase(engine: Engine) {
  const controls = {
    shouldFailCommits: false,
    /** For `startTestApp`. */
    async connect(location: string, options: OpenOptions): Promise<Database> {
      const database = engine === "sqlite" ? openSqliteDatabase(location, options) : openPostgresDatabase(location, options);
      const failing =
        (write: Database["write"]): Database["write"] =>
        (work) =>
          write(async (tx) => {
            const result = await work(tx);
            if (controls.shouldFailCommits) throw new Error("the commit failed");
            return result;
          });
      return {
        ...database,
        get read() {
          return database.read;
        },
        get backgroundRead() {
          return database.backgroundRead;
        },
        write: failing(database.write),
        backgroundWrite: failing(database.backgroundWrite),
      };
    },
    /** Runs `work` while every commit fails. */
    async withFailingCommits<T>(work: () => Promise<T>): Promise<T> {
      controls.shouldFailCommits = true;
      try {
        return await work();
      } finally {
        controls.shouldFailCommits = false;
      }
    },
  };
  return controls;
}
