/** Creates accounts in the caller's transaction and checks that their names are unique. */
import type { Role } from "../../../contract/records.ts";
import { isUniqueViolationOf, isUniqueViolation } from "../../db/engine-errors.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { HttpError } from "../../lib/errors.ts";

interface NewAccount {
  organisationId: number;
  role: Role;
  username: string;
  email: string;
  passwordHash: string | null;
}

/** Returns the key under which names that differ only in case or Unicode form are equal. */
export const nameKey = (name: string): string => name.trim().normalize("NFKC").toLowerCase();

const nameTakenError = (path: "username" | "email") =>
  new HttpError(409, path === "email" ? "An account with this email address already exists." : "This name is already taken.", {
    errors: [{ path, message: "is already taken" }],
  });

/** Throws a 409 with the field's path if the username or email address belongs to another account. */
export async function assertNamesAvailable(db: Db, names: { username?: string; email?: string }, exceptId: number | null): Promise<void> {
  for (const path of ["username", "email"] as const) {
    const name = names[path];
    if (name === undefined) continue;
    const existing = await db.selectFrom("accounts").select("id").where(`${path}_key`, "=", nameKey(name)).executeTakeFirst();
    if (existing && existing.id !== exceptId) throw nameTakenError(path);
  }
}

/** Converts a unique violation to the 409 of `assertNamesAvailable`, because two concurrent requests may both find a name available. */
export function toNameTakenError(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return nameTakenError(isUniqueViolationOf(error, "email_key") ? "email" : "username");
}

export async function createAccount(tx: Tx, now: number, account: NewAccount): Promise<Row<"accounts">> {
  await assertNamesAvailable(tx, account, null);
  try {
    return await tx
      .insertInto("accounts")
      .values({
        organisation_id: account.organisationId,
        role: account.role,
        username: account.username.trim(),
        username_key: nameKey(account.username),
        email: account.email.trim(),
        email_key: nameKey(account.email),
        user_info: "",
        password_hash: account.passwordHash,
        created_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
  } catch (error) {
    throw toNameTakenError(error);
  }
}
