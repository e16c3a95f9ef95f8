/** Whether an account gets emails at all: it can unsubscribe, also with the link in an email, and subscribe again. */
import type { MailLink } from "../../../contract/notification-delivery-records.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { HttpError } from "../../lib/errors.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import type { MailLinks } from "./mail-links.ts";

const queryAccounts = (db: Db) =>
  db
    .selectFrom("accounts")
    .innerJoin("organisations", "organisations.id", "accounts.organisation_id")
    .leftJoin("mail_opt_outs", "mail_opt_outs.account_id", "accounts.id")
    .select(["accounts.id", "accounts.email", "accounts.email_key", "organisations.name as organisation", "mail_opt_outs.created_at as opted_out_at"]);
type AccountRow = Awaited<ReturnType<ReturnType<typeof queryAccounts>["executeTakeFirstOrThrow"]>>;

const toView = ({ organisation, email, opted_out_at }: AccountRow): MailLink => ({ organisation, email, enabled: opted_out_at === null });

export function createMailSubscriptions({ database, clock, events }: NotificationDeliveryDeps, links: MailLinks) {
  async function findByToken(db: Db, token: string): Promise<AccountRow> {
    const id = links.accountIdOf(token);
    const account = id === null ? undefined : await queryAccounts(db).where("accounts.id", "=", id).executeTakeFirst();
    if (!account || !links.isValid(token, account)) throw new HttpError(404, "This link is invalid, or the account has another email address by now.");
    return account;
  }

  async function setEnabled(tx: Tx, account: AccountRow, enabled: boolean): Promise<MailLink> {
    if (enabled !== (account.opted_out_at === null)) {
      if (enabled) await tx.deleteFrom("mail_opt_outs").where("account_id", "=", account.id).execute();
      else
        await tx
          .insertInto("mail_opt_outs")
          .values({ account_id: account.id, created_at: clock.now() })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      await events.append(tx, topicOf.account(account.id), "notification_channels.changed", {});
    }
    return { ...toView(account), enabled };
  }

  const queryOwn = (db: Db, { accountId }: Actor) => queryAccounts(db).where("accounts.id", "=", accountId).executeTakeFirstOrThrow();

  return {
    async get(actor: Actor): Promise<MailLink> {
      assertCan(actor, "self", {}, "");
      return toView(await queryOwn(database.read, actor));
    },
    async update(actor: Actor, enabled: boolean): Promise<MailLink> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => setEnabled(tx, await queryOwn(tx, actor), enabled));
    },
    preview: async (token: string): Promise<MailLink> => toView(await findByToken(database.read, token)),
    useLink: (token: string, enabled: boolean): Promise<MailLink> => database.write(async (tx) => setEnabled(tx, await findByToken(tx, token), enabled)),
  };
}
