/** The process that inserts rows into a database of its own, each durable before the next one, which sending is compared with. */
import { DatabaseSync } from "node:sqlite";
import { provide } from "../lib/helper.ts";

const calls = {
  /** Returns the inserts per second, each in a transaction of its own, with the durability of the service. */
  insertFor({ file, seconds }: { file: string; seconds: number }): number {
    const database = new DatabaseSync(file);
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;
      create table if not exists messages (id integer primary key autoincrement, project_id bigint, account_id bigint, body text, created_at bigint)`);
    const insert = database.prepare("insert into messages (project_id, account_id, body, created_at) values (1, 1, ?, ?)");
    const startedAt = performance.now();
    let count = 0;
    for (; performance.now() - startedAt < seconds * 1_000; count += 1) insert.run(`The snare is too loud ${count}`, Date.now());
    const perSecond = count / ((performance.now() - startedAt) / 1_000);
    database.close();
    return perSecond;
  },
};

export type InsertCalls = typeof calls;

provide(calls);
