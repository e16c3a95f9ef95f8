/** Inserts notifications for tests, as the service stores them. */
import type { NewRow } from "../db/schema.ts";
import type { TestApp } from "./test-app.ts";

let counter = 0;

/** Inserts an unread notification and returns its id. */
export const insertNotification = (
  { database, clock }: TestApp,
  accountId: number,
  values: Partial<NewRow<"notifications">> & Pick<NewRow<"notifications">, "project_id">,
): Promise<number> =>
  database.write(async (tx) => {
    const row: NewRow<"notifications"> = {
      account_id: accountId,
      kind: "mention",
      dedupe_key: `test:${++counter}`,
      actor_id: null,
      message_id: null,
      comment_id: null,
      file_id: null,
      task_id: null,
      status_id: null,
      endpoint_id: null,
      in_app: 1,
      created_at: clock.now(),
      ...values,
    };
    return (await tx.insertInto("notifications").values(row).returning("id").executeTakeFirstOrThrow()).id;
  });
