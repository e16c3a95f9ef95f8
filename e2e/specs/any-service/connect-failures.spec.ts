/** What the screen that connects to a service says where the browser or the page's own service stand in the way. */
import type { Page } from "@playwright/test";
import { runBeforeClient } from "../../fixtures/before-client.ts";
import { expect, test } from "../../fixtures/documented-pages.ts";
import type { DocumentedService } from "../../fixtures/documented-service/service.ts";
import { NETWORK_LOSS } from "../../fixtures/page-errors.ts";

const check = (page: Page) => page.getByRole("button", { name: "Check address" }).click();
const connect = (page: Page) => page.getByRole("button", { name: "Connect", exact: true }).click();

async function fillIn(page: Page, service: DocumentedService): Promise<void> {
  await page.getByRole("textbox", { name: "Address" }).fill(service.baseUrl);
  await page.getByRole("textbox", { name: "Access token" }).fill(service.token);
}

/** Makes the browser throw wherever the page uses these storages. */
const forbid = (page: Page, storages: ("localStorage" | "sessionStorage")[]) =>
  runBeforeClient(
    page,
    (names) => {
      for (const name of names)
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("The request was denied.", "SecurityError");
          },
        });
    },
    storages,
  );

test("an attempt that fails because the page's own service is gone says so, and can be repeated", async ({
  startDocumented,
  open,
  organization,
  network,
  pageErrors,
}) => {
  pageErrors.allow(NETWORK_LOSS);
  pageErrors.allow(/status of 404/);
  const service = await startDocumented();
  const page = await open(null, `${organization.service.url}/connect`);
  await fillIn(page, service);
  const lost = await network.fail(page, "**/config.json");
  await check(page);
  await expect(page.getByRole("alert")).toContainText("Can't reach the server");
  await lost.end();
  await check(page);
  await expect(page.getByText("Found the documented operations")).toBeVisible();
  await expect(page.getByText("Can't reach the server")).toHaveCount(0);
});

test("without storage on the device the service is used in this tab; without any storage the screen says so", async ({
  startDocumented,
  open,
  organization,
  pageErrors,
}) => {
  pageErrors.allow(/status of 404/);
  const service = await startDocumented();
  const page = await open(null, `${organization.service.url}/icon.svg`);
  await test.step("no storage at all", async () => {
    await forbid(page, ["localStorage", "sessionStorage"]);
    await page.goto(`${organization.service.url}/connect`);
    await fillIn(page, service);
    await check(page);
    await connect(page);
    await expect(page.getByText("This browser stores nothing for this page")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Access token" })).toHaveValue(service.token);
  });
  await test.step("only the tab's", async () => {
    await page.unrouteAll();
    await forbid(page, ["localStorage"]);
    await page.reload();
    await fillIn(page, service);
    await page.getByRole("checkbox", { name: "Keep on this device" }).check();
    await check(page);
    await connect(page);
    await expect(page.getByText("This browser can't store data for this site")).toBeVisible();
    await connect(page);
    await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
  });
});

test("a page on https asks no service on plain http, and says why", async ({ open, organization, network, pageErrors }) => {
  // The browser itself requests the icon, which no route sees.
  pageErrors.allow(/talkback\.example\/icon\.svg/);
  const origin = "https://talkback.example";
  const page = await open(null, `${organization.service.url}/icon.svg`);
  await page.route(`${origin}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(origin, organization.service.url) });
    await route.fulfill({ response });
  });
  const requests = network.recordRequests(page, /nas\.example/);
  await page.goto(`${origin}/connect`);
  await page.getByRole("textbox", { name: "Address" }).fill("http://nas.example");
  await expect(page.getByText("Your browser blocks this address")).toBeVisible();
  await expect(page.getByRole("button", { name: "Check address" })).toBeDisabled();
  await page.getByRole("textbox", { name: "Address" }).press("Enter");

  await network.reply(page, "**/config.json", { json: { service_url: "http://nas.example" } });
  await page.goto(`${origin}/projects/1/chat`);
  await expect(page.getByRole("heading", { name: "Your browser lets pages on https use only services on https" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Use another service" })).toBeVisible();
  expect(requests).toEqual([]);
  // The page still loads code, which only the route can answer.
  await page.goto("about:blank");
});
