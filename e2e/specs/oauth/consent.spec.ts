import { authorize } from "../../../contract/operations/oauth.ts";
import { createStorageState, joinByInvite } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { allow, APP_NAME, connect, heading, signInOnPage, test } from "../../fixtures/oauth-test.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { dialog } from "../../fixtures/pages.ts";
import { expect } from "../../fixtures/test.ts";

test("an app of another origin is connected by consent, reads the chat in the browser, and loses access under Connected apps", async ({
  connected: { owner, app },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(401));
  const page = await open(null, app.url);

  await test.step("the link leads through sign-in to the consent", async () => {
    await connect(page);
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    const documentResponse = page.waitForResponse((response) => /\/authorize\?/.test(response.url()) && response.request().isNavigationRequest());
    await signInOnPage(page, owner);
    await expect(heading(page)).toBeFocused();
    const main = page.getByRole("main");
    for (const text of [APP_NAME, "Unverified", `Sends you to an app on this computer (\u2068${new URL(app.url).host}\u2069)`, owner.email, "Northlight Audio"])
      await expect(main).toContainText(text);
    await expect(main.getByRole("listitem")).toHaveText([/^See your profile/, /^Read chats in your projects.*It can't post/]);
    await expectAccessible(page);
    // Otherwise the form would be sent without its origin, by which a service on plain http tells our own page from others: only secure origins get Sec-Fetch-Site.
    expect((await (await documentResponse).allHeaders())["referrer-policy"]).toBe("same-origin");
  });

  await test.step("Allow leads back to the app, which exchanges the code and reads the chat", async () => {
    await allow(page).click();
    await expect(page.locator("#state")).toHaveText("connected: account:read chat:read");
    await expect(page.locator("#chat")).toHaveText("200: Only for friends");
  });

  const settings = await page.context().newPage();
  await test.step("Connected apps shows what it may do, and disconnects it", async () => {
    await settings.goto(`${owner.url}/settings/apps`);
    const row = settings.getByRole("listitem").filter({ hasText: APP_NAME });
    await expect(row).toContainText("127.0.0.1");
    await expect(row).toContainText("Last used just now");
    await expect(row.getByRole("list", { name: `What ${APP_NAME} can do` }).getByRole("listitem")).toHaveText([
      /^See your profile/,
      "Read chats in your projects",
    ]);
    await expectAccessible(settings);
    await row.getByRole("button", { name: `Disconnect ${APP_NAME}` }).click();
    await dialog(settings, /^Disconnect/)
      .getByRole("button", { name: "Disconnect" })
      .click();
    await expect(settings.getByText("No connected apps")).toBeVisible();
    await expect(settings.getByRole("heading", { name: "Connected apps" })).toBeFocused();
    await expectAccessible(settings);
    await page.getByRole("button", { name: "Read again" }).click();
    await expect(page.locator("#chat")).toHaveText(/^401/);
  });

  await test.step("Cancel gives the app access_denied, and after the back button the page works again", async () => {
    await connect(page);
    await expect(heading(page)).toBeFocused();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.locator("#state")).toHaveText(`access_denied from ${owner.url}`);
    await page.goBack();
    await expect(allow(page)).toBeEnabled();
    await allow(page).click();
    await expect(page.locator("#chat")).toHaveText("200: Only for friends");
    // A page that stays open learns of it.
    await expect(settings.getByRole("listitem").filter({ hasText: APP_NAME })).toBeVisible();
  });

  await test.step("a callback that leads on to a third origin leads the person there", async () => {
    const third = app.url.replace("127.0.0.1", "localhost");
    app.leadOnTo(third);
    await connect(page);
    await allow(page).click();
    await expect(page.getByText("Arrived")).toBeVisible();
    expect(page.url()).toMatch(new RegExp(`^${third}/\\?code=`));
  });
});

test("nothing is approved by accident: not by a key in the moment in which the page appears, not by its link, not for another account", async ({
  connected: { owner, app },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(400));
  const page = await open(owner, app.url);
  await page.clock.install();

  await test.step("a key or click right after the window got the focus does nothing", async () => {
    await connect(page);
    await expect(allow(page)).toBeEnabled();
    await page.clock.pauseAt(new Date(Date.now() + 60_000));
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await expect(allow(page)).toHaveAttribute("aria-disabled", "true");
    await allow(page).focus();
    await page.keyboard.press("Enter");
    await allow(page).dispatchEvent("click");
    await page.clock.runFor(600);
    await expect(allow(page)).toHaveAttribute("aria-disabled", "true");
    await page.clock.runFor(100);
    await expect(allow(page)).toBeEnabled();
    expect(page.url()).toMatch(/\/authorize\?/);
    await page.clock.resume();
  });

  await test.step("a link can add neither an answer nor somebody else's token to the form", async () => {
    await page.goto(`${page.url()}&decision=allow&api_token=tb_pat_x`);
    await expect(allow(page)).toBeEnabled();
    expect(await page.locator("form input").evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).name))).toEqual([
      "client_id",
      "redirect_uri",
      "response_type",
      "scope",
      "state",
      "code_challenge",
      "code_challenge_method",
      "account_id",
    ]);
  });

  await test.step("errors are shown and lead nowhere, but offer to go back to an app whose address is valid", async () => {
    const consentUrl = new URL(page.url());
    const errors: [change: (parameters: URLSearchParams) => void, message: RegExp, hasLinkBack: boolean][] = [
      [(parameters) => parameters.set("client_id", "unknown"), /not registered/, false],
      [(parameters) => parameters.set("redirect_uri", "https://evil.example/"), /redirect_uri/, false],
      [(parameters) => parameters.append("scope", "admin"), /“scope” more than once/, false],
      [(parameters) => parameters.delete("code_challenge"), /PKCE/, true],
    ];
    const back = page.getByRole("link", { name: "Back to" });
    const authorization = new URL(authorize.path, owner.url);
    for (const [change, message, hasLinkBack] of errors) {
      const url = new URL(consentUrl);
      change(url.searchParams);
      // The service leads a browser to the page, never to the app, also if it is signed in.
      authorization.search = url.search;
      await page.goto(authorization.href);
      await expect(page).toHaveURL(new RegExp(`^${owner.url}/authorize\\?`));
      await expect(page.getByRole("heading", { name: "This request doesn't work" })).toBeVisible();
      await expect(page.getByRole("alert")).toContainText(message);
      await expect(page.getByRole("button", { name: "Allow" })).toHaveCount(0);
      await expect(back).toHaveCount(hasLinkBack ? 1 : 0);
    }
    await expectAccessible(page);
    await back.click();
    await expect(page.locator("#state")).toHaveText(`invalid_request from ${owner.url}`);
    await page.goto(consentUrl.href);
  });

  await test.step("the consent of an account that another one has replaced meanwhile is not taken", async () => {
    await expect(allow(page)).toBeEnabled();
    const other = await joinByInvite(owner, "Ben Other", "member");
    await page.context().addCookies(createStorageState(other).cookies);
    await allow(page).click();
    await expect(page.getByRole("main")).toContainText(other.email);
    await expect(page.getByRole("alert")).toContainText("another account signed in, before you chose");
    await expect(heading(page)).toBeFocused();
  });

  await test.step("who signs out comes back to the consent with another account", async () => {
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await signInOnPage(page, owner);
    await expect(heading(page)).toBeFocused();
    await allow(page).click();
    await expect(page).toHaveURL(new RegExp(`^${app.url}/`));
  });
});

test("the consent belongs to the service of its own address, also in a browser that uses another service", async ({
  connected: { owner, app },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(401));
  const page = await open(null, `${owner.url}/icon.svg`);
  const elsewhere = JSON.stringify({ baseUrl: "https://elsewhere.example", token: "tb_pat_x" });
  await page.evaluate((stored) => window.localStorage.setItem("talkback.connection", stored), elsewhere);
  await page.goto(app.url);
  await connect(page);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.reload();
  await signInOnPage(page, owner);
  await expect(page.getByRole("main")).toContainText(owner.email);
  await allow(page).click();
  await expect(page.locator("#chat")).toHaveText("200: Only for friends");
});
