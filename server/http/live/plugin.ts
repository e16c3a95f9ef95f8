/** `GET /api/v2/live`: authorizes the WebSocket upgrade. A rejected upgrade returns an ordinary problem response. */
import websocket from "@fastify/websocket";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { IncomingMessage } from "node:http";
import type { Actor } from "../../access/access.ts";
import { HttpError, forbidden, invalid, unauthorized } from "../../lib/errors.ts";
import { bearerChallenge, isSameOriginSocket, type Authenticator } from "../authenticator.ts";
import type { LiveDeps } from "./live-deps.ts";
import { createLive, MAX_SOCKETS_PER_ACCOUNT, type Live, type LiveTiming } from "./live.ts";

export const LIVE_PATH = "/api/v2/live";
/** A new connection loads the permissions of its account. */
const CONNECT_COST = 5;
const MAX_FRAME_BYTES = 16 * 1024;
const MAX_TICKET_CHARACTERS = 256;

/** True for upgrades to the live channel; any other upgrade request is handled as a normal request. */
export const isLiveUpgrade = ({ method, url, headers }: IncomingMessage): boolean =>
  method === "GET" && url?.split("?", 1)[0] === LIVE_PATH && headers.upgrade?.toLowerCase() === "websocket";

export interface LivePluginOptions {
  deps: LiveDeps;
  authenticator: Pick<Authenticator, "identify" | "limitRate" | "publicUrl">;
  /** Redeems a one-time ticket for the session or token behind it. */
  redeem(ticket: string): Promise<Pick<Actor, "sessionId" | "tokenId" | "accessTokenId"> | null>;
  timing?: Partial<LiveTiming> | undefined;
}

export async function registerLive(server: FastifyInstance, { deps, authenticator, redeem, timing }: LivePluginOptions): Promise<Live> {
  const live = createLive(deps, timing);
  const actors = new WeakMap<FastifyRequest, Actor>();

  async function authenticateTicket(ticket: unknown): Promise<Actor> {
    if (typeof ticket !== "string" || ticket === "" || ticket.length > MAX_TICKET_CHARACTERS) throw invalid("ticket", "must be a single ticket");
    const authorization = await redeem(ticket);
    const actor = authorization && (await deps.permissionLookup.reauthenticate(authorization));
    if (!actor) throw unauthorized("This ticket is invalid, expired or already used.");
    return actor;
  }

  async function authorize(request: FastifyRequest, reply: FastifyReply): Promise<Actor> {
    const { ticket } = request.query as { ticket?: unknown };
    if (ticket !== undefined) {
      authenticator.limitRate(request, reply, null, CONNECT_COST);
      return authenticateTicket(ticket);
    }
    const actor = await authenticator.identify(request, reply);
    authenticator.limitRate(request, reply, actor, CONNECT_COST);
    if (!actor) {
      reply.header("WWW-Authenticate", bearerChallenge(authenticator.publicUrl));
      throw unauthorized("Sign in, send an API token as Authorization: Bearer <token>, or open with a ticket.");
    }
    // A browser sends the cookie from any site's page, so a session needs the origin check. A page cannot set the header of a token.
    if (actor.sessionId !== null && !isSameOriginSocket(request.headers, authenticator.publicUrl))
      throw forbidden("This connection did not come from Talkback's own page.");
    return actor;
  }

  await server.register(async (scope) => {
    await scope.register(websocket, {
      options: { perMessageDeflate: false, maxPayload: MAX_FRAME_BYTES, clientTracking: false },
      errorHandler: (error, socket) => {
        // A broken connection or frame: the WebSocket protocol closes it.
        if ("code" in error) return;
        deps.warn(error, "a live connection could not be set up");
        socket.terminate();
      },
      async preClose() {
        server.server.removeAllListeners("upgrade");
        await live.close();
      },
    });
    scope.route({
      method: "GET",
      url: LIVE_PATH,
      async preValidation(request, reply) {
        const actor = await authorize(request, reply);
        server.countForAccount(request, actor);
        if (!request.ws) throw invalid("Upgrade", "must be websocket: this is the live updates endpoint");
        if (live.hasReachedSocketLimit(actor.accountId))
          throw new HttpError(429, `One account can have ${MAX_SOCKETS_PER_ACCOUNT} live connections at a time.`, { retryAfter: 30 });
        actors.set(request, actor);
      },
      handler: (_request, reply) => reply.code(204).send(),
      wsHandler(socket, request) {
        const actor = actors.get(request);
        if (actor) live.accept(socket, actor);
        else socket.terminate();
      },
    });
  });
  return live;
}
