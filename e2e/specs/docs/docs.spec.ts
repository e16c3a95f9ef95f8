import type { Page } from "@playwright/test";
import * as accounts from "../../../contract/operations/accounts.ts";
import { call } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { expect, test } from "../../fixtures/test.ts";

/** Opens the page and lets no request leave the service. Returns the requests that the page tried to send elsewhere. */
async function openOffline(page: Page, origin: string): Promise<string[]> {
  const foreign: string[] = [];
  await page.route(
    (url) => url.origin !== origin,
    (route) => {
      foreign.push(route.request().url());
      return route.abort();
    },
  );
  await page.reload();
  await expect(page.getByRole("heading", { level: 1, name: "Talkback API" })).toBeVisible();
  return foreign;
}

const isDark = (page: Page) => page.evaluate(() => document.body.classList.contains("dark-mode"));

test("the API reference shows every group without signing in, follows the theme of the app, and sends nothing elsewhere", async ({
  organization: { service },
  open,
}) => {
  const { openapi, tags } = (await (await fetch(`${service.url}/openapi.json`)).json()) as { openapi: string; tags: { name: string }[] };
  expect(openapi).toMatch(/^3\.1/);
  const page = await open(null, `${service.url}/docs`);
  const foreign = await openOffline(page, service.url);
  const sidebar = page.getByRole("complementary", { name: /^Sidebar/ });
  for (const { name } of tags) await expect(sidebar.getByRole("link", { name, exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "Download OpenAPI Document" })).toHaveAttribute("href", "/openapi.json");

  // An operation, its responses and the guide of a group open by their addresses.
  await sidebar.getByRole("button", { name: "Open Group - Service" }).click();
  await sidebar.getByRole("link", { name: /^Name, version, features/ }).click();
  await expect(page).toHaveURL(/#tag\/service\/GET\/api\/v2\/service$/);
  await expect(page.getByRole("button", { name: /^Test Request ?\(get \/api\/v2\/service\)$/ })).toBeVisible();
  await sidebar.getByRole("link", { name: "Webhooks", exact: true }).click();
  await expect(page.getByText("timingSafeEqual").first()).toBeVisible();

  // The theme is that of the app, and follows its choice in another tab.
  await page.emulateMedia({ colorScheme: "light" });
  await expect.poll(() => isDark(page)).toBe(false);
  const tab = await page.context().newPage();
  await tab.goto(`${service.url}/docs/style.css`);
  await tab.evaluate(() => localStorage.setItem("talkback.theme", "dark"));
  await expect.poll(() => isDark(page)).toBe(true);
  await tab.evaluate(() => localStorage.removeItem("talkback.theme"));
  await tab.close();
  await expect.poll(() => isDark(page)).toBe(false);

  expect(foreign).toEqual([]);
  await page.unrouteAll();
});

test("the API reference is accessible, and fits a phone", async ({ organization: { service }, open }) => {
  const page = await open(null, `${service.url}/docs#tag/chat`);
  await expect(page.getByRole("heading", { level: 1, name: "Talkback API" })).toBeVisible();
  // The viewer gives the same name to the examples of several responses.
  await expectAccessible(page, undefined, ["landmark-unique"]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test("a request is tried with a pasted token, which is not stored, and never with the session of the browser", async ({
  organization: { service, owner },
  open,
  pageErrors,
}) => {
  const { token = "" } = (await call(owner, accounts.createToken, { body: { name: "Reference", scopes: ["account:read"] } })).data;
  const page = await open(owner, `${service.url}/docs#tag/session/GET/api/v2/session`);
  const foreign = await openOffline(page, service.url);
  const tryRequest = page.getByRole("button", { name: /^Test Request ?\(get \/api\/v2\/session\)$/ });
  const client = page.getByRole("dialog", { name: "API Client" });
  const send = client.getByRole("button", { name: /^Send get request/ });
  pageErrors.allow(statusError(401));
  await tryRequest.click();
  await send.click();
  await expect(client.getByText("401 Unauthorized")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(client).toHaveCount(0);

  await page.getByPlaceholder("Token").first().fill(token);
  await tryRequest.click();
  const sent = page.waitForRequest(`${service.url}/api/v2/session`);
  await send.click();
  const headers = await (await sent).allHeaders();
  expect([headers["authorization"], headers["cookie"]]).toEqual([`Bearer ${token}`, undefined]);
  await expect(client.getByText("200 OK")).toBeVisible();
  await expect(client.getByText(owner.email)).toBeVisible();

  expect(JSON.stringify((await page.context().storageState({ indexedDB: true })).origins)).not.toContain(token);
  expect(await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)))).not.toContain(token);
  await page.reload();
  await expect(page.getByPlaceholder("Token").first()).toHaveText("");
  expect(foreign).toEqual([]);
  await page.unrouteAll();
});
