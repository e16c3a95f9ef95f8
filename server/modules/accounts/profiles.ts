/** The profile of an account: what its person says about themselves, and its change, which is published to everybody who sees the person. */
import type { WorkingHours } from "../../../contract/account-profile.ts";
import { nameKey } from "../../../contract/text.ts";
import { assertCan, loadAuthorizedAccount, type Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { renamePersonInValues } from "../../db/metadata-keys.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { topicOf } from "../../events/log.ts";
import { forbidden } from "../../lib/errors.ts";
import { assertNamesAvailable, lockAccounts, toNameTakenError } from "./create-account.ts";
import { presentAccount } from "./presenter.ts";

/** A member that is undefined stays as it is; null removes the value. */
export interface ProfileChanges {
  username: string | undefined;
  email: string | undefined;
  userInfo: string | undefined;
  timeZone: string | null | undefined;
  locale: string | null | undefined;
  workingHours: WorkingHours | null | undefined;
}

/** Publishes the current account to its organization. */
export const publishAccountUpdated = (tx: Tx, { events, publicUrl }: Pick<ModuleDeps, "events" | "publicUrl">, account: Row<"accounts">): Promise<unknown> =>
  events.append(tx, topicOf.organisation(account.organisation_id), "account.updated", {
    ...presentAccount(account, publicUrl),
    role: account.role,
    disabled: account.disabled_at !== null,
  });

const toColumns = ({ username, email, userInfo, timeZone, locale, workingHours }: Partial<ProfileChanges>) => ({
  ...(username === undefined ? {} : { username: username.trim(), username_key: nameKey(username) }),
  ...(email === undefined ? {} : { email: email.trim(), email_key: nameKey(email) }),
  ...(userInfo === undefined ? {} : { user_info: userInfo }),
  ...(timeZone === undefined ? {} : { time_zone: timeZone }),
  ...(locale === undefined ? {} : { locale }),
  ...(workingHours === undefined
    ? {}
    : { working_hours: workingHours && JSON.stringify({ ...workingHours, days: workingHours.days.toSorted((a, b) => a - b) }) }),
});

/**
 * Changes the profile of an account and publishes it; the caller has locked the accounts (`lockAccounts`) if it changes the name. Throws a 409 if a name is
 * taken.
 */
export async function changeProfile(
  tx: Tx,
  { database, clock, events, publicUrl }: Pick<ModuleDeps, "database" | "clock" | "events" | "publicUrl">,
  before: Pick<Row<"accounts">, "id" | "organisation_id">,
  changes: Partial<ProfileChanges>,
): Promise<Row<"accounts">> {
  const { username, email } = changes;
  const changesNames = username !== undefined || email !== undefined;
  if (changesNames)
    await assertNamesAvailable(tx, { organisationId: before.organisation_id, username, email }, { exceptId: before.id, invitesAt: clock.now() });
  const account = await tx
    .updateTable("accounts")
    // The id prevents an empty SET clause if nothing changes.
    .set({ ...toColumns(changes), id: before.id })
    .where("id", "=", before.id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw toNameTakenError(error);
    });
  if (username !== undefined) await renamePersonInValues(tx, before.id, account.username);
  if (changesNames) await indexRecords(tx, database.engine, "account", [before.id]);
  await publishAccountUpdated(tx, { events, publicUrl }, account);
  return account;
}

/** Runs in the transaction that changes an account's address. */
export type OnEmailChanged = (tx: Tx, accountId: number) => Promise<void>;

export function createProfiles(deps: ModuleDeps, onEmailChanged: OnEmailChanged) {
  const { database, clock } = deps;
  return {
    /** Returns the account of a person whom the actor sees. */
    get: (actor: Actor, id: number): Promise<Row<"accounts">> => loadAuthorizedAccount(database.read, actor, "account.read", id),

    async getOwn(actor: Actor): Promise<Row<"accounts">> {
      assertCan(actor, "self", {}, "");
      return database.read.selectFrom("accounts").selectAll().where("id", "=", actor.accountId).executeTakeFirstOrThrow();
    },

    /** Changes the actor's own profile. Throws a 403 if a token changes a name to sign in with, a 409 if the name is taken. */
    update(actor: Actor, changes: ProfileChanges): Promise<Row<"accounts">> {
      const { username, email } = changes;
      const changesSignIn = username !== undefined || email !== undefined;
      if (actor.scopes !== null && changesSignIn) throw forbidden("An API token cannot change the name or email address. Sign in with a browser.");
      return database.write(async (tx) => {
        assertCan(actor, "self", {}, "");
        if (username !== undefined) await lockAccounts(tx, database.engine, actor.organisationId);
        const before = await tx.selectFrom("accounts").selectAll().where("id", "=", actor.accountId).executeTakeFirstOrThrow();
        const account = await changeProfile(tx, deps, before, changes);
        const target = `account:${actor.accountId}` as const;
        if (account.username !== before.username)
          await auditActor(tx, clock.now(), actor, "account.renamed", target, { from: before.username, to: account.username });
        if (account.email !== before.email)
          await auditActor(tx, clock.now(), actor, "account.email_changed", target, { from: before.email, to: account.email });
        if (account.email_key !== before.email_key) await onEmailChanged(tx, account.id);
        return account;
      });
    },
  };
}
