import * as session from "../../../../contract/operations/session.ts";
import * as teams from "../../../../contract/operations/teams.ts";
import { SCOPES } from "../../../../contract/define.ts";
import { LIMITS } from "../../../../contract/limits.ts";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Row } from "../../../db/schema.ts";
import { sessionExpiresAt, type Device } from "../../../domain/accounts/sessions.ts";
import type { SignInResult } from "../../../domain/accounts/sign-in.ts";
import { iso, presentAccount, presentOrganisation } from "../../../presenters/records.ts";
import type { SessionCookie } from "../../cookies.ts";
import { list, record } from "../../answers.ts";
import type { Route } from "../../serve.ts";
import type { Services } from "../../services.ts";

const deviceOf = (request: FastifyRequest): Device => ({ userAgent: request.headers["user-agent"] ?? "", address: request.ip });

const presentSession = (row: Row<"sessions">, current: boolean) => ({
  id: row.id,
  current,
  user_agent: row.user_agent,
  address: row.address,
  created_at: iso(row.created_at),
  last_seen_at: iso(row.last_seen_at),
  expires_at: iso(sessionExpiresAt(row)),
});

export function sessionRoutes(
  route: Route,
  services: Services,
  cookie: SessionCookie,
  serviceInfo: { version: string; features: string[]; uploadBytes: number },
): void {
  const startSession = (reply: FastifyReply, signedIn: SignInResult) => {
    cookie.set(reply, signedIn.token);
    return record("session", {
      account: presentAccount(signedIn.account),
      organisation: presentOrganisation(signedIn.organisation),
      role: signedIn.account.role,
      scopes: [...SCOPES],
      authorized_by: "session" as const,
      session_id: signedIn.sessionId,
    });
  };

  route(session.getService, async () =>
    record("service", {
      name: "Talkback",
      version: serviceInfo.version,
      features: serviceInfo.features,
      limits: { ...LIMITS, upload_bytes: serviceInfo.uploadBytes },
      setup_required: await services.signIn.setupRequired(),
    }),
  );
  route(session.setUp, async ({ body, request, reply }) => startSession(reply, await services.signIn.setUp(body.token, body, deviceOf(request))));
  route(session.signIn, async ({ body, request, reply }) => startSession(reply, await services.signIn.signIn(body.login, body.password, deviceOf(request))));
  route(session.resetPassword, async ({ body, request, reply }) =>
    startSession(reply, await services.signIn.resetPassword(body.token, body.password, deviceOf(request))),
  );
  route(teams.acceptInvite, async ({ body, request, reply }) => startSession(reply, await services.invites.accept(body.token, body, deviceOf(request))));
  route(teams.previewInvite, async ({ body, request }) => {
    const { invite, organisation, invitedBy, projects } = await services.invites.preview(body.token, deviceOf(request));
    return record("invite_preview", {
      organisation,
      invited_by: invitedBy,
      role: invite.role,
      email: invite.email,
      projects,
      expires_at: iso(invite.expires_at),
    });
  });

  route(session.getSession, async ({ actor }) => {
    const { account, organisation } = await services.members.organisation(actor);
    return record("session", {
      account: presentAccount(account),
      organisation: presentOrganisation(organisation),
      role: actor.role,
      scopes: [...(actor.scopes ?? SCOPES)],
      authorized_by: actor.scopes === null ? "session" : "token",
      session_id: actor.sessionId,
    });
  });
  route(session.signOut, async ({ actor, reply }) => {
    if (actor.sessionId !== null) await services.sessions.end(actor, actor.sessionId);
    cookie.clear(reply);
    return undefined;
  });
  route(session.listSessions, async ({ actor }) => {
    const rows = await services.sessions.list(actor);
    return list(rows.map((row) => presentSession(row, row.id === actor.sessionId)));
  });
  route(session.endSession, ({ actor, params }) => services.sessions.end(actor, params.session_id).then(() => undefined));
  route(session.endAllSessions, async ({ actor, reply }) => {
    await services.sessions.endAll(actor);
    cookie.clear(reply);
    return undefined;
  });
  route(session.liveTicket, async ({ actor }) => {
    const { ticket, expiresAt } = await services.tickets.issue(actor);
    return record("live_ticket", { ticket, expires_at: iso(expiresAt) });
  });
}
