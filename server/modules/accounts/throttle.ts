/**
 * Throttles guessing of passwords and links: per network of the caller with limits that rise with its size, per name in a network, and per account over
 * all networks. Records bursts of failures in the audit log. Decision 034 gives the numbers and their reasons.
 */
import { audit, type AuditTargetRef } from "../../access/audit.ts";
import type { Database } from "../../db/database.ts";
import { acquireAdvisoryLock } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { HOUR, MINUTE } from "../../lib/clock.ts";
import { HttpError } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import { toRateLimitNetwork, toRateLimitNetworks } from "../../lib/network.ts";

/** A limit: as many attempts within the window, under the name by which they are stored. */
export interface Bucket {
  name: string;
  max: number;
  windowMs: number;
  /** What there are too many of, if not failed attempts. */
  what?: string;
  /** What the caller can do instead of waiting. */
  advice?: string;
}

const WINDOW_MS = 15 * MINUTE;
const MAX_WINDOW_MS = HOUR;
/** Failures of an IPv4 address or an IPv6 /64, of a /56, and of a /48. */
const NETWORK_FAILURES = [10, 30, 90];
/** Attempts that are being verified, since a whole office may sign in at the same time. */
const NETWORK_PENDING = [50, 100, 200];
const NAME_FAILURES = 10;
/** High, so that a stranger needs ten networks to lock somebody out of those that they have not used before. */
const ACCOUNT_FAILURES = 100;
/** Each is a session and an entry of the audit log, and a program that signs in for every request should have a token instead. */
const ACCOUNT_SIGN_INS = 100;
/** As many failures are a burst, which is recorded once until it pauses for `BURST_GAP_MS`. */
const BURST_FAILURES = 5;
const BURST_GAP_MS = HOUR;

const networkBuckets = (kind: string, address: string, limits: readonly number[]): Bucket[] =>
  toRateLimitNetworks(address).map((network, level) => ({ name: `${kind} ${network}`, max: limits[level] ?? limits.at(-1) ?? 0, windowMs: WINDOW_MS }));

/** OAuth clients that a network registers. */
const NETWORK_REGISTRATIONS = [30, 60, 120];
const ACCOUNT_CONSENTS = 60;
/** Bounds the used refresh tokens, which stay stored until they expire. */
const GRANT_REFRESHES = 60;

export const throttleBuckets = {
  registrations: (address: string) =>
    networkBuckets("register", address, NETWORK_REGISTRATIONS).map((bucket) => ({ ...bucket, windowMs: HOUR, what: "registrations" })),
  /** Apps that an account connects. */
  consents: (accountId: number): Bucket => ({ name: `consents ${accountId}`, max: ACCOUNT_CONSENTS, windowMs: HOUR, what: "connected apps" }),
  /** Refreshes of a connected app. */
  refreshes: (grantId: number): Bucket => ({
    name: `refreshes ${grantId}`,
    max: GRANT_REFRESHES,
    windowMs: HOUR,
    what: "refreshes",
    advice: "An access token is valid for an hour.",
  }),
  setup: (address: string) => networkBuckets("setup", address, NETWORK_FAILURES),
  invite: (address: string) => networkBuckets("invite", address, NETWORK_FAILURES),
  passwordReset: (address: string) => networkBuckets("reset", address, NETWORK_FAILURES),
  failedSignIns: (address: string) => networkBuckets("address", address, NETWORK_FAILURES),
  pendingSignIns: (address: string) => networkBuckets("tries", address, NETWORK_PENDING),
  passwordChange: (accountId: number): Bucket => ({ name: `password ${accountId}`, max: NAME_FAILURES, windowMs: WINDOW_MS }),
  signInsOfName: (name: string, address: string): Bucket => ({
    name: `account ${name} ${toRateLimitNetwork(address)}`,
    max: NAME_FAILURES,
    windowMs: WINDOW_MS,
  }),
  /** All sign-ins of an account, or with a name that no account has. */
  signInsOfAccount: (accountOrName: number | string): Bucket => ({
    name: typeof accountOrName === "number" ? `everywhere ${accountOrName}` : `everywhere name ${accountOrName}`,
    max: ACCOUNT_FAILURES,
    windowMs: HOUR,
    advice: "Sign in from a browser or network that you have used before, or ask an admin for a password reset link.",
  }),
  /** Sign-ins of an account with its password. */
  passwordSignIns: (accountId: number): Bucket => ({
    name: `signed in ${accountId}`,
    max: ACCOUNT_SIGN_INS,
    windowMs: HOUR,
    what: "sign-ins",
    advice: "A program should use an API token, which needs no sign-in.",
  }),
};

const countFailures = async (db: Db, now: number, { name, windowMs }: Bucket): Promise<number> =>
  (
    await db
      .selectFrom("attempts")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("bucket", "=", name)
      .where("created_at", ">", now - windowMs)
      .executeTakeFirstOrThrow()
  ).count;

/** Returns until when a bucket is full; null if it is not. */
async function findFullUntil(db: Db, now: number, { name, max, windowMs }: Bucket): Promise<number | null> {
  const oldest = await db
    .selectFrom("attempts")
    .select("created_at")
    .where("bucket", "=", name)
    .where("created_at", ">", now - windowMs)
    .orderBy("created_at", "desc")
    .offset(max - 1)
    .limit(1)
    .executeTakeFirst();
  return oldest ? oldest.created_at + windowMs : null;
}

/** Throws a 429 with `Retry-After` while a bucket is full. */
export async function assertNotThrottled(db: Db, now: number, buckets: readonly Bucket[]): Promise<void> {
  for (const bucket of buckets) {
    const fullUntil = await findFullUntil(db, now, bucket);
    if (fullUntil === null) continue;
    const { what = "failed attempts", advice } = bucket;
    const seconds = Math.max(1, Math.ceil((fullUntil - now) / 1_000));
    const minutes = Math.ceil(seconds / 60);
    const text = `Too many ${what}. Try again in ${minutes === 1 ? "a minute" : `${minutes} minutes`}.`;
    throw new HttpError(429, advice ? `${text} ${advice}` : text, { retryAfter: seconds });
  }
}

/** Counts an attempt in each of these buckets, and returns the ids of what it stored. */
export async function insertAttempts(tx: Tx, now: number, buckets: readonly Bucket[]): Promise<number[]> {
  await tx
    .deleteFrom("attempts")
    .where("created_at", "<=", now - MAX_WINDOW_MS)
    .execute();
  const rows = await tx
    .insertInto("attempts")
    .values(buckets.map(({ name }) => ({ bucket: name, created_at: now })))
    .returning("id")
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Counts an attempt as failed before it is verified, so that concurrent attempts cannot bypass the limits. Throws a 429 if a bucket is full. After a
 * successful check, the caller passes the returned ids to `releaseAttempts`.
 */
export const reserveAttempt = async (database: Database, now: number, buckets: readonly Bucket[]): Promise<number[]> =>
  (await reserveAttemptWithAny(database, now, buckets, [null])).attempts;

/**
 * Same, with a bucket for each of several alternatives, of which those that are full are left out; null stands for one without a limit. Throws a 429 only
 * if all are full. Returns the buckets that were left out.
 */
export function reserveAttemptWithAny(
  database: Database,
  now: number,
  buckets: readonly Bucket[],
  alternatives: readonly (Bucket | null)[],
): Promise<{ attempts: number[]; full: Bucket[] }> {
  return database.write(async (tx) => {
    const limited = alternatives.filter((bucket) => bucket !== null);
    for (const { name } of [...buckets, ...limited]) await acquireAdvisoryLock(tx, database.engine, name);
    await assertNotThrottled(tx, now, buckets);
    const full: Bucket[] = [];
    for (const bucket of limited) if ((await findFullUntil(tx, now, bucket)) !== null) full.push(bucket);
    if (full.length === alternatives.length) await assertNotThrottled(tx, now, full);
    return { attempts: await insertAttempts(tx, now, [...buckets, ...limited.filter((bucket) => !full.includes(bucket))]), full };
  });
}

export async function releaseAttempts(tx: Tx, attempts: readonly number[]): Promise<void> {
  await tx.deleteFrom("attempts").where("id", "in", attempts).execute();
}

/** Counts a wrong link or setup token of this address. The buckets are those of the address. */
export const recordFailure = (database: Database, now: number, buckets: readonly Bucket[], address: string): Promise<void> =>
  database.write(async (tx) => {
    await insertAttempts(tx, now, buckets);
    const count = await countFailures(tx, now, buckets[0]!);
    if (count >= BURST_FAILURES) await recordBurst(tx, now, { action: "link.failed", account: null, address, count });
  });

/**
 * Counts a failed sign-in to these accounts, or with a name that no account has. `everywhere`: the buckets of the accounts or the name.
 * `countsForNetwork`: false if the password may have been that of an account which was left out; the name in the network, the accounts and the audit log
 * count it anyway.
 */
export const recordFailedSignIn = (
  database: Database,
  now: number,
  {
    accounts,
    nameInNetwork,
    everywhere,
    address,
    countsForNetwork,
  }: { accounts: readonly Row<"accounts">[]; nameInNetwork: Bucket; everywhere: readonly Bucket[]; address: string; countsForNetwork: boolean },
): Promise<void> =>
  database.write(async (tx) => {
    const networks = throttleBuckets.failedSignIns(address);
    if (countsForNetwork) await insertAttempts(tx, now, networks);
    for (const bucket of [networks[0]!, ...everywhere]) {
      if ((await countFailures(tx, now, bucket)) < BURST_FAILURES) continue;
      const count = await countFailures(tx, now, nameInNetwork);
      for (const account of accounts.length > 0 ? accounts : [null]) await recordBurst(tx, now, { action: "sign_in.failed", account, address, count });
      return;
    }
  });

/** Records one entry for a burst of failures, and counts on in it until the burst pauses. */
async function recordBurst(
  tx: Tx,
  now: number,
  { action, account, address, count }: { action: "sign_in.failed" | "link.failed"; account: Row<"accounts"> | null; address: string; count: number },
): Promise<void> {
  let organisationId = account?.organisation_id;
  if (organisationId === undefined) {
    // Guesses that concern no account belong to nobody's log, unless the service has one organization only.
    const [organisation, other] = await tx.selectFrom("organisations").select("id").limit(2).execute();
    if (!organisation || other) return;
    organisationId = organisation.id;
  }
  const target: AuditTargetRef = account ? `account:${account.id}` : `organisation:${organisationId}`;
  const network = toRateLimitNetwork(address);
  const latest = await tx
    .selectFrom("audit")
    .select(["id", "detail"])
    .where("organisation_id", "=", organisationId)
    .where("target", "=", target)
    .where("action", "=", action)
    .where("address", "=", network)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  const earlier = latest && (JSON.parse(latest.detail) as { count: number; last_at: string });
  if (latest && earlier && Date.parse(earlier.last_at) > now - BURST_GAP_MS) {
    const detail = JSON.stringify({ count: earlier.count + 1, last_at: iso(now) });
    await tx.updateTable("audit").set({ detail }).where("id", "=", latest.id).execute();
    return;
  }
  await audit(tx, now, { organisationId, accountId: null, action, target, address: network, detail: { count, last_at: iso(now) } });
}
