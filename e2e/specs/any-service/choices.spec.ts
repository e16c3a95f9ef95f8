/** Where the choice of a service is stored, and which pages it affects. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyApp } from "../../fixtures/app-copy.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { connectDevice } from "../../fixtures/connection.ts";
import { allowStatus, chatPath, expect, expectOnlyDocumented, main, test } from "../../fixtures/documented-pages.ts";
import { PROJECT } from "../../fixtures/documented-service/records.ts";
import { startDocumentedService } from "../../fixtures/documented-service/service.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, newTab } from "../../fixtures/pages.ts";
import { startService } from "../../fixtures/service.ts";

test("a connection that is kept on the device serves reloads and other tabs of this browser only; polls that fail say so", async ({
  open,
  organization: {
    service: { url },
  },
  pageErrors,
}) => {
  const service = await startDocumentedService({ basePath: "/service" });
  allowStatus(pageErrors, 404, `${service.baseUrl}/api/v2/service`);
  allowStatus(pageErrors, 429, `${service.baseUrl}/v1/account/projects/chat_history`);
  const page = await open(null, `${url}/icon.svg`);
  await connectDevice(page, service);
  const tab = await newTab(page, url + chatPath(PROJECT));
  await expect(message(tab, "Morning!")).toBeVisible();
  service.setFailure("chatHistory", 429);
  await expect(main(tab)).toContainText("Couldn't check for new messages.");
  await expect(message(tab, "Morning!")).toBeVisible();
  service.setFailure("chatHistory", null);
  await main(tab).getByRole("button", { name: "Try again" }).click();
  await expect(main(tab)).not.toContainText("Couldn't check for new messages.");
  await tab.reload();
  await expect(message(tab, "Morning!")).toBeVisible();
  const stranger = await open(null, `${url}/sign-in`);
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await service.close();
});

test("config.json points all pages of a client to another service", async ({ open, pageErrors }) => {
  const service = await startDocumentedService();
  const app = await copyApp();
  writeFileSync(join(app.folder, "dist", "config.json"), JSON.stringify({ service_url: service.baseUrl }));
  const client = await startService(app.folder, {});
  pageErrors.allow(statusError(404));
  pageErrors.allow(statusError(401));
  const page = await open(null, `${client.url}${chatPath(PROJECT)}`);
  // The settings name no token, and the service does not offer to sign in.
  await expect(page.getByRole("alert")).toContainText("This service needs an access token");
  expect(service.requests.some(({ authorization }) => authorization !== undefined)).toBe(false);
  // The view itself shows why, with the action that helps first.
  await expect(page.getByText("This service needs an access token.")).toBeHidden();
  await expect(page.getByRole("alert").getByRole("button")).toHaveText(["Enter an access token", "Try again"]);
  await page.getByRole("button", { name: "Enter an access token" }).click();
  const dialog = page.getByRole("dialog", { name: "Enter an access token" });
  await expectAccessible(page);
  await dialog.getByRole("textbox", { name: "Access token" }).fill(service.token);
  await dialog.getByRole("button", { name: "Use this token" }).click();
  await expect(message(page, "Morning!")).toBeVisible();
  await expect(dialog).toHaveCount(0);
  // While messages are shown, the notice above the view says that the token ended, and polls pause.
  service.setFailure("chatHistory", 401);
  await expect(page.getByText("The service refused the access token")).toBeVisible();
  await expect(message(page, "Morning!")).toBeVisible();
  await expect(main(page).getByText("Couldn't check for new messages.")).toHaveCount(0);
  expectOnlyDocumented(service, 1);
  await page.goto("about:blank");
  await client.end();
  app.remove();
  await service.close();
});
