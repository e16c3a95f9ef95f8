import { answered } from "../../fixtures/guard.ts";
import { composer, dialog } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a role is changed, and the person has it at once", async ({ house: { owner }, pair: { ana, project }, open }) => {
  const hers = await open(ana, "/settings/profile");
  const page = await open(owner, `/settings/members?person=${ana.id}`);
  await page.getByRole("combobox", { name: `Role of ${ana.name}` }).selectOption({ label: "Admin" });
  await expect(page.getByRole("combobox", { name: `Role of ${ana.name}` })).toHaveValue("admin");
  await expect(hers.getByRole("main")).toContainText("Sees every project, manages people.");
  expect(project.id).toBeGreaterThan(0);
});

test("who is disabled is signed out at once and cannot come back until enabled", async ({ house: { owner }, pair: { ana, project }, open, guard }) => {
  guard.allow(answered(401));
  guard.allow(answered(403));
  const hers = await open(ana, `/projects/${project.id}/chat`);
  await expect(composer(hers)).toBeVisible();
  const page = await open(owner, "/settings/members");
  await page.getByRole("button", { name: `More for ${ana.name}` }).click();
  await page.getByRole("menuitem", { name: "Disable" }).click();
  await dialog(page, `Disable ${ana.name}?`).getByRole("button", { name: "Disable" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: ana.name })).toContainText("Disabled");
  await expect(hers.getByText("You have been signed out")).toBeVisible();
  await hers.getByRole("textbox", { name: "E-mail or username" }).fill(ana.email);
  await hers.getByLabel("Password", { exact: true }).fill(ana.password);
  await hers.getByRole("button", { name: "Sign in" }).click();
  await expect(hers.getByRole("alert")).toBeVisible();

  await page.getByRole("button", { name: `More for ${ana.name}` }).click();
  await page.getByRole("menuitem", { name: "Enable" }).click();
  await expect(page.getByRole("listitem").filter({ hasText: ana.name })).not.toContainText("Disabled");
  await hers.getByRole("button", { name: "Sign in" }).click();
  await expect(composer(hers)).toBeVisible();
});

test("a reset link lets somebody choose a new password, once", async ({ house: { owner }, pair: { ana }, open, guard }) => {
  const page = await open(owner, "/settings/members");
  await page.getByRole("button", { name: `More for ${ana.name}` }).click();
  await page.getByRole("menuitem", { name: "Password-reset link" }).click();
  const link = await dialog(page, `Reset link for ${ana.name}`).getByRole("textbox", { name: "Reset link" }).inputValue();
  const hers = await open(null, link);
  await hers.getByLabel("New password").fill("another long secret");
  await hers.getByRole("button", { name: "Save and sign in" }).click();
  await expect(hers.getByRole("navigation", { name: "Projects" })).toBeVisible();

  guard.allow(/status of 4\d\d/);
  const late = await open(null, link);
  await late.getByLabel("New password").fill("yet another secret");
  await late.getByRole("button", { name: "Save and sign in" }).click();
  await expect(late.getByRole("alert")).toBeVisible();
});

test("a member sees the others but is offered no way to manage them", async ({ pair: { ana, ben }, open }) => {
  const page = await open(ana, "/settings/members");
  await expect(page.getByText(ben.email)).toBeVisible();
  await expect(page.getByRole("combobox")).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^(Invite|More for)/ })).toHaveCount(0);
});

test("nobody changes their own role", async ({ house: { owner }, open }) => {
  const page = await open(owner, "/settings/members");
  await expect(page.getByRole("combobox", { name: `Role of ${owner.name}` })).toBeDisabled();
});
