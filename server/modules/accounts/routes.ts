/** Routes of sessions, members, profiles and API tokens. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { SCOPES } from "../../../contract/define-operation.ts";
import { LIMITS } from "../../../contract/limits.ts";
import * as accounts from "../../../contract/operations/accounts.ts";
import { listAuditEntries } from "../../../contract/operations/audit.ts";
import * as session from "../../../contract/operations/session.ts";
import type { Row } from "../../db/schema.ts";
import type { SessionCookie } from "../../http/authenticator.ts";
import type { RouteContext } from "../../http/module.ts";
import { encodeCursor, parsePage } from "../../http/paging.ts";
import { list, single } from "../../http/responses.ts";
import type { Route } from "../../http/route.ts";
import { iso, parseTime } from "../../lib/iso-time.ts";
import { clientAddress } from "../../lib/network.ts";
import { sessionExpiresAt } from "./authentication.ts";
import { presentAccount, presentMember, presentOrganisation, presentPasswordReset, presentToken } from "./presenter.ts";
import type { AccountServices } from "./services.ts";
import type { Device } from "./sessions.ts";
import type { SignInResult } from "./sign-in.ts";

export function registerAccountRoutes(route: Route, services: AccountServices, access: SessionAccess, serviceInfo: RouteContext["serviceInfo"]): void {
  registerSessionRoutes(route, services, access, serviceInfo);
  registerMemberRoutes(route, services, access.publicUrl);
  registerTokenRoutes(route, services);
  registerAuditRoutes(route, services);
}

function registerSessionRoutes(route: Route, services: AccountServices, access: SessionAccess, serviceInfo: RouteContext["serviceInfo"]): void {
  const { cookie, publicUrl } = access;
  route(session.getService, async () =>
    single("service", {
      name: "Talkback",
      version: serviceInfo.version,
      features: [...serviceInfo.features],
      limits: { ...LIMITS, upload_bytes: serviceInfo.maxUploadBytes },
      setup_required: await services.signIn.setupRequired(),
    }),
  );
  route(session.setUp, async ({ body, request, reply }) => openSession(access, reply, await services.signIn.setUp(body.token, body, deviceOf(request))));
  route(session.signIn, async ({ body, request, reply }) =>
    openSession(
      access,
      reply,
      await services.signIn.signIn(
        { login: body.login, password: body.password, organisationId: body.organisation_id },
        { ...deviceOf(request), sessionToken: cookie.read(request) },
      ),
    ),
  );
  route(session.resetPassword, async ({ body, request, reply }) =>
    openSession(access, reply, await services.signIn.resetPassword(body.token, body.password, body.end_tokens ?? true, deviceOf(request))),
  );
  route(session.previewPasswordReset, async ({ body, request }) => {
    const preview = await services.signIn.previewPasswordReset(body.token, deviceOf(request));
    return single("password_reset_preview", {
      username: preview.username,
      email: preview.email,
      api_tokens: preview.tokenCount,
      ends_tokens: preview.endsTokens,
      expires_at: iso(preview.expiresAt),
    });
  });
  route(session.getSession, async ({ actor }) => {
    const { account, organisation } = await services.members.loadAccountWithOrganisation(actor);
    return single("session", {
      account: presentAccount(account, publicUrl),
      organisation: presentOrganisation(organisation),
      role: actor.role,
      scopes: [...(actor.scopes ?? SCOPES)],
      authorized_by: actor.scopes === null ? "session" : "token",
      session_id: actor.sessionId,
    });
  });
  route(session.signOut, async ({ actor, reply }) => {
    if (actor.sessionId !== null) await services.sessions.signOut(actor, actor.sessionId);
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
    return single("live_ticket", { ticket, expires_at: iso(expiresAt) });
  });
}

function registerMemberRoutes(route: Route, services: AccountServices, publicUrl: string): void {
  route(accounts.getAccount, async ({ actor, body }) =>
    single("account", presentAccount(await services.profiles.get(actor, body?.account_id ?? actor.accountId), publicUrl)),
  );
  route(accounts.listMembers, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const page = await services.members.list(actor, after, limit);
    return list(
      page.members.map(({ account, projectIds }) => presentMember(account, projectIds, publicUrl)),
      { next_cursor: encodeCursor(page.next) },
    );
  });
  route(accounts.updateMember, async ({ actor, params, body }) => {
    const { account, projectIds } = await services.members.update(actor, params.account_id, body);
    return single("member", presentMember(account, projectIds, publicUrl));
  });
  route(accounts.transferOwnership, async ({ actor, params, body }) => {
    const { account, projectIds } = await services.ownership.transfer(actor, params.account_id, body.password, body.step_down === true);
    return single("member", presentMember(account, projectIds, publicUrl));
  });
  route(accounts.updateOrganisation, async ({ actor, body }) => single("organisation", presentOrganisation(await services.ownership.rename(actor, body.name))));
  route(accounts.createPasswordReset, async ({ actor, params }) => {
    const { url, expiresAt } = await services.members.createPasswordReset(actor, params.account_id);
    return single("password_reset", { url, expires_at: iso(expiresAt) });
  });
  route(accounts.listPasswordResets, async ({ actor }) => list((await services.members.listPasswordResets(actor)).map(presentPasswordReset)));
  route(accounts.revokePasswordReset, ({ actor, params }) => services.members.revokePasswordReset(actor, params.reset_id).then(() => undefined));
  route(accounts.changePassword, ({ actor, body }) =>
    services.members.changePassword(actor, body.current_password, body.new_password, body.end_tokens ?? false).then(() => undefined),
  );
}

function registerAuditRoutes(route: Route, services: AccountServices): void {
  route(listAuditEntries, async ({ actor, query }) => {
    const { after, limit } = parsePage(query);
    const filter = { accountId: query.account_id, group: query.group, from: parseTime(query.from) ?? undefined, to: parseTime(query.to) ?? undefined };
    const { entries, next } = await services.auditLog.list(actor, filter, after, limit);
    return list(entries, { next_cursor: encodeCursor(next) });
  });
}

function registerTokenRoutes(route: Route, services: AccountServices): void {
  route(accounts.listTokens, async ({ actor }) => list((await services.tokens.list(actor)).map(presentToken)));
  route(accounts.createToken, async ({ actor, body, idempotencyKey }) => {
    const expiresAt = body.expires_at ? Date.parse(body.expires_at) : null;
    const { row, token } = await services.tokens.create(actor, { name: body.name, scopes: body.scopes, expiresAt }, idempotencyKey);
    return single("api_token", { ...presentToken(row), ...(token === null ? {} : { token }) });
  });
  route(accounts.revokeToken, ({ actor, params }) => services.tokens.revoke(actor, params.token_id).then(() => undefined));
}

/** Describes the browser or program that signs in. */
export const deviceOf = (request: FastifyRequest): Device => ({ userAgent: request.headers["user-agent"] ?? "", address: clientAddress(request) });

interface SessionAccess {
  cookie: SessionCookie;
  publicUrl: string;
}

/** Sets the session cookie and returns the session's record. */
export function openSession({ cookie, publicUrl }: SessionAccess, reply: FastifyReply, signedIn: SignInResult) {
  cookie.set(reply, signedIn.token);
  return single("session", {
    account: presentAccount(signedIn.account, publicUrl),
    organisation: presentOrganisation(signedIn.organisation),
    role: signedIn.account.role,
    scopes: [...SCOPES],
    authorized_by: "session" as const,
    session_id: signedIn.sessionId,
  });
}

const presentSession = (row: Row<"sessions">, current: boolean) => ({
  id: row.id,
  current,
  user_agent: row.user_agent,
  address: row.address,
  created_at: iso(row.created_at),
  last_seen_at: iso(row.last_seen_at),
  expires_at: iso(sessionExpiresAt(row)),
});
