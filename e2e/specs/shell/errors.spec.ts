import { createProject } from "../../fixtures/api.ts";
import { answered } from "../../fixtures/guard.ts";
import { composer, rail } from "../../fixtures/pages.ts";
import { expect, test, unique } from "../../fixtures/test.ts";

const FAULT = { status: 500, contentType: "application/problem+json", json: { object: "error", status: 500, title: "Internal error", request_id: "abc123" } };

test("an address that nothing has says so and leads on", async ({ pair: { ana, project }, open }) => {
  const page = await open(ana, "/nowhere/at/all");
  await expect(page.getByRole("main").getByRole("heading", { level: 1 })).toBeAttached();
  await expect(rail(page)).toBeVisible();
  await page.getByRole("main").getByRole("link").click();
  await expect(page).toHaveURL(`${ana.url}/projects/${project.id}/chat`);
});

test("a project that one is not in, or that is not there, is the same: not here", async ({ house: { owner }, pair: { ana }, open, guard }, info) => {
  guard.allow(answered(404));
  const foreign = await createProject(owner, unique("Secret", info.testId));
  const page = await open(ana, `/projects/${foreign.id}/chat`);
  await expect(page.getByRole("main")).toContainText("project");
  const words = await page.getByRole("main").innerText();
  await expect(page.getByText(foreign.name)).toHaveCount(0);
  await expect(composer(page)).toHaveCount(0);
  await page.goto(`${ana.url}/projects/999999/chat`);
  await expect(page.getByRole("main")).toHaveText(words.replaceAll("\n", ""), { useInnerText: false });
  await page.goto(`${ana.url}/projects/no-number/members`);
  await expect(page.getByRole("main").getByRole("link")).toBeVisible();
});

test("a view whose part cannot be loaded leaves the rail standing and offers to reload", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(/dynamically imported module|ERR_FAILED|React Router caught/);
  const page = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(page)).toBeVisible();
  await page.route(/\/assets\/(settings|SettingsView|ProfilePage)[^/]*\.js/, (route) => route.abort());
  await rail(page).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { name: "This part could not be loaded" })).toBeVisible();
  await expect(rail(page)).toBeVisible();
  await page.unroute(/\/assets\/(settings|SettingsView|ProfilePage)[^/]*\.js/);
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(page.getByRole("heading", { name: "Profile" })).toBeVisible();
});

test("a service that fails is told in words, and Reload leads on", async ({ pair: { ana, project }, open, guard }) => {
  guard.allow(answered(500));
  guard.allow(/React Router caught|ApiError|Internal error/);
  const page = await open(null, `${ana.url}/sign-in`);
  await page.getByRole("textbox", { name: "E-mail or username" }).fill(ana.email);
  await page.getByLabel("Password", { exact: true }).fill(ana.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(rail(page)).toBeVisible();
  await page.route("**/api/v2/session", (route) => route.fulfill(FAULT));
  await page.goto(`${ana.url}/projects/${project.id}/chat`);
  await expect(page.getByRole("heading", { name: "Something went wrong on the service's side" })).toBeVisible({ timeout: 20_000 });
  await page.unroute("**/api/v2/session");
  await page.getByRole("button", { name: "Reload" }).click();
  await expect(composer(page)).toBeVisible();
});

test("lists that cannot be loaded say so in their place and come with Try again", async ({ pair: { ana, ben, project }, open, guard }) => {
  guard.allow(answered(500));
  const page = await open(ana, "/settings/profile");
  await page.route(`**/api/v2/projects/${project.id}/members`, (route) => route.fulfill(FAULT));
  await page.goto(`${ana.url}/projects/${project.id}/members`);
  const again = page.getByRole("main").getByRole("button", { name: "Try again" });
  await expect(again).toBeVisible({ timeout: 20_000 });
  await page.unroute(`**/api/v2/projects/${project.id}/members`);
  await again.click();
  await expect(page.getByRole("main").getByText(ben.name)).toBeVisible();
});
