/** A picture to upload, and pictures of accounts inserted without processing one. */
import type { TestApp } from "./test-app.ts";

/** A blue PNG of 16 x 8 pixels. */
export const PICTURE = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAICAMAAADHqI+lAAAAA1BMVEUzZswgIiSpAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAADElEQVQI12NgGBwAAACIAAGbZvWUAAAAAElFTkSuQmCC",
  "base64",
);

/** Gives the account a picture whose bytes are the names of its sizes. */
export async function insertAvatar({ app: { deps }, database, clock }: TestApp, accountId: number): Promise<void> {
  const store = async (text: string) =>
    (
      await deps.storage.put(
        (async function* () {
          yield Buffer.from(text);
        })(),
        { maxBytes: 100 },
      )
    ).key;
  const keys = { small_key: await store("small"), medium_key: await store("medium"), large_key: await store("large") };
  await database.write(async (tx) => {
    const { id } = await tx
      .insertInto("avatars")
      .values({ account_id: accountId, ...keys, created_at: clock.now() })
      .returning("id")
      .executeTakeFirstOrThrow();
    await tx.updateTable("accounts").set({ avatar_id: id }).where("id", "=", accountId).execute();
  });
}
