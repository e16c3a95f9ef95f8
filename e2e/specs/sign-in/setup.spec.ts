import type { Page } from "@playwright/test";
import { setUpOwner, PASSWORD } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { expect, test } from "../../fixtures/test.ts";

async function fillIn(page: Page, password = PASSWORD): Promise<void> {
  await page.getByRole("textbox", { name: "Organisation" }).fill("Northlight Audio");
  await page.getByRole("textbox", { name: "Your name" }).fill("Olga Owner");
  await page.getByRole("textbox", { name: "E-mail" }).fill("olga@talkback.test");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create organisation" }).click();
}

test("the printed link creates the owner and leads in", async ({ ownService, open }) => {
  const page = await open(null, ownService.setupLink());
  await fillIn(page);
  await expect(page.getByRole("main").getByText("No project yet")).toBeVisible();
  await expect(page.getByRole("navigation", { name: "Projects" })).toContainText("Northlight Audio");
  await expect(page).toHaveURL(`${ownService.url}/`);
});

test("what is missing or too short is told beside its field, and nothing is sent", async ({ ownService, open }) => {
  const page = await open(null, ownService.setupLink());
  await fillIn(page, "short");
  await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
  expect((await (await fetch(`${ownService.url}/api/v2/service`)).json()).data.setup_required).toBe(true);
});

test("a wrong link is refused in words", async ({ ownService, open, guard }) => {
  guard.allow(answered(403));
  const page = await open(null, `${ownService.url}/setup#not-the-token-that-was-printed`);
  await fillIn(page);
  await expect(page.getByRole("alert")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Organisation" })).toHaveValue("Northlight Audio");
  expect((await (await fetch(`${ownService.url}/api/v2/service`)).json()).data.setup_required).toBe(true);
});

test("a used link says so and leads to sign-in", async ({ ownService, open }) => {
  const link = ownService.setupLink();
  await setUpOwner(ownService.url, link);
  const page = await open(null, link);
  await expect(page.getByRole("heading", { name: "This Talkback is already set up" })).toBeVisible();
  await page.getByRole("link", { name: "Go to sign-in" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
});

test("before the set-up, sign-in tells where the link is", async ({ ownService, open, guard }) => {
  guard.allow(answered(401));
  const page = await open(null, ownService.url);
  await expect(page.getByText("This Talkback is not set up yet")).toBeVisible();
});
