/** Where the choice of a service is stored, and which pages it affects. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { copyApp } from "../../fixtures/app-copy.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { connectDevice, connectTab } from "../../fixtures/connection.ts";
import { allowStatus, chatPath, expect, expectOnlyDocumented, filePath, main, test } from "../../fixtures/documented-pages.ts";
import { createMessage, FILES, PROJECT } from "../../fixtures/documented-service/records.ts";
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

test("two tabs that are connected to two services have nothing in common", async ({ startDocumented, organization, open, pageErrors }) => {
  const { url } = organization.service;
  const services = [await startDocumented(), await startDocumented()] as const;
  services[1].token = "token-of-the-second";
  services[0].records.chats.get(PROJECT)!.push(createMessage(7, { body: "Only in the first." }));
  services[1].records.chats.get(PROJECT)!.push(createMessage(7, { body: "Only in the second." }));
  for (const { baseUrl } of services) allowStatus(pageErrors, 404, `${baseUrl}/api/v2/service`);
  // Nobody is signed in to the page's own service.
  allowStatus(pageErrors, 401, `${url}/api/v2/session`);
  const first = await open(null, `${url}/icon.svg`);
  const second = await newTab(first, `${url}/icon.svg`);
  const tabs = [first, second] as const;
  for (const [index, tab] of tabs.entries()) await connectTab(tab, services[index]!);
  for (const tab of tabs) await tab.goto(url + chatPath(PROJECT));
  await expect(message(first, "Only in the first.")).toBeVisible();
  await expect(message(second, "Only in the second.")).toBeVisible();
  for (const [tab, other] of [
    [first, "Only in the second."],
    [second, "Only in the first."],
  ] as const)
    await expect(message(tab, other)).toHaveCount(0);
  await first.goto(url + filePath(FILES.mix));
  await expect(main(first).getByRole("heading", { name: "nightdrive mix.wav" })).toBeVisible();

  await test.step("what was opened, and the token, are in the tab alone", async () => {
    for (const [index, tab] of tabs.entries()) {
      await tab.goto(url);
      await expect(main(tab).getByRole("heading", { name: "Open a chat or a file" })).toBeVisible();
      await expect(main(tab).getByRole("link", { name: "nightdrive mix.wav" })).toHaveCount(index === 0 ? 1 : 0);
      const [ofTab, ofDevice] = await tab.evaluate(() => [JSON.stringify(sessionStorage), JSON.stringify(localStorage)]);
      expect(ofTab).toContain(services[index]!.token);
      expect(ofTab).not.toContain(services[1 - index]!.token);
      for (const { token, baseUrl } of services) for (const text of [token, baseUrl]) expect(ofDevice).not.toContain(text);
    }
  });
  await test.step("each service got the token of its own tab, and a reload keeps the tabs apart", async () => {
    await Promise.all(tabs.map((tab) => tab.goto(url + chatPath(PROJECT))));
    await expect(message(first, "Only in the first.")).toBeVisible();
    await expect(message(second, "Only in the second.")).toBeVisible();
    for (const { requests, token } of services)
      expect(new Set(requests.flatMap(({ authorization }) => authorization ?? []))).toEqual(new Set([`Bearer ${token}`]));
  });
  await test.step("disconnecting one leaves the other", async () => {
    await first.goto(`${url}/connect`);
    await first.getByRole("button", { name: "Disconnect" }).click();
    await expect(first.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await second.reload();
    await expect(message(second, "Only in the second.")).toBeVisible();
  });
});
