/** Registered clients (RFC 7591). All are public: a program that many people install can keep no secret. */
import { LIMITS } from "../../../contract/limits.ts";
import { cleanName } from "../../../contract/text.ts";
import type { ModuleDeps } from "../../access/deps.ts";
import type { Engine } from "../../db/database.ts";
import { acquireAdvisoryLock, lockRows } from "../../db/engine-sql.ts";
import type { Db, Row, Tx } from "../../db/schema.ts";
import { HOUR } from "../../lib/clock.ts";
import { newPublicId } from "../../lib/crypto.ts";
import type { HttpError } from "../../lib/errors.ts";
import { reserveAttempt, throttleBuckets } from "../accounts/throttle.ts";
import { oauthError } from "./protocol.ts";
import { findRedirectIssue, redirectHost } from "./redirect-uris.ts";

export type OAuthClient = Row<"oauth_clients">;
export interface ClientMetadata {
  redirect_uris: string[];
  client_name?: string | undefined;
  grant_types?: string[] | undefined;
  response_types?: string[] | undefined;
}

export const GRANT_TYPES = ["authorization_code", "refresh_token"] as const;
const MAX_NAME_CHARACTERS = 80;
/** Registrations at a time. Beyond it the oldest one without a connection is deleted, unless all are newer than an hour. */
const MAX_CLIENTS = 10_000;

export const redirectUrisOf = ({ redirect_uris }: Pick<OAuthClient, "redirect_uris">): string[] => JSON.parse(redirect_uris) as string[];
export const grantTypesOf = ({ grant_types }: Pick<OAuthClient, "grant_types">): string[] => JSON.parse(grant_types) as string[];

/** Clients of which no grant is stored, neither a live nor an ended one. */
export const unusedClients = (db: Db) =>
  db
    .selectFrom("oauth_clients")
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("api_tokens").select("api_tokens.id").whereRef("api_tokens.client_id", "=", "oauth_clients.id"))),
    );

/** Clients whose grants have all ended, and that no webhook endpoint needs. */
const disconnectedClients = (db: Db, now: number) =>
  db.selectFrom("oauth_clients").where(({ not, exists, selectFrom }) =>
    not(
      exists(
        selectFrom("api_tokens")
          .select("api_tokens.id")
          .whereRef("api_tokens.client_id", "=", "oauth_clients.id")
          .where(({ or, and, eb, exists: isThere, selectFrom: from }) =>
            or([
              and([eb("revoked_at", "is", null), eb("expires_at", ">", now)]),
              isThere(from("webhook_endpoints").select("webhook_endpoints.id").whereRef("token_id", "=", "api_tokens.id")),
            ]),
          ),
      ),
    ),
  );

/** Locks clients, so that no consent connects one of them meanwhile (`lockClient`). */
export const lockClients = (tx: Tx, engine: Engine, ids: number[]) =>
  lockRows(tx.selectFrom("oauth_clients").select("id").where("id", "in", ids).orderBy("id"), engine, "update").execute();

/** Keeps a client from being deleted until the transaction ends. Returns false if it has been. */
export const lockClient = async (tx: Tx, engine: Engine, id: number): Promise<boolean> =>
  (await lockRows(tx.selectFrom("oauth_clients").select("id").where("id", "=", id), engine, "share").executeTakeFirst()) !== undefined;

export const unknownClient = (): HttpError => oauthError("invalid_client", "This app is not registered here, or its registration has expired.");

export const findClient = (db: Db, publicId: string): Promise<OAuthClient | undefined> =>
  db.selectFrom("oauth_clients").selectAll().where("public_id", "=", publicId).executeTakeFirst();

/** Returns the name without characters that are invisible or reorder the text around them. */
function toClientName(name: string | undefined, firstRedirect: string): string {
  const visible = cleanName((name ?? "").toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " "), "nowhere");
  if ([...visible].length > MAX_NAME_CHARACTERS)
    throw oauthError("invalid_client_metadata", `client_name must have at most ${MAX_NAME_CHARACTERS} characters.`);
  return visible === "" ? redirectHost(firstRedirect) : visible;
}

/** Leaves out addresses that are not accepted: many clients name one for each way in which they may be reached (RFC 7591, 2). Throws if none is left. */
function toRedirectUris(uris: string[]): string[] {
  if (uris.length === 0 || uris.length > LIMITS.oauth_redirect_uris)
    throw oauthError("invalid_redirect_uri", `redirect_uris must have 1 to ${LIMITS.oauth_redirect_uris} addresses.`);
  const accepted = uris.filter((uri) => findRedirectIssue(uri) === null);
  if (accepted.length === 0) throw oauthError("invalid_redirect_uri", `redirect_uris.0 ${findRedirectIssue(uris[0] ?? "")}.`);
  return [...new Set(accepted)];
}

function toGrantTypes({ grant_types = ["authorization_code"], response_types = ["code"] }: ClientMetadata): string[] {
  if (!grant_types.includes("authorization_code")) throw oauthError("invalid_client_metadata", "grant_types must include authorization_code.");
  if (!response_types.includes("code")) throw oauthError("invalid_client_metadata", "response_types must include code.");
  return GRANT_TYPES.filter((type) => grant_types.includes(type));
}

export function createClients({ database, clock }: Pick<ModuleDeps, "database" | "clock">) {
  async function makeSpace(tx: Tx, now: number): Promise<void> {
    await acquireAdvisoryLock(tx, database.engine, "oauth clients");
    const { count } = await tx
      .selectFrom("oauth_clients")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    if (count < MAX_CLIENTS) return;
    const findOldest = (only?: number) => {
      const oldest = disconnectedClients(tx, now)
        .select("id")
        .where("created_at", "<=", now - HOUR)
        .orderBy("created_at")
        .orderBy("id")
        .limit(1);
      return (only === undefined ? oldest : oldest.where("id", "=", only)).executeTakeFirst();
    };
    const oldest = await findOldest();
    if (oldest) await lockClients(tx, database.engine, [oldest.id]);
    // Somebody may have connected it before the lock.
    if (!oldest || !(await findOldest(oldest.id))) throw oauthError("temporarily_unavailable", "Too many clients are registered. Try again later.", 429);
    const grants = tx.selectFrom("api_tokens").select("id").where("client_id", "=", oldest.id);
    for (const table of ["oauth_codes", "oauth_tokens"] as const) await tx.deleteFrom(table).where("grant_id", "in", grants).execute();
    await tx.deleteFrom("api_tokens").where("client_id", "=", oldest.id).execute();
    await tx.deleteFrom("oauth_clients").where("id", "=", oldest.id).execute();
  }

  return {
    /** Registers a client. Members that this service does not know are ignored, and grant types that it does not have are left out (RFC 7591, 2). */
    async register(metadata: ClientMetadata, address: string): Promise<OAuthClient> {
      const now = clock.now();
      const redirectUris = toRedirectUris(metadata.redirect_uris);
      const values = {
        public_id: `tb_app_${newPublicId()}${newPublicId()}`,
        name: toClientName(metadata.client_name, redirectUris[0] ?? ""),
        redirect_uris: JSON.stringify(redirectUris),
        grant_types: JSON.stringify(toGrantTypes(metadata)),
        created_at: now,
      };
      await reserveAttempt(database, now, throttleBuckets.registrations(address));
      return database.write(async (tx) => {
        await makeSpace(tx, now);
        return tx.insertInto("oauth_clients").values(values).returningAll().executeTakeFirstOrThrow();
      });
    },
    find: (publicId: string): Promise<OAuthClient | undefined> => findClient(database.read, publicId),
  };
}
