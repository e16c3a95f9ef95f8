import type { Page } from "@playwright/test";
import { getDemo } from "../../../contract/operations/demo.ts";
import { listProjects } from "../../../contract/operations/projects.ts";
import { call, loadMessages, signIn, PASSWORD } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

async function fillIn(page: Page, password = PASSWORD): Promise<void> {
  await page.getByRole("textbox", { name: "Organization name" }).fill("Northlight Audio");
  await page.getByRole("textbox", { name: "Your name" }).fill("Olga Owner");
  await page.getByRole("textbox", { name: "Email" }).fill("olga@talkback.test");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create organization" }).click();
}

const setUpRequired = async (url: string): Promise<boolean> => (await (await fetch(`${url}/api/v2/service`)).json()).data.setup_required;

test("the printed link sets up a service once, and its owner starts from scratch or with a demo", async ({ ownService, open, pageErrors }) => {
  pageErrors.allow(statusError(401));
  pageErrors.allow(statusError(403));
  const link = ownService.setupLink();
  const page = await open(null, `${ownService.url}/setup#not-the-token-that-was-printed`);
  await test.step("a wrong link shows an error", async () => {
    await fillIn(page);
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByRole("textbox", { name: "Organization name" })).toHaveValue("Northlight Audio");
    expect(await setUpRequired(ownService.url)).toBe(true);
  });

  await test.step("before setup, the sign-in page explains that Talkback isn't set up", async () => {
    await page.goto(ownService.url);
    await expect(page.getByText("Talkback isn't set up yet")).toBeVisible();
  });

  await test.step("missing and short values show an error on their field, and nothing is sent", async () => {
    await page.goto(link);
    await page.getByRole("button", { name: "Create organization" }).click();
    await expect(page.getByRole("textbox", { name: "Organization name" })).toHaveAttribute("aria-invalid", "true");
    await expectAccessible(page);
    await fillIn(page, "short");
    await expect(page.getByLabel("Password", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("Password", { exact: true })).toBeFocused();
    expect(await setUpRequired(ownService.url)).toBe(true);
  });

  await test.step("the printed link creates the owner and signs in", async () => {
    await fillIn(page);
    await expect(page.getByRole("heading", { name: "How do you want to start?" })).toBeFocused();
    await expectAccessible(page);
    await page.getByRole("button", { name: "Start from scratch" }).click();
    await expect(page.getByRole("main").getByText("No projects yet")).toBeVisible();
    await expect(page.getByRole("navigation", { name: "Projects" })).toContainText("Northlight Audio");
    await expect(page).toHaveURL(`${ownService.url}/`);
    await expectAccessible(page);
  });

  await test.step("a used link shows that setup is done, and leads to sign-in", async () => {
    const latePage = await open(null, link);
    await expect(latePage.getByRole("heading", { name: "Talkback is already set up" })).toBeVisible();
    await latePage.getByRole("link", { name: "Go to sign-in" }).click();
    await expect(latePage.getByRole("heading", { name: "Sign in" })).toBeVisible();
  });

  await test.step("a demo is created", () => createDemo(page, ownService.url));
});

async function createDemo(page: Page, url: string): Promise<void> {
  // Starting from scratch leaves the demo one click away; its creation continues across a reload and ends in the demo's chat.
  await page.getByRole("main").getByRole("link", { name: "Explore a demo" }).click();
  await page.getByRole("button", { name: "Explore a demo project" }).click();
  await expect(page.getByRole("progressbar", { name: "Demo project" })).toBeVisible();
  await page.reload();
  await expect(page.getByRole("progressbar", { name: "Demo project" })).toBeVisible();
  // People and projects exist first; processing the songs takes longer than this test may, so the test mocks the final state.
  const owner = await signIn(url, "olga@talkback.test");
  await expect.poll(async () => (await call(owner, listProjects)).data.length).toBe(4);
  const project = (await call(owner, listProjects)).data.find(({ name }) => name === "Nightdrive EP");
  const mockDemoState = async (state: "failed" | "done") => {
    const { data } = await call(owner, getDemo);
    expect(data.state).toBe("running");
    const result = state === "done" ? { project_id: project?.id } : { possible: true, failure: "The disk is full." };
    await page.route("**/api/v2/demo", (route) => route.fulfill({ json: { object: "demo", data: { ...data, state, ...result } } }));
  };
  await mockDemoState("failed");
  await expect(page.getByRole("alert")).toContainText("The disk is full.");
  await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();
  await page.unroute("**/api/v2/demo");
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("progressbar", { name: "Demo project" })).toBeVisible();
  // The chat opens at its first message, which must exist by then.
  await expect.poll(async () => (await loadMessages(owner, project!.id, 1)).length).toBe(1);
  await mockDemoState("done");
  await expect(page).toHaveURL(`${url}/projects/${project?.id}/chat`);
  await expect(page.getByRole("navigation", { name: "Projects" })).toContainText("Aurora, reel 3");
  await expect(message(page, "Everything about the EP goes in here")).toBeVisible();
}
