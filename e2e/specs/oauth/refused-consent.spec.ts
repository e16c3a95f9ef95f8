import type { Page } from "@playwright/test";
import { LIMITS } from "../../../contract/limits.ts";
import { confirmConsent } from "../../../contract/operations/oauth.ts";
import type { Person } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { allow, APP_NAME, connect, heading, MESSAGE, signInOnPage, test } from "../../fixtures/oauth-test.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { openDatabase, type Service } from "../../fixtures/service.ts";
import { expect } from "../../fixtures/test.ts";

/** Consents of an account within an hour. */
const MAX_CONSENTS = 60;

const alert = (page: Page) => page.getByRole("alert");
const readParameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

function runInDatabase(service: Service, statement: string, ...values: (string | number)[]): void {
  const database = openDatabase(service);
  database.prepare(statement).run(...values);
  database.close();
}

/** Sends the page's form without the page, as the account's browser does. */
async function consentElsewhere({ url, cookie }: Person, page: Page): Promise<number> {
  const body = new URLSearchParams({ ...readParameters(page), decision: "allow" });
  const { status } = await fetch(url + confirmConsent.path, { method: "POST", redirect: "manual", headers: { cookie, origin: url }, body });
  return status;
}

test("a consent is refused: too many apps, too many consents, a form of another page, a deleted registration", async ({
  connected: { owner, app, service },
  open,
  pageErrors,
}) => {
  for (const status of [400, 409]) pageErrors.allow(statusError(status));
  const page = await open(owner, app.url);
  await connect(page);
  await expect(heading(page)).toBeFocused();
  const consentUrl = page.url();

  await test.step("a form that did not come from this page is sent back to it, with the reason", async () => {
    await page.route(`**${confirmConsent.path}`, async (route) => {
      const headers = { ...(await route.request().allHeaders()), origin: "https://elsewhere.example", "sec-fetch-site": "cross-site" };
      await route.fulfill({ response: await route.fetch({ headers, maxRedirects: 0 }) });
    });
    await allow(page).click();
    await expect(alert(page)).toContainText("Your choice didn't come from Talkback's own page, so it was not taken.");
    await expect(heading(page)).toBeFocused();
    await expectAccessible(page);
    await page.unroute(`**${confirmConsent.path}`);
  });

  await test.step("too many consents within an hour: the reason is shown, and the request stays", async () => {
    for (let count = 0; count < MAX_CONSENTS; count += 1) expect(await consentElsewhere(owner, page)).toBe(302);
    await allow(page).click();
    await expect(alert(page)).toContainText("Too many requests. Your choice was not taken. Wait a few minutes, then choose again.");
    expect(readParameters(page)).toEqual({ ...Object.fromEntries(new URL(consentUrl).searchParams), refused: "429" });
    runInDatabase(service, "delete from attempts");
    await expect(allow(page)).toBeEnabled();
    await allow(page).click();
    await expect(page.locator("#chat")).toHaveText(`200: ${MESSAGE}`);
  });

  await test.step("too many connected apps while the page is open: it says so, leads to the list and back to the app", async () => {
    await page.goto(consentUrl);
    await expect(allow(page)).toBeEnabled();
    runInDatabase(
      service,
      `insert into api_tokens (account_id, name, public_id, token_hash, scopes, created_at, expires_at, last_used_at, client_id)
        with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${LIMITS.oauth_grants})
        select account_id, name, 'full' || number, '', scopes, created_at, expires_at, last_used_at, client_id
        from api_tokens, numbers where client_id is not null and last_used_at is not null`,
    );
    await allow(page).click();
    await expect(page.getByRole("heading", { name: "You have too many connected apps" })).toBeVisible();
    await expect(alert(page)).toContainText(`at most ${LIMITS.oauth_grants} connected apps`);
    await expectAccessible(page);
    await page.getByRole("link", { name: "Back to" }).click();
    await expect(page.locator("#state")).toHaveText(`access_denied from ${owner.url}`);
    await page.goto(consentUrl);
    await page.getByRole("link", { name: "Open Connected apps" }).click();
    await expect(page.getByRole("button", { name: `Disconnect ${APP_NAME}` }).first()).toBeVisible();
    runInDatabase(service, "delete from api_tokens where public_id like 'full%'");
  });

  await test.step("a registration that is deleted while the page is open", async () => {
    await page.goto(consentUrl);
    await expect(allow(page)).toBeEnabled();
    runInDatabase(service, "update oauth_clients set public_id = 'deleted ' || id");
    await allow(page).click();
    await expect(page.getByRole("heading", { name: "This request doesn't work" })).toBeVisible();
    await expect(alert(page)).toContainText("its registration has expired");
    await expect(allow(page)).toHaveCount(0);
  });
});

test("a session that ends while the page is open leads through sign-in back to the same request", async ({ connected: { owner, app }, open, pageErrors }) => {
  pageErrors.allow(statusError(401));
  const page = await open(owner, app.url);
  await connect(page);
  await expect(allow(page)).toBeEnabled();
  const parameters = readParameters(page);
  expect(Object.keys(parameters).toSorted()).toEqual(
    ["client_id", "code_challenge", "code_challenge_method", "redirect_uri", "response_type", "scope", "state"].toSorted(),
  );
  await page.context().clearCookies();
  await allow(page).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await signInOnPage(page, owner);
  await expect(heading(page)).toBeFocused();
  expect(readParameters(page)).toEqual({ ...parameters, refused: "401" });
  await expect(alert(page)).toContainText("You were signed out, or another account signed in, before you chose.");
  await allow(page).click();
  await expect(page.locator("#chat")).toHaveText(`200: ${MESSAGE}`);
});

test("a request that another tab has allowed, or that the back button shows again, takes nothing from the app", async ({ connected: { owner, app }, open }) => {
  const page = await open(owner, app.url);
  await connect(page);
  await expect(allow(page)).toBeEnabled();
  const tab = await page.context().newPage();
  await tab.goto(page.url());
  await expect(allow(tab)).toBeEnabled();
  await allow(page).click();
  await expect(page.locator("#chat")).toHaveText(`200: ${MESSAGE}`);

  await test.step("the other tab gets a second code, which the app does not expect and nobody exchanges", async () => {
    await tab.bringToFront();
    await expect(allow(tab)).toBeEnabled();
    await allow(tab).click();
    await expect(tab).toHaveURL(new RegExp(`^${app.url}/\\?code=`));
    await tab.getByRole("button", { name: "Read again" }).click();
    await expect(tab.locator("#chat")).toHaveText(`200: ${MESSAGE}`);
  });

  await test.step("the back button shows the request again, and Cancel leaves the connection", async () => {
    await page.bringToFront();
    await page.goBack();
    await expect(heading(page)).toBeVisible();
    await expect(allow(page)).toBeEnabled();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.locator("#state")).toHaveText(`access_denied from ${owner.url}`);
    await page.getByRole("button", { name: "Read again" }).click();
    await expect(page.locator("#chat")).toHaveText(`200: ${MESSAGE}`);
  });

  await test.step("Connected apps lists one connection", async () => {
    await page.goto(`${owner.url}/settings/apps`);
    await expect(page.getByRole("button", { name: `Disconnect ${APP_NAME}` })).toHaveCount(1);
  });
});
