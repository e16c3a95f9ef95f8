import type { Page } from "@playwright/test";
import { getSession } from "../../../contract/operations/session.ts";
import { call, signIn } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, dialog, rail, selectOption } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/network.ts";

const login = (page: Page) => page.getByRole("textbox", { name: "Email or username" });
const password = (page: Page) => page.getByLabel("Password", { exact: true });

test("signing in leads to the URL that was opened, even after a wrong password; signing out hides everything", async ({
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  pageErrors.allow(statusError(401));
  const page = await open(null, `${ana.url}/projects/${project.id}/members`);
  await test.step("a wrong password shows an error and preserves the typed login", async () => {
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expectAccessible(page);
    await login(page).fill(ana.email);
    await password(page).fill("not her password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(login(page)).toHaveValue(ana.email);
    await expectAccessible(page);
  });

  await test.step("a URL opened while signed out opens after signing in", async () => {
    await login(page).fill(ana.name);
    await password(page).fill(ana.password);
    await password(page).press("Enter");
    await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/members`);
    await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
    await expect(rail(page)).toContainText(ana.name);
  });

  await test.step("signing out leads to sign-in, and going back shows nothing", async () => {
    await rail(page).getByRole("link", { name: "Settings" }).click();
    await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(page.getByText(project.name)).toHaveCount(0);
  });

  await test.step("a return URL of another site is not followed", async () => {
    await page.goto(`${ana.url}/sign-in?next=//evil.example/x`);
    await login(page).fill(ana.email);
    await password(page).fill(ana.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(rail(page)).toBeVisible();
    expect(new URL(page.url()).origin).toBe(ana.url);
  });
});

test("other browsers are signed out: one from the list, all by a new password, and everywhere", async ({ pair: { ana, project }, open, pageErrors }) => {
  for (const status of [400, 401, 403]) pageErrors.allow(statusError(status));
  const secret = "a much better secret";
  const other = await open(await signIn(ana.url, ana.email), `/projects/${project.id}/chat`);
  await expect(composer(other)).toBeVisible();
  const signBackIn = async (page: Page, secretText: string) => {
    await login(page).fill(ana.email);
    await password(page).fill(secretText);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  const currentPage = await open(ana, "/settings/sessions");
  const settings = currentPage.getByRole("navigation", { name: "Settings" });
  await test.step("a browser is signed out from the list", async () => {
    const row = currentPage.getByRole("main").getByRole("listitem").filter({ hasNotText: "This browser" });
    await expect(row).toHaveCount(1);
    await row.getByRole("button", { name: /^Sign out/ }).click();
    await expect(row).toHaveCount(0);
    await expect(other.getByText("You have been signed out")).toBeVisible();
  });

  await test.step("a new password signs out the other browsers, and only the new one works", async () => {
    await signBackIn(other, ana.password);
    await expect(composer(other)).toBeVisible();
    await settings.getByRole("link", { name: "Profile" }).click();
    await currentPage.getByLabel("Current password").fill("not the right one");
    await currentPage.getByLabel("New password").fill(secret);
    await currentPage.getByRole("button", { name: "Change password" }).click();
    await expect(currentPage.getByLabel("Current password")).toHaveAttribute("aria-invalid", "true");
    await currentPage.getByLabel("Current password").fill(ana.password);
    await currentPage.getByRole("button", { name: "Change password" }).click();
    await expect(currentPage.getByText("Password changed.", { exact: false })).toBeVisible();
    await expect(other.getByText("You have been signed out")).toBeVisible();
    await expect(signIn(ana.url, ana.email)).rejects.toThrow(/401/);
  });

  await test.step("Sign out everywhere returns the other window to sign-in", async () => {
    await signBackIn(other, secret);
    await expect(composer(other)).toBeVisible();
    await settings.getByRole("link", { name: "Sessions" }).click();
    await currentPage.getByRole("button", { name: "Sign out everywhere" }).click();
    await dialog(currentPage, "Sign out everywhere?").getByRole("button", { name: "Sign out everywhere" }).click();
    await expect(currentPage.getByRole("heading", { name: "Sign in" })).toBeVisible();
    await expect(other.getByText("You have been signed out")).toBeVisible();
    await expect(other).toHaveURL(/\/sign-in\?next=/);
  });
});

test("a password that fits accounts in two organizations asks which one", async ({ pair: { ana }, open, network, pageErrors }) => {
  pageErrors.allow(statusError(409));
  const page = await open(null, `${ana.url}/sign-in`);
  // A second organization needs the command line, so the first response is the one that the service gives for it.
  const organisations = [
    { id: 999_999, name: "Elsewhere" },
    { id: (await call(ana, getSession)).data.organisation.id, name: "Northwind" },
  ];
  const problem = { object: "error", status: 409, title: "Conflict", detail: "You have an account in several organizations. Choose one.", organisations };
  await network.reply(page, "**/api/v2/session", { status: 409, contentType: "application/problem+json", json: problem }, { method: "POST", times: 1 });
  await login(page).fill(ana.email);
  await password(page).fill(ana.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("status").filter({ hasText: "several organizations" })).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  const choice = page.getByRole("button", { name: /Organization/ });
  await expect(choice).toBeFocused();
  await expectAccessible(page);
  await selectOption(choice, "Northwind");
  // The chosen organization stays in view while the request is under way.
  const paused = await network.pause(page, "**/api/v2/session", { method: "POST" });
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect.poll(() => paused.urls.length).toBe(1);
  await expect(choice).toContainText("Northwind");
  await paused.end();
  await expect(rail(page)).toContainText(ana.name);
});
