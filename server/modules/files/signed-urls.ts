/**
 * URLs of a file's bytes that work without signing in. Each is bound to the session or token that created it and ends with it (decision 033), and works
 * as long as the account sees the file.
 */
import { createHmac } from "node:crypto";
import type { Actor } from "../../access/access.ts";
import { auditActor } from "../../access/audit.ts";
import type { Db, Row } from "../../db/schema.ts";
import type { Content } from "../../http/send-bytes.ts";
import { DAY, HOUR } from "../../lib/clock.ts";
import { secretsEqual } from "../../lib/crypto.ts";
import { HttpError, unauthorized } from "../../lib/errors.ts";
import { iso } from "../../lib/iso-time.ts";
import type { UrlSigner } from "../accounts/authentication.ts";
import type { FilesDeps } from "./deps.ts";
import type { Variant } from "./presenter.ts";
import type { Versions } from "./versions.ts";

export interface SigningDeps {
  signingKey: Buffer;
  /** Returns null if the session or token has ended. */
  loadUrlSigner(credential: Pick<Actor, "sessionId" | "tokenId">): Promise<UrlSigner | null>;
}

/** File, version, variant, session (`s12`) or token (`t12`), generation, end. */
const TOKEN = /^((\d+)\.(\d+)\.(original|compressed|still|thumbnail)\.([st])(\d+)\.(\d+)\.(\d+))\.([\w-]{43})$/;

const COPIES = ["compressed", "still", "thumbnail"] as const satisfies Variant[];

export function createSignedUrls({ database, clock, signingKey, loadUrlSigner, versions }: FilesDeps & SigningDeps & { versions: Versions }) {
  const mac = (payload: string): string => createHmac("sha256", signingKey).update(payload).digest("base64url");

  /** Returns today's audit entry of this file, account and token. */
  const findEntry = (db: Db, { organisationId, accountId, tokenId }: Actor, fileId: number): Promise<Pick<Row<"audit">, "id" | "detail"> | undefined> =>
    db
      .selectFrom("audit")
      .select(["id", "detail"])
      .where("organisation_id", "=", organisationId)
      .where("target", "=", `file:${fileId}`)
      .where("account_id", "=", accountId)
      .where("token_id", tokenId === null ? "is" : "=", tokenId)
      .where("action", "=", "file.url_signed")
      .where("created_at", ">=", Math.floor(clock.now() / DAY) * DAY)
      .orderBy("id", "desc")
      .limit(1)
      .executeTakeFirst();
  const isCovered = (entry: { detail: string } | undefined, expiresAt: number): boolean =>
    entry !== undefined && Date.parse((JSON.parse(entry.detail) as { expires_at: string }).expires_at) >= expiresAt;

  /**
   * Records one entry for each file, account, token and day, with the latest end of its URLs: a program that asks for one URL after the other must not
   * bury the rest of the audit log.
   */
  async function recordSigning(actor: Actor, fileId: number, expiresAt: number): Promise<void> {
    if (isCovered(await findEntry(database.read, actor, fileId), expiresAt)) return;
    await database.write(async (tx) => {
      const entry = await findEntry(tx, actor, fileId);
      if (isCovered(entry, expiresAt)) return;
      const detail = { expires_at: iso(expiresAt) };
      if (!entry) return auditActor(tx, clock.now(), actor, "file.url_signed", `file:${fileId}`, detail);
      await tx
        .updateTable("audit")
        .set({ detail: JSON.stringify(detail) })
        .where("id", "=", entry.id)
        .execute();
    });
  }

  return {
    /** Returns tokens for a variant and for each copy that the version has. */
    async sign(
      actor: Actor,
      fileId: number,
      input: { number: number | null; variant: Variant; seconds: number },
    ): Promise<{ token: string; copies: Partial<Record<Variant, string>>; expiresAt: number }> {
      const { version } = await versions.loadAuthorizedVersion(actor, fileId, input.number);
      const signer = await loadUrlSigner(actor);
      if (!signer) throw unauthorized("Your session or token has ended.");
      // Rounds up to the hour, so that repeated calls return the same URL and caches work.
      const expiresAt = Math.min(Math.ceil((clock.now() + input.seconds * 1_000) / HOUR) * HOUR, signer.expiresAt);
      const credential = actor.tokenId === null ? `s${actor.sessionId}` : `t${actor.tokenId}`;
      const sign = (variant: Variant): string => {
        const payload = [fileId, version.number, variant, credential, signer.generation, expiresAt].join(".");
        return `${payload}.${mac(payload)}`;
      };
      await recordSigning(actor, fileId, expiresAt);
      const copies = COPIES.filter((variant) => version[`${variant}_key`] !== null);
      return {
        token: sign(input.variant),
        copies: Object.fromEntries((["original", ...copies] as const).map((variant) => [variant, sign(variant)])),
        expiresAt,
      };
    },

    /** Returns the bytes that a signed URL names. Throws a 404 if it is invalid, has expired, or its session, token or access to the file has ended. */
    async open(token: string): Promise<Content> {
      const expiredError = new HttpError(404, "This link is invalid or has expired.");
      const [, payload, fileId, number, variant, kind, id, generation, expiresAt, signature] = TOKEN.exec(token) ?? [];
      if (!payload || !signature || !secretsEqual(mac(payload), signature) || Number(expiresAt) <= clock.now()) throw expiredError;
      const signer = await loadUrlSigner(kind === "t" ? { tokenId: Number(id), sessionId: null } : { sessionId: Number(id), tokenId: null });
      if (!signer || signer.generation !== Number(generation)) throw expiredError;
      return versions.content(signer.actor, Number(fileId), Number(number), variant as Variant);
    },
  };
}
