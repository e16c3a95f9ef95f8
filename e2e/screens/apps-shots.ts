/** Lists the screenshots of access for other programs: the consent page, connected apps and API tokens. */
import type { Page } from "@playwright/test";
import { LIMITS } from "../../contract/limits.ts";
import { dialog } from "../fixtures/pages.ts";
import { ana, emptyOwner, failRequests, fixedPath, fullShot, limitRequests, main, neverRespond, type SampleApps, type Shot } from "./shot.ts";

const CONSENT = "**/api/v2/oauth/consent?*";
const GRANTS = "**/api/v2/oauth/grants";
const TOKENS = "**/api/v2/api-tokens";
const tokensPath = fixedPath("/settings/tokens");

const consent = (state: string, path: (apps: SampleApps) => string, ready: Shot["ready"], overrides: Partial<Shot> = {}): Shot => ({
  view: "consent",
  state,
  as: ana,
  path: ({ apps }) => path(apps),
  ready,
  ...overrides,
});
const allow = (page: Page) => page.getByRole("button", { name: "Allow", disabled: false });
/** Scrolls to the text just above the buttons. */
const scrollToEnd = (page: Page) => page.getByRole("button", { name: "Allow" }).scrollIntoViewIfNeeded();
const alert = (page: Page) => page.getByRole("alert");
/** The page to which the service returns a browser whose decision it refused with this status. */
const refusedWith = (status: number): Shot => consent(`refused-${status}`, ({ several }) => `${several}&refused=${status}`, alert);
const refuseAsFull = (page: Page) =>
  page.route(CONSENT, (route) =>
    route.fulfill({
      status: 409,
      contentType: "application/problem+json",
      json: {
        object: "error",
        status: 409,
        title: "Conflict",
        detail: `You can have at most ${LIMITS.oauth_grants} connected apps. Disconnect one that you no longer use.`,
        return_url: "https://app.studiosync.example/oauth/callback?error=access_denied",
      },
    }),
  );

const disconnect = (page: Page) =>
  page
    .getByRole("button", { name: /^Disconnect/ })
    .first()
    .click();
/** Keeps the app connected for the other pictures. */
const pretendToDisconnect = (page: Page) =>
  page.route(`${GRANTS}/*`, (route) => (route.request().method() === "DELETE" ? route.fulfill({ status: 204 }) : route.continue()));

const newToken = (page: Page) => page.getByRole("button", { name: "New token" }).first().click();
const withoutActiveTokens = (page: Page) =>
  page.route(TOKENS, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = (await response.json()) as { data: { expires_at: string | null }[] };
    await route.fulfill({ response, json: { ...rest, data: data.filter(({ expires_at }) => expires_at !== null && new Date(expires_at) < new Date()) } });
  });

export const APPS_SHOTS: readonly Shot[] = [
  consent("full", ({ several }) => several, allow),
  consent("writing", ({ writing }) => writing, allow),
  consent("local", ({ local }) => local, allow),
  consent("everything", ({ everything }) => everything, allow),
  consent("guest", ({ everything }) => everything, allow, { as: ({ access }) => access.guest }),
  consent("everything-end", ({ everything }) => everything, allow, { act: scrollToEnd }),
  consent("guest-end", ({ everything }) => everything, allow, { as: ({ access }) => access.guest, act: scrollToEnd }),
  consent("without-pkce", ({ withoutChallenge }) => withoutChallenge, alert),
  consent("foreign-redirect", ({ foreignRedirect }) => foreignRedirect, alert),
  consent("unknown-app", ({ unknownApp }) => unknownApp, alert),
  consent("repeated", ({ several }) => `${several}&scope=admin`, alert),
  consent("too-many-apps", ({ several }) => several, alert, { before: refuseAsFull }),
  ...[401, 403, 429, 500].map(refusedWith),
  consent(
    "loading",
    ({ several }) => several,
    (page) => page.locator(".animate-pulse").first(),
    { before: neverRespond(CONSENT) },
  ),
  consent(
    "limited",
    ({ several }) => several,
    (page) => page.getByRole("button", { name: "Try again" }),
    { before: limitRequests(CONSENT) },
  ),
  consent(
    "error",
    ({ several }) => several,
    (page) => page.getByRole("button", { name: "Try again" }),
    { before: failRequests(CONSENT) },
  ),

  fullShot("settings-apps", fixedPath("/settings/apps"), (page) => page.getByRole("button", { name: /^Disconnect/ }).first()),
  { view: "settings-apps", state: "empty", as: emptyOwner, path: fixedPath("/settings/apps"), ready: (page) => page.getByText("No connected apps") },
  fullShot("settings-apps-disconnect", fixedPath("/settings/apps"), (page) => dialog(page, /^Disconnect/), { act: disconnect }),
  fullShot("settings-apps-disconnected", fixedPath("/settings/apps"), (page) => main(page).getByText("Mix notifier"), {
    before: pretendToDisconnect,
    async act(page) {
      await disconnect(page);
      await dialog(page, /^Disconnect/)
        .getByRole("button", { name: "Disconnect" })
        .click();
      await dialog(page, /^Disconnect/).waitFor({ state: "detached" });
    },
  }),

  fullShot("settings-tokens", tokensPath, (page) => page.getByRole("button", { name: /^Revoke/ }).first()),
  { view: "settings-tokens", state: "empty", as: emptyOwner, path: tokensPath, ready: (page) => page.getByText("No API tokens yet") },
  fullShot("settings-tokens-expired", tokensPath, (page) => page.getByText("No active API tokens"), { before: withoutActiveTokens }),
  fullShot("settings-tokens-revoke", tokensPath, (page) => dialog(page, /^Revoke/), {
    act: (page) =>
      page
        .getByRole("button", { name: /^Revoke/ })
        .first()
        .click(),
  }),
  fullShot("new-token", tokensPath, (page) => dialog(page, "New token"), { act: newToken }),
  fullShot("new-token-errors", tokensPath, (page) => dialog(page, "New token").locator("[aria-invalid=true]").first(), {
    async act(page) {
      await newToken(page);
      const form = dialog(page, "New token");
      const checked = form.getByRole("checkbox", { checked: true });
      for (let left = await checked.count(); left > 0; left -= 1) await checked.first().click();
      await form.getByRole("button", { name: "Create token" }).click();
    },
  }),
  fullShot("new-token-created", tokensPath, (page) => dialog(page, "Your new token"), {
    act: async (page) => {
      await newToken(page);
      await page.getByRole("textbox", { name: "Name" }).fill("Stem exporter");
      await page.getByRole("button", { name: "Create token" }).click();
    },
  }),
];
