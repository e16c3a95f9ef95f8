import type { Page } from "@playwright/test";
import { expectAccessible } from "../../fixtures/axe.ts";
import { startDocumentedService, type DocumentedService } from "../../fixtures/documented-service/service.ts";
import { PROJECT } from "../../fixtures/documented-service/records.ts";
import { expect, test as base } from "../../fixtures/network.ts";

const test = base.extend<{ documented: DocumentedService }>({
  // eslint-disable-next-line no-empty-pattern
  documented: async ({}, use) => {
    const service = await startDocumentedService({ basePath: "/service" });
    await use(service);
    await service.close();
  },
});

const address = (page: Page) => page.getByRole("textbox", { name: "Address" });
const token = (page: Page) => page.getByRole("textbox", { name: "Access token" });
const stored = (page: Page) => page.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage), document.cookie]));

test("an address is validated while it is typed, and what is found there is said in plain words", async ({ open, organization, documented, pageErrors }) => {
  pageErrors.allow(/Failed to load resource|CORS|Access-Control-Allow-Origin|ERR_CONNECTION_REFUSED|ERR_FAILED/);
  const page = await open(null, `${organization.service.url}/sign-in`);
  await page.getByRole("link", { name: "Connect to another service" }).click();
  await expect(page.getByRole("heading", { name: "Connect to a service" })).toBeVisible();
  await expect(address(page)).toBeFocused();

  for (const [text, error] of [
    ["ftp://service.example", "Address must start with https:// or http://."],
    ["https://me:secret@service.example", "Address must not contain a username or password."],
    ["https://service.example/?a=b", "Address must not contain a query (?…) or a fragment (#…)."],
    ["service", "Address must be a web address, such as https://service.example."],
  ] as const) {
    await address(page).fill(text);
    await expect(address(page)).toHaveAccessibleDescription(error);
  }
  await address(page).fill("https:/");
  await expect(address(page)).not.toHaveAttribute("aria-invalid", "true");
  await address(page).fill("http://192.0.2.7");
  await expect(page.getByText("The token would travel unencrypted")).toHaveCount(0);
  await token(page).fill("abc");
  await expect(page.getByText("The token would travel unencrypted")).toBeVisible();
  await expectAccessible(page);

  await test.step("nothing answers", async () => {
    const closed = await startDocumentedService();
    await closed.close();
    await address(page).fill(closed.baseUrl);
    await expect(page.getByText("The token would travel unencrypted")).toHaveCount(0);
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByRole("alert")).toContainText(`npm start -- --upstream ${closed.baseUrl}`);
    await expectAccessible(page);
  });
  await test.step("a service that no page may read", async () => {
    documented.allowedOrigins = [];
    await address(page).fill(documented.baseUrl);
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByText("The server blocks this page")).toBeVisible();
    await expect(page.getByRole("button", { name: "Connect anyway" })).toBeVisible();
    documented.allowedOrigins = "*";
    await page.getByRole("button", { name: "Check again" }).click();
    await expect(page.getByRole("alert")).toContainText("The service refused the token");
    await expect(page.getByRole("button", { name: "Connect anyway" })).toHaveCount(0);
  });
  await test.step("a service with the documented operations", async () => {
    documented.allowedOrigins = "*";
    await address(page).fill(`${documented.baseUrl}/`);
    await token(page).fill(documented.token);
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByText("Found the documented operations")).toBeVisible();
    await expect(page.getByText("It didn't refuse the token.")).toBeVisible();
    await expectAccessible(page);
  });
  await test.step("a wrong token, and a page that is no service", async () => {
    await token(page).fill("wrong");
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByRole("alert")).toContainText("The service refused the token");
    await expect(token(page)).toBeFocused();
    await token(page).fill("“typographic”");
    await expect(token(page)).toHaveAttribute("aria-invalid", "true");
    await token(page).fill("");
    await address(page).fill(new URL(documented.baseUrl).origin);
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByRole("alert")).toContainText("Nothing of this API was found at this address");
  });
  await test.step("this page's own service", async () => {
    await address(page).fill(organization.service.url);
    await token(page).fill("");
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByText(/^Talkback \d/)).toBeVisible();
    await token(page).fill("tb_pat_wrong");
    await page.getByRole("button", { name: "Check address" }).click();
    await expect(page.getByRole("alert")).toContainText("The service refused the token");
    await expect(token(page)).toHaveValue("tb_pat_wrong");
  });
  // Only a press of Connect stores anything.
  expect(await stored(page)).not.toContain("127.0.0.1");
});

/** Connects a page to the documented service. */
async function connectTo(page: Page, service: DocumentedService, withToken = service.token): Promise<void> {
  await address(page).fill(service.baseUrl);
  await token(page).fill(withToken);
  await page.getByRole("button", { name: "Check address" }).click();
  await page.getByRole("button", { name: "Connect", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
}

test("a service with the documented operations has a shell of its own, for this tab only", async ({ open, organization, documented, pageErrors }) => {
  pageErrors.allow(/the server responded with a status of (401|404)/);
  const page = await open(null, `${organization.service.url}/connect`);
  await connectTo(page, documented);
  const host = new URL(documented.baseUrl).host;
  await expect(page.getByRole("navigation", { name: "Main" }).first()).toContainText(host);
  await expect(page.getByText(`${host} offers only the documented operations`)).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("textbox", { name: "Project ID" }).fill("x1");
  await page.getByRole("button", { name: "Open a chat" }).click();
  await expect(page.getByRole("textbox", { name: "Project ID" })).toHaveAccessibleDescription("Enter a number, such as 42.");
  await expect(page.getByRole("textbox", { name: "Project ID" })).toBeFocused();
  // The longest whole number that JavaScript knows has 16 digits.
  await page.getByRole("textbox", { name: "Project ID" }).fill("1234567890123456");
  await page.keyboard.press("Enter");
  await expect(page.getByText("There is no chat with the project ID 1234567890123456")).toBeVisible();
  await page.goBack();
  await page.getByRole("textbox", { name: "Project ID" }).fill(`#${PROJECT}`);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(new RegExp(`/projects/${PROJECT}/chat$`));
  // What was opened is remembered once it is there.
  await expect(page.getByText("Morning!").first()).toBeVisible();
  await page.getByRole("link", { name: "Home", exact: true }).first().click();
  await expect(
    page
      .getByRole("list")
      .filter({ hasText: String(PROJECT) })
      .first(),
  ).toBeVisible();
  await page
    .getByRole("button", { name: /^Remove .* from this device$/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: /^Remove .* from this device$/ })).toHaveCount(0);
  await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeFocused();

  await test.step("nothing else is asked for, and the description only once per page", async () => {
    const asked = documented.undocumentedRequests().length;
    await page.goto(`${organization.service.url}/tasks`);
    await expect(page.getByRole("heading", { name: "Page not found" })).toBeVisible();
    await expectAccessible(page);
    expect(documented.undocumentedRequests().slice(asked)).toEqual(["GET /api/v2/service"]);
    await page.getByRole("link", { name: "Open a chat or a file" }).click();
    await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeFocused();
  });
  await test.step("another tab uses the page's own service", async () => {
    const other = await page.context().newPage();
    await other.goto(organization.service.url);
    await expect(other.getByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(await other.evaluate(() => JSON.stringify([Object.entries(sessionStorage), Object.entries(localStorage)]))).not.toContain(documented.token);
    await other.close();
  });
  await test.step("disconnecting forgets the token and what was opened", async () => {
    await page.goto(`${organization.service.url}/projects/${PROJECT}/chat`);
    await expect(page.getByText("Morning!").first()).toBeVisible();
    expect(await stored(page)).toContain("recents");
    await page.goto(`${organization.service.url}/connect`);
    await expect(page.getByText(`Connected to ${host}`)).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Disconnect" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    for (const text of [documented.token, "recents"]) expect(await stored(page)).not.toContain(text);
    expect(await page.evaluate(() => document.cookie)).not.toContain("127.0.0.1");
  });
});

test("webhook endpoints are created there, and remembered without their secret", async ({ open, organization, documented, pageErrors }) => {
  pageErrors.allow(/the server responded with a status of (400|404|500)/);
  const page = await open(null, `${organization.service.url}/connect`);
  await connectTo(page, documented);
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await expect(page.getByText("The service doesn't list its endpoints")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "New endpoint" }).click();
  const form = page.getByRole("dialog", { name: "New endpoint" });
  await form.getByRole("textbox", { name: "URL" }).fill("https://tools.example/hook");

  const type = form.getByRole("checkbox", { name: "file.status_changed" });
  await type.uncheck();
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByRole("alert")).toHaveText("Choose at least one event.");
  await expect(form.getByRole("checkbox").first()).toBeFocused();
  await expectAccessible(page);
  await type.check();

  documented.badRequestBody = { type: "text/html", text: "<h1>no</h1>" };
  documented.setFailure("webhookEndpoints", 400);
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  await expect(form.getByRole("alert")).not.toContainText("may have created");
  await expect(form.getByRole("textbox", { name: "URL" })).toHaveValue("https://tools.example/hook");
  documented.setFailure("webhookEndpoints", 500);
  await form.getByRole("button", { name: "Create" }).click();
  await expect(form.getByRole("alert")).toContainText("The service may have created the endpoint anyway.");
  documented.setFailure("webhookEndpoints", null);

  await form.getByRole("button", { name: "Create" }).click();
  const created = page.getByRole("dialog", { name: "Endpoint created" });
  await expect(created).toContainText('"state": "listening"');
  await expectAccessible(page);
  expect(documented.webhookEndpoints).toEqual([{ url: "https://tools.example/hook", event_types: ["file.status_changed"] }]);
  await created.getByRole("button", { name: "Done" }).click();
  await page.reload();
  await expect(page.getByRole("heading", { name: "https://tools.example/hook" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Forget https://tools.example/hook" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
  await expect(page.getByText("No endpoints created on this device")).toBeVisible();
  await expect(page.getByRole("button", { name: "New endpoint" })).toBeFocused();
});

test("a refused token is replaced without leaving the view", async ({ open, organization, documented, pageErrors }) => {
  pageErrors.allow(/the server responded with a status of (401|404)/);
  const page = await open(null, `${organization.service.url}/connect`);
  await connectTo(page, documented);
  documented.setFailure("webhookEndpoints", 401);
  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await page.getByRole("button", { name: "New endpoint" }).click();
  const form = page.getByRole("dialog", { name: "New endpoint" });
  await form.getByRole("textbox", { name: "URL" }).fill("https://tools.example/typed");
  await form.getByRole("button", { name: "Create" }).click();
  // Above the form, whose text stays.
  const dialog = page.getByRole("dialog", { name: "Enter another token" });
  await expectAccessible(page);
  documented.setFailure("webhookEndpoints", null);
  await dialog.getByRole("textbox", { name: "Access token" }).fill("another-token");
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(page.getByText("The service refused the access token")).toHaveCount(0);
  await expect(form.getByRole("textbox", { name: "URL" })).toHaveValue("https://tools.example/typed");
  await form.getByRole("button", { name: "Create" }).click();
  await expect(page.getByRole("dialog", { name: "Endpoint created" })).toBeVisible();
  expect(documented.requests.at(-1)?.authorization).toBe("Bearer another-token");
});

test("what a service that describes itself lacks is left out and not asked for", async ({ open, network, organization: { owner } }) => {
  const page = await open(owner, "/icon.svg");
  await network.patchResponse(page, "**/api/v2/service", ({ data, ...rest }) => ({
    ...rest,
    data: { ...(data as object), features: ["projects", "members", "chat", "messages", "files", "files-view", "comments"] },
  }));
  await page.goto(`${owner.url}/settings/profile`);
  await expect(page.getByRole("link", { name: "Members" }).first()).toBeVisible();
  for (const name of ["My tasks", "Webhooks", "API tokens"]) await expect(page.getByRole("link", { name })).toHaveCount(0);
  const requests = network.recordRequests(page, /\/api\/v2\/(tasks|webhook-endpoints|api-tokens|live)/);
  await page.keyboard.press("ControlOrMeta+k");
  await expect(page.getByRole("option", { name: /settings/i }).first()).toBeVisible();
  await expect(page.getByRole("option", { name: /tasks|webhooks|tokens/i })).toHaveCount(0);
  expect(requests).toEqual([]);
});
