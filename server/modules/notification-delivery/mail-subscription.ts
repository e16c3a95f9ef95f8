/** Whether an account gets emails at all: it can unsubscribe, also with the link in an email, and subscribe again. */
import type { MailLink, MailSettings } from "../../../contract/notification-delivery-records.ts";
import { assertCan, type Actor } from "../../access/access.ts";
import type { Db, Tx } from "../../db/schema.ts";
import { topicOf } from "../../events/log.ts";
import { HttpError } from "../../lib/errors.ts";
import type { ConfirmationLinks } from "./confirmation-links.ts";
import { loadAddressStatus } from "./confirmations.ts";
import type { NotificationDeliveryDeps } from "./deps.ts";
import { isBlocked, isSubscribed, type MailAccount, queryMailAccounts } from "./mail-addresses.ts";
import type { MailLinks } from "./mail-links.ts";

const toView = (account: MailAccount): MailLink => ({ organisation: account.organisation, email: account.email, enabled: isSubscribed(account) });

/** The link is for an address, whatever account it was entered for. */
const toBlockView = (enabled: boolean): MailLink => ({ organisation: null, email: null, enabled });

interface Links {
  mail: MailLinks;
  confirmation: ConfirmationLinks;
}

export function createMailSubscriptions({ database, clock, events }: NotificationDeliveryDeps, { mail: links, confirmation }: Links) {
  async function findByToken(db: Db, token: string): Promise<MailAccount> {
    const id = links.accountIdOf(token);
    const account = id === null ? undefined : await queryMailAccounts(db).where("accounts.id", "=", id).executeTakeFirst();
    if (!account || !links.isValid(token, account)) throw new HttpError(404, "This link is invalid, or the account has another email address by now.");
    return account;
  }

  async function setAddressEnabled(tx: Tx, { id, email_key }: MailAccount, enabled: boolean): Promise<void> {
    if (enabled) await tx.deleteFrom("address_opt_outs").where("account_id", "=", id).where("email_key", "=", email_key).execute();
    else
      await tx
        .insertInto("address_opt_outs")
        .values({ account_id: id, email_key, created_at: clock.now() })
        .onConflict((conflicting) => conflicting.doNothing())
        .execute();
    await publish(tx, id);
  }

  const publish = (tx: Tx, accountId: number) => events.append(tx, topicOf.account(accountId), "notification_channels.changed", {});

  const loadOwn = (db: Db, { accountId }: Actor) => queryMailAccounts(db).where("accounts.id", "=", accountId).executeTakeFirstOrThrow();

  async function get(db: Db, actor: Actor): Promise<MailSettings> {
    const account = await loadOwn(db, actor);
    return {
      email: account.email,
      enabled: account.opted_out_at === null,
      address_status: await loadAddressStatus(db, account, confirmation.toAddressTag(account.email_key), clock.now()),
    };
  }

  return {
    async get(actor: Actor): Promise<MailSettings> {
      assertCan(actor, "self", {}, "");
      return get(database.read, actor);
    },

    /** Does not subscribe an address again that was unsubscribed by a link: its reader decides. */
    async update(actor: Actor, enabled: boolean): Promise<MailSettings> {
      assertCan(actor, "self", {}, "");
      return database.write(async (tx) => {
        await events.lock(tx, topicOf.account(actor.accountId));
        const account = await loadOwn(tx, actor);
        if (enabled === (account.opted_out_at !== null)) {
          if (enabled) await tx.deleteFrom("mail_opt_outs").where("account_id", "=", account.id).execute();
          else await tx.insertInto("mail_opt_outs").values({ account_id: account.id, created_at: clock.now() }).execute();
          await publish(tx, account.id);
        }
        return get(tx, actor);
      });
    },

    async preview(token: string): Promise<MailLink> {
      const block = confirmation.readBlock(token);
      if (block) return toBlockView(!(await isBlocked(database.read, block.addressTag)));
      return toView(await findByToken(database.read, token));
    },

    /** Unsubscribes the address, or subscribes it again: whoever has the link reads the mailbox. The link of a confirmation email blocks the address. */
    useLink: (token: string, enabled: boolean): Promise<MailLink> =>
      database.write(async (tx) => {
        const block = confirmation.readBlock(token);
        if (!block) {
          const account = await findByToken(tx, token);
          await events.lock(tx, topicOf.account(account.id));
          if (enabled && account.opted_out_at !== null) await tx.deleteFrom("mail_opt_outs").where("account_id", "=", account.id).execute();
          if (enabled ? !isSubscribed(account) : account.opted_out_by_link_at === null) await setAddressEnabled(tx, account, enabled);
          return { ...toView(account), enabled };
        }
        const { accountId, addressTag } = block;
        await events.lock(tx, topicOf.account(accountId));
        if (enabled) await tx.deleteFrom("blocked_addresses").where("address_tag", "=", addressTag).execute();
        else
          await tx
            .insertInto("blocked_addresses")
            .values({ address_tag: addressTag, created_at: clock.now() })
            .onConflict((conflicting) => conflicting.doNothing())
            .execute();
        const account = await queryMailAccounts(tx).where("accounts.id", "=", accountId).executeTakeFirst();
        if (account && confirmation.toAddressTag(account.email_key) === addressTag) await setAddressEnabled(tx, account, enabled);
        return toBlockView(enabled);
      }),
  };
}
