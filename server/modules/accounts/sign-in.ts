/** First-run setup, sign-in, and password reset by link. */
import { nameKey } from "../../../contract/text.ts";
import { audit } from "../../access/audit.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Row, Tx } from "../../db/schema.ts";
import { hashSecret, secretsEqual } from "../../lib/crypto.ts";
import { conflict, HttpError, forbidden, unauthorized } from "../../lib/errors.ts";
import { toRateLimitNetwork } from "../../lib/network.ts";
import { sessionExpiresAt } from "./authentication.ts";
import { createAccount } from "./create-account.ts";
import { endAccess, type AccessDeps, isPasswordResetAuthorized } from "./issued-access.ts";
import { assertStrongPassword, hashPassword, verifyPassword } from "./passwords.ts";
import { startSession, type Device } from "./sessions.ts";
import {
  assertNotThrottled,
  insertAttempts,
  recordFailedSignIn,
  recordFailure,
  releaseAttempts,
  reserveAttemptWithAny,
  throttleBuckets,
  type Bucket,
} from "./throttle.ts";

/** How many of an account's latest sign-ins tell the networks that it knows. */
const MAX_KNOWN_SIGN_INS = 200;

export interface SignInResult {
  account: Row<"accounts">;
  organisation: Row<"organisations">;
  sessionId: number;
  /** For the session cookie only. */
  token: string;
}

export interface PasswordResetPreview {
  username: string;
  email: string;
  expiresAt: number;
  /** Number of API tokens and connected apps that still work. */
  tokenCount: number;
  /** True if the tokens end in any case. */
  endsTokens: boolean;
}

export interface NewOrganisation {
  organisation: string;
  username: string;
  email: string;
  password: string;
}

/** Creates what every new organization has: a team with the owner as member, file statuses and a task template. */
export type OnOrganisationCreated = (tx: Tx, organisation: Row<"organisations">, owner: Row<"accounts">) => Promise<void>;

export function createSignIn(deps: AccessDeps, options: { setupToken: string; onOrganisationCreated: OnOrganisationCreated }) {
  const { database, clock } = deps;

  async function openSession(tx: Tx, account: Row<"accounts">, device: Device, method: Parameters<typeof startSession>[4]): Promise<SignInResult> {
    const session = await startSession(tx, deps, account, device, method);
    const organisation = await tx.selectFrom("organisations").selectAll().where("id", "=", account.organisation_id).executeTakeFirstOrThrow();
    return { account, organisation, sessionId: session.id, token: session.token };
  }

  /** Creates the organization with its owner. Throws a 409 if the username or email address is taken. */
  async function insertOrganisation(tx: Tx, newOrganisation: NewOrganisation, passwordHash: string): Promise<Row<"accounts">> {
    const now = clock.now();
    const organisation = await tx
      .insertInto("organisations")
      .values({ name: newOrganisation.organisation.trim(), created_at: now })
      .returningAll()
      .executeTakeFirstOrThrow();
    const owner = await createAccount(tx, database.engine, now, {
      organisationId: organisation.id,
      role: "owner",
      username: newOrganisation.username,
      email: newOrganisation.email,
      passwordHash,
    });
    await options.onOrganisationCreated(tx, organisation, owner);
    await audit(tx, now, { organisationId: organisation.id, accountId: owner.id, action: "organisation.created", target: `organisation:${organisation.id}` });
    return owner;
  }

  /** Returns whether the account has signed in from this network before, according to the audit log, or this browser is still signed in to it. */
  async function isKnownDevice(account: Row<"accounts">, { address, sessionToken }: Device & { sessionToken: string | undefined }): Promise<boolean> {
    if (sessionToken !== undefined) {
      const session = await database.read.selectFrom("sessions").selectAll().where("token_hash", "=", hashSecret(sessionToken)).executeTakeFirst();
      if (session?.account_id === account.id && sessionExpiresAt(session) > clock.now()) return true;
    }
    const signIns = await database.read
      .selectFrom("audit")
      .select("address")
      .where("organisation_id", "=", account.organisation_id)
      .where("account_id", "=", account.id)
      .where("action", "=", "session.started")
      .orderBy("id", "desc")
      .limit(MAX_KNOWN_SIGN_INS)
      .execute();
    const network = toRateLimitNetwork(address);
    return signIns.some((signIn) => signIn.address !== null && toRateLimitNetwork(signIn.address) === network);
  }

  const invalidResetError = () => new HttpError(404, "This link is invalid, expired or already used. Ask for a new one.");
  /** True for a reset link that an admin created for somebody else, not for one of the command line. */
  const isByOther = (reset: { id: number; created_by: number | null }): boolean => reset.created_by !== null && reset.created_by !== reset.id;

  /** Returns the account of a reset link, with the link. Throws a 404 if the link cannot be used, a 429 after too many guesses. */
  async function loadPasswordReset(token: string, device: Device) {
    const buckets = throttleBuckets.passwordReset(device.address);
    await assertNotThrottled(database.read, clock.now(), buckets);
    const reset = await database.read
      .selectFrom("password_resets")
      .innerJoin("accounts", "accounts.id", "password_resets.account_id")
      .selectAll("accounts")
      .select(["password_resets.id as reset_id", "password_resets.created_by", "password_resets.expires_at"])
      .where("token_hash", "=", hashSecret(token))
      .where("used_at", "is", null)
      .where("revoked_at", "is", null)
      .where("expires_at", ">", clock.now())
      .where("disabled_at", "is", null)
      .executeTakeFirst();
    if (reset && (await isPasswordResetAuthorized(database.read, reset, reset.role))) return reset;
    await recordFailure(database, clock.now(), buckets, device.address);
    throw invalidResetError();
  }

  return {
    /** True until the first owner exists. */
    async setupRequired(): Promise<boolean> {
      return (await database.read.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) === undefined;
    },

    async setUp(token: string, newOrganisation: NewOrganisation, device: Device): Promise<SignInResult> {
      const buckets = throttleBuckets.setup(device.address);
      await assertNotThrottled(database.read, clock.now(), buckets);
      if (!secretsEqual(token, options.setupToken)) {
        await recordFailure(database, clock.now(), buckets, device.address);
        throw forbidden("This setup link is invalid. Find the current one in the service's log.");
      }
      assertStrongPassword(newOrganisation.password, "password", [newOrganisation.username, newOrganisation.email]);
      const passwordHash = await hashPassword(newOrganisation.password);
      return database.write(async (tx) => {
        await acquireAdvisoryLock(tx, database.engine, "setup");
        if (await tx.selectFrom("accounts").select("id").limit(1).executeTakeFirst()) throw conflict("Talkback is already set up. Sign in instead.");
        return openSession(tx, await insertOrganisation(tx, newOrganisation, passwordHash), device, "setup link");
      });
    },

    /** For the command line: creates another organization with its owner. */
    async createOrganisation(newOrganisation: NewOrganisation): Promise<Row<"accounts">> {
      assertStrongPassword(newOrganisation.password, "password", [newOrganisation.username, newOrganisation.email]);
      const passwordHash = await hashPassword(newOrganisation.password);
      return database.write((tx) => insertOrganisation(tx, newOrganisation, passwordHash));
    },

    /**
     * Signs in by username or email address. An email address may belong to an account in several organizations: the password decides. Throws a 409 with
     * the organizations if it fits several and `organisationId` names none of them.
     */
    async signIn(
      { login, password, organisationId }: { login: string; password: string; organisationId: number | undefined },
      device: Device & { sessionToken: string | undefined },
    ): Promise<SignInResult> {
      const { address } = device;
      const key = nameKey(login);
      await assertNotThrottled(database.read, clock.now(), throttleBuckets.failedSignIns(address));
      // Matches one column only, so that a username that looks like an email address cannot block that address's owner.
      let query = database.read
        .selectFrom("accounts")
        .selectAll()
        .where(key.includes("@") ? "email_key" : "username_key", "=", key);
      if (organisationId !== undefined) query = query.where("organisation_id", "=", organisationId);
      const found = await query.orderBy("id").execute();
      // Unknown names cost as much as known ones, and have a limit of their own.
      const candidates: { account: Row<"accounts"> | null; everywhere: Bucket | null }[] =
        found.length === 0 ? [{ account: null, everywhere: throttleBuckets.signInsOfAccount(key) }] : [];
      for (const account of found)
        candidates.push({ account, everywhere: (await isKnownDevice(account, device)) ? null : throttleBuckets.signInsOfAccount(account.id) });
      const nameInNetwork = throttleBuckets.signInsOfName(key, address);
      // Whoever takes the address in an organization of their own must not lock its owner out of the others, so accounts at their limit are left out.
      const { attempts, full } = await reserveAttemptWithAny(
        database,
        clock.now(),
        [...throttleBuckets.pendingSignIns(address), nameInNetwork],
        candidates.map(({ everywhere }) => everywhere),
      );
      const open = candidates.filter(({ everywhere }) => everywhere === null || !full.includes(everywhere));

      const matching: Row<"accounts">[] = [];
      for (const { account } of open) if ((await verifyPassword(account?.password_hash ?? null, password)) && account) matching.push(account);
      if (matching.length === 0) {
        const accounts = open.flatMap(({ account }) => account ?? []);
        const everywhere = open.flatMap((candidate) => candidate.everywhere ?? []);
        await recordFailedSignIn(database, clock.now(), { accounts, nameInNetwork, everywhere, address, countsForNetwork: full.length === 0 });
        // The password may be that of an account which was left out.
        await assertNotThrottled(database.read, clock.now(), full);
        throw unauthorized("Wrong email or password.");
      }
      const enabled = matching.filter(({ disabled_at }) => disabled_at === null);
      const [account, other] = enabled;
      if (!account) throw forbidden("This account is disabled. Contact an admin of your organization.");
      if (other) {
        await database.write((tx) => releaseAttempts(tx, attempts));
        const organisations = await database.read
          .selectFrom("organisations")
          .select(["id", "name"])
          .where(
            "id",
            "in",
            enabled.map(({ organisation_id }) => organisation_id),
          )
          .orderBy("id")
          .execute();
        throw new HttpError(409, "You have an account in several organizations. Choose one.", { extensions: { organisations } });
      }
      const signIns = throttleBuckets.passwordSignIns(account.id);
      await assertNotThrottled(database.read, clock.now(), [signIns]).catch(async (error: unknown) => {
        await database.write((tx) => releaseAttempts(tx, attempts));
        throw error;
      });
      return database.write(async (tx) => {
        await releaseAttempts(tx, attempts);
        await insertAttempts(tx, clock.now(), [signIns]);
        // Rejects the sign-in if the password changed while the old one was being verified.
        const updated = await tx
          .updateTable("accounts")
          .set({ last_seen_at: clock.now() })
          .where("id", "=", account.id)
          .where("password_hash", "=", account.password_hash)
          .where("disabled_at", "is", null)
          .returningAll()
          .executeTakeFirst();
        if (!updated) throw unauthorized("Wrong email or password.");
        return openSession(tx, updated, device, "password");
      });
    },

    async previewPasswordReset(token: string, device: Device): Promise<PasswordResetPreview> {
      const reset = await loadPasswordReset(token, device);
      const tokens = await database.read
        .selectFrom("api_tokens")
        .select((eb) => eb.fn.countAll<number>().as("count"))
        .where("account_id", "=", reset.id)
        .where("revoked_at", "is", null)
        .where(({ or, eb }) => or([eb("expires_at", "is", null), eb("expires_at", ">", clock.now())]))
        .executeTakeFirstOrThrow();
      return { username: reset.username, email: reset.email, expiresAt: reset.expires_at, tokenCount: tokens.count, endsTokens: isByOther(reset) };
    },

    /**
     * Redeems a reset link: sets the password, ends all sessions and signed URLs and signs in on this device. API tokens end unless `endTokens` is false,
     * and always with a link that somebody else created: whoever asks an admin for help may have lost more than the password.
     */
    async resetPassword(token: string, password: string, endTokens: boolean, device: Device): Promise<SignInResult> {
      const resetAccount = await loadPasswordReset(token, device);
      assertStrongPassword(password, "password", [resetAccount.username, resetAccount.email]);
      const passwordHash = await hashPassword(password);
      return database.write(async (tx) => {
        const now = clock.now();
        const used = await tx
          .updateTable("password_resets")
          .set({ used_at: now })
          .where("id", "=", resetAccount.reset_id)
          .where("used_at", "is", null)
          .where("revoked_at", "is", null)
          .executeTakeFirst();
        if (Number(used.numUpdatedRows) === 0) throw invalidResetError();
        const account = await tx
          .updateTable("accounts")
          .set({ password_hash: passwordHash })
          .where("id", "=", resetAccount.id)
          .returningAll()
          .executeTakeFirstOrThrow();
        const ended = await endAccess(tx, deps, account.id, { tokens: endTokens || isByOther(resetAccount) });
        await audit(tx, now, {
          organisationId: account.organisation_id,
          accountId: account.id,
          action: "password.reset",
          target: `account:${account.id}`,
          address: device.address,
          detail: { ...ended },
        });
        return openSession(tx, account, device, "reset link");
      });
    },
  };
}
