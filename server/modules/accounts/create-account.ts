/** Creates accounts in the caller's transaction and checks that their names are unique. Decision 034 gives the rules. */
import unhomoglyph from "unhomoglyph";
import type { Role } from "../../../contract/records.ts";
import { LIMITS } from "../../../contract/limits.ts";
import { formatCount, nameKey } from "../../../contract/text.ts";
import type { Actor } from "../../access/access.ts";
import type { Engine } from "../../db/database.ts";
import { isUniqueViolationOf, isUniqueViolation } from "../../db/engine-errors.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { indexRecords } from "../../db/search-documents.ts";
import { newSecret } from "../../lib/crypto.ts";
import { forbidden, HttpError } from "../../lib/errors.ts";

interface NewAccount {
  organisationId: number;
  role: Role;
  username: string;
  /** null: the account of an agent, which has none. */
  email: string | null;
  passwordHash: string | null;
  /** The email address is the one that was invited. */
  isInvited?: boolean;
}

/** Returns the UTS 39 skeleton of a name: what remains of it to the eye. It is only for comparing. */
const skeleton = (name: string): string => unhomoglyph(name.normalize("NFD")).normalize("NFD");

interface Skeletons {
  written: string;
  folded: string;
}
/** About 10 MB. Beyond it, names whose skeletons were computed first are computed anew. */
const MAX_CACHED_NAMES = 50_000;
/** The skeletons of names that were compared before: computing them takes a hundred times as long as comparing them. */
const cachedSkeletons = new Map<string, Skeletons>();

function skeletonsOf(name: string): Skeletons {
  const cached = cachedSkeletons.get(name);
  if (cached) return cached;
  const computed = computeSkeletons(name);
  cachedSkeletons.set(name, computed);
  if (cachedSkeletons.size > MAX_CACHED_NAMES) cachedSkeletons.delete(cachedSkeletons.keys().next().value!);
  return computed;
}

/** Returns the skeletons under which a name is compared: of the name as it is written, and of its folded form. */
function computeSkeletons(name: string): Skeletons {
  const normal = name.normalize("NFKC").replaceAll(/\s+/gu, " ").trim();
  // Upper case first, because it folds what has no lower-case counterpart of its own, such as "ß".
  return { written: skeleton(normal), folded: skeleton(normal.toUpperCase().toLowerCase()).toLowerCase() };
}

/** Returns which of these names people could take for `name`, as "оwner" with a Cyrillic о for "owner", or "lvan" for "Ivan". */
export function findLookAlike(name: string, others: readonly string[]): string | undefined {
  const { written, folded } = computeSkeletons(name);
  return others.find((other) => {
    const skeletons = skeletonsOf(other);
    return skeletons.written === written || skeletons.folded === folded;
  });
}

const conflictOf = (path: "username" | "email", detail: string, message: string) => new HttpError(409, detail, { errors: [{ path, message }] });
const nameTakenError = (path: "username" | "email") =>
  conflictOf(path, path === "email" ? "An account with this email address already exists." : "This name is already taken.", "is already taken");

export interface NamesToCheck {
  organisationId: number;
  username?: string | undefined;
  email?: string | undefined;
}

/**
 * Throws a 409 with the field's path unless the names are free. Usernames must be unlike those of all accounts, and not look like another one of the
 * organization; email addresses are unique within the organization, where open invites reserve them. `exceptId`: the account that changes its names.
 * `invitesAt`: the time at which invites must not reserve the address; null if the address is the one that was invited.
 */
export async function assertNamesAvailable(
  db: Db,
  { organisationId, username, email }: NamesToCheck,
  { exceptId = 0, invitesAt }: { exceptId?: number; invitesAt: number | null },
): Promise<void> {
  if (username !== undefined) {
    const taken = await db.selectFrom("accounts").select("id").where("username_key", "=", nameKey(username)).executeTakeFirst();
    if (taken && taken.id !== exceptId) throw nameTakenError("username");
    const colleagues = await db.selectFrom("accounts").select(["id", "username"]).where("organisation_id", "=", organisationId).execute();
    const own = colleagues.find(({ id }) => id === exceptId)?.username;
    // Names that looked alike before this rule existed may stay.
    const others = colleagues.flatMap((colleague) => (colleague.id === exceptId ? [] : [colleague.username]));
    if (username.trim() !== own && findLookAlike(username, others) !== undefined)
      throw conflictOf("username", "This name looks like another person's. Choose a different one.", "looks like another person's name");
  }
  if (email !== undefined) {
    const key = nameKey(email);
    const account = await db.selectFrom("accounts").select("id").where("email_key", "=", key).where("organisation_id", "=", organisationId).executeTakeFirst();
    if (account && account.id !== exceptId) throw nameTakenError("email");
    if (account || invitesAt === null) return;
    const invites = await db
      .selectFrom("invites")
      .select("email")
      .where("organisation_id", "=", organisationId)
      .where("email", "is not", null)
      .where("used_at", "is", null)
      .where("revoked_at", "is", null)
      .where("expires_at", ">", invitesAt)
      .execute();
    if (invites.some((invite) => invite.email !== null && nameKey(invite.email) === key))
      throw conflictOf("email", "This email address was invited with a link of its own. Use that link, or a different address.", "is reserved for an invite");
  }
}

/** Converts a unique violation to the 409 of `assertNamesAvailable`, because two concurrent requests may both find a name available. */
export function toNameTakenError(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return nameTakenError(isUniqueViolationOf(error, "email_key") ? "email" : "username");
}

/** Serializes changes of roles, access, names and the number of accounts. Not by the organization's topic, which others lock last, after rows and projects. */
export const lockAccounts = (tx: Tx, engine: Engine, organisationId: number): Promise<void> =>
  acquireAdvisoryLock(tx, engine, `accounts of organization ${organisationId}`);

/** Does so for a change that the actor's role decides, and returns the actor with their role of this moment. Throws a 403 if they are disabled by now. */
export async function lockAccountsFor(tx: Tx, engine: Engine, actor: Actor): Promise<Actor> {
  await lockAccounts(tx, engine, actor.organisationId);
  const current = await tx.selectFrom("accounts").select(["role", "disabled_at"]).where("id", "=", actor.accountId).executeTakeFirst();
  if (!current || current.disabled_at !== null) throw forbidden("Your account is disabled.");
  return { ...actor, role: current.role };
}

/** Throws a 409 if the organization has as many enabled accounts as it can have. The caller has called `lockAccounts`. */
export async function assertNotFull(tx: Tx, organisationId: number): Promise<void> {
  const { count } = await tx
    .selectFrom("accounts")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("organisation_id", "=", organisationId)
    .where("disabled_at", "is", null)
    .executeTakeFirstOrThrow();
  if (count >= LIMITS.people)
    throw new HttpError(409, `An organization can have at most ${formatCount(LIMITS.people)} people. Ask an admin to disable an account first.`);
}

/** Creates the account. Throws a 409 if a name is taken or the organization is full. The caller has called `lockAccounts`. */
export async function createAccount(tx: Tx, engine: Engine, now: number, account: NewAccount): Promise<Row<"accounts">> {
  await assertNotFull(tx, account.organisationId);
  const { organisationId, username, email } = account;
  await assertNamesAvailable(tx, { organisationId, username, email: email ?? undefined }, { invitesAt: account.isInvited ? null : now });
  try {
    const row = await tx
      .insertInto("accounts")
      .values({
        organisation_id: organisationId,
        role: account.role,
        username: username.trim(),
        username_key: nameKey(username),
        email: email?.trim() ?? "",
        // Nobody finds an agent by this key: it is no address.
        email_key: email === null ? `agent ${newSecret()}` : nameKey(email),
        is_agent: email === null ? 1 : 0,
        user_info: "",
        password_hash: account.passwordHash,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await indexRecords(tx, engine, "account", [row.id]);
    return row;
  } catch (error) {
    throw toNameTakenError(error);
  }
}
