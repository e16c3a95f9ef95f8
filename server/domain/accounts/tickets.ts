/** One-time tickets for the live channel, for clients whose WebSocket can send neither cookie nor header. */
import { SECOND } from "../../lib/clock.ts";
import { hashSecret, newSecret } from "../../lib/secrets.ts";
import { assertCan, type Actor } from "../access.ts";
import type { DomainDeps } from "../deps.ts";

const TICKET_TTL_MS = 30 * SECOND;

export function createTickets({ database, clock }: DomainDeps) {
  return {
    async issue(actor: Actor): Promise<{ ticket: string; expiresAt: number }> {
      assertCan(actor, "self", { own: true }, "");
      const ticket = newSecret();
      const expiresAt = clock.now() + TICKET_TTL_MS;
      await database.write(async (tx) => {
        await tx.deleteFrom("live_tickets").where("expires_at", "<", clock.now()).execute();
        await tx
          .insertInto("live_tickets")
          .values({ token_hash: hashSecret(ticket), account_id: actor.accountId, session_id: actor.sessionId, token_id: actor.tokenId, expires_at: expiresAt })
          .execute();
      });
      return { ticket, expiresAt };
    },
    /** Returns the authorization behind a ticket and deletes the ticket; null if it is unknown, used or expired. */
    redeem(ticket: string): Promise<Pick<Actor, "sessionId" | "tokenId"> | null> {
      return database.write(async (tx) => {
        const row = await tx.deleteFrom("live_tickets").where("token_hash", "=", hashSecret(ticket)).returningAll().executeTakeFirst();
        return row && row.expires_at > clock.now() ? { sessionId: row.session_id, tokenId: row.token_id } : null;
      });
    },
  };
}
