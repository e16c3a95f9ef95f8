/** Tests which errors mean that the database cannot be reached. */
import { sql } from "kysely";
import { expect, it } from "vitest";
import { openPostgresDatabase } from "./database.ts";
import { isUnavailable, markConnectionErrors } from "./engine-errors.ts";

const connectionError = (code: string) => Object.assign(new Error(code), { code });

it("a connection that breaks on the way to the database makes it unavailable, one of a client does not", async () => {
  for (const code of ["ECONNRESET", "EPIPE", "ECONNREFUSED", "ETIMEDOUT"]) {
    expect(isUnavailable(connectionError(code)), code).toBe(false);
    const error = connectionError(code);
    await expect(markConnectionErrors(() => Promise.reject(error))).rejects.toBe(error);
    expect(isUnavailable(error), code).toBe(true);
  }
  const other = new Error("a bug");
  await expect(markConnectionErrors(() => Promise.reject(other))).rejects.toBe(other);
  expect(isUnavailable(other)).toBe(false);
});

it("reading and writing fail as unavailable while nothing listens at the database's address", async () => {
  const database = openPostgresDatabase("postgres://nobody@127.0.0.1:1/nothing");
  for (const call of [() => sql`select 1`.execute(database.read), () => database.write((tx) => sql`select 1`.execute(tx))]) {
    const error: unknown = await call().then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: "ECONNREFUSED" });
    expect(isUnavailable(error)).toBe(true);
  }
  await database.close();
});
