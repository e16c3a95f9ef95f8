/** The page of the web client that asks for consent: its address, what its form may lead to, and the errors that browsers see there. */
import type { FastifyRequest } from "fastify";
import { authorize, confirmConsent, getConsent } from "../../../contract/operations/oauth.ts";
import type { RouteContext } from "../../http/module.ts";
import type { AuthorizationParameters } from "./authorization.ts";
import { consentFormSources } from "./redirect-uris.ts";
import type { OAuthServices } from "./services.ts";

const CONSENT_PAGE = "/authorize";
const PARAMETERS = Object.keys(getConsent.query.shape);

/** Returns the page's address with the parameters of the authorization, also the repeated ones, and without all others. */
export function consentPageUrl(parameters: AuthorizationParameters | Record<string, unknown>, refused?: number): string {
  const known = PARAMETERS.flatMap((name) => {
    const value = (parameters as Record<string, unknown>)[name];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => (typeof one === "string" && one !== "" ? [[name, one]] : []));
  });
  return `${CONSENT_PAGE}?${new URLSearchParams([...known, ...(refused === undefined ? [] : [["refused", String(refused)]])])}`;
}

/** Also errors from before the handler are shown there. A request with an API token comes from a program. */
export function sendBrowsersToPage({ server }: RouteContext): void {
  server.addHook("onSend", (request, reply, payload, done) => {
    const { operation } = request.routeOptions.config;
    if ((operation !== authorize && operation !== confirmConsent) || reply.statusCode < 400 || !acceptsHtml(request)) return done(null, payload);
    const sent = (operation === authorize ? request.query : request.body) as Record<string, unknown> | undefined;
    if (operation === confirmConsent && sent && "api_token" in sent) return done(null, payload);
    const parameters = sent ?? parametersOfReferrer(request);
    // The page finds the reasons of other errors by itself, because it asks for the same consent.
    const refused = operation === authorize || reply.statusCode === 400 ? undefined : reply.statusCode;
    for (const name of ["content-type", "content-length", "www-authenticate"]) void reply.removeHeader(name);
    void reply.code(302).header("Cache-Control", "no-store").header("Location", consentPageUrl(parameters, refused));
    done(null, "");
  });
}

/** Returns the parameters of the consent page that sent a form whose body was refused unread, for example because of its origin. */
function parametersOfReferrer({ headers: { referer = "", host } }: FastifyRequest): Record<string, string[]> {
  const page = URL.parse(referer);
  if (page?.host !== host || page?.pathname !== CONSENT_PAGE) return {};
  return Object.fromEntries([...new Set(page.searchParams.keys())].map((name) => [name, page.searchParams.getAll(name)]));
}

const acceptsHtml = ({ headers }: FastifyRequest): boolean => headers.accept?.includes("text/html") ?? false;

/**
 * Lets the form of the consent page, and no other, be redirected to the client: browsers apply `form-action` to every redirect that follows. The form's request
 * must name its origin, which browsers leave out without a referrer, because a service without https gets no `Sec-Fetch-Site`.
 */
export function letConsentPageRedirect({ server }: RouteContext, { authorization }: OAuthServices): void {
  server.addHook("onSend", async (request, reply, payload) => {
    const policy = reply.getHeader("content-security-policy");
    if (request.method !== "GET" || request.url.split("?", 1)[0]?.replace(/\/$/, "") !== CONSENT_PAGE || typeof policy !== "string") return payload;
    void reply.header("referrer-policy", "same-origin");
    const { client_id, redirect_uri } = request.query as Record<string, unknown>;
    if (typeof client_id !== "string" || typeof redirect_uri !== "string") return payload;
    const destination = await authorization.findDestination({ client_id, redirect_uri }).catch(() => null);
    if (destination)
      void reply.header("content-security-policy", policy.replace("form-action 'self'", `form-action 'self' ${consentFormSources(destination.redirectUri)}`));
    return payload;
  });
}
