import { signIn } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, dialog, rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a wrong password is told and what was typed is kept", async ({ pair: { ana }, open, guard }) => {
  guard.allow(answered(401));
  const page = await open(null, `${ana.url}/sign-in`);
  await page.getByRole("textbox", { name: "E-mail or username" }).fill(ana.email);
  await page.getByLabel("Password", { exact: true }).fill("not her password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "E-mail or username" })).toHaveValue(ana.email);
  await page.getByLabel("Password", { exact: true }).fill(ana.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(rail(page)).toContainText(ana.name);
});

test("who opens an address without being signed in gets there after signing in", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(answered(401));
  const page = await open(null, `${ana.url}/projects/${project.id}/members`);
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.getByRole("textbox", { name: "E-mail or username" }).fill(ana.name);
  await page.getByLabel("Password", { exact: true }).fill(ana.password);
  await page.getByLabel("Password", { exact: true }).press("Enter");
  await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/members`);
  await expect(page.getByRole("heading", { name: "Members" })).toBeVisible();
});

test("another site's address as the way back is not followed", async ({ pair: { ana }, open }) => {
  const page = await open(null, `${ana.url}/sign-in?next=//evil.example/x`);
  await page.getByRole("textbox", { name: "E-mail or username" }).fill(ana.email);
  await page.getByLabel("Password", { exact: true }).fill(ana.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(rail(page)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(ana.url);
});

test("signing out leads to sign-in and nothing is seen by going back", async ({ pair: { ana, project }, open, guard }) => {
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  await page.goto(`${ana.url}/settings/profile`);
  await page.getByRole("main").getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  guard.allow(answered(401));
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText(project.name)).toHaveCount(0);
});

test("signing out everywhere closes the other window by itself", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(answered(401));
  const here = await open(ana, "/settings/sessions");
  const elsewhere = await open(await signIn(ana.url, ana.email), `/projects/${project.id}/chat`);
  await expect(composer(elsewhere)).toBeVisible();
  await here.getByRole("button", { name: "Sign out everywhere" }).click();
  await dialog(here, "Sign out everywhere?").getByRole("button", { name: "Sign out everywhere" }).click();
  await expect(here.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(elsewhere.getByText("You have been signed out")).toBeVisible();
  await expect(elsewhere).toHaveURL(/\/sign-in\?next=/);
});

test("one other browser is signed out from the list", async ({ pair: { ana }, open, guard }) => {
  guard.allow(answered(401));
  const other = await open(await signIn(ana.url, ana.email), "/settings/profile");
  await expect(other.getByRole("heading", { name: "Profile" })).toBeVisible();
  const here = await open(ana, "/settings/sessions");
  const row = here.getByRole("main").getByRole("listitem").filter({ hasNotText: "This browser" });
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Sign out/ }).click();
  await expect(row).toHaveCount(0);
  await expect(other.getByText("You have been signed out")).toBeVisible();
});
