import { createToken } from "../../../contract/operations/accounts.ts";
import { call, signIn } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { composer, dialog, railProject, selectOption } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("an owner changes a role, disables and enables an account, and creates a password reset link", async ({
  organization: { owner },
  pair: { ana, project },
  open,
  pageErrors,
}) => {
  const anaPage = await open(ana, "/settings/profile");
  const page = await open(owner, `/settings/members?person=${ana.id}`);
  const role = page.getByRole("button", { name: `Role of ${ana.name}` });
  const chooseMenuItem = async (item: string) => {
    await page.getByRole("button", { name: `More for ${ana.name}` }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  await test.step("a role change applies immediately, and nobody changes their own role", async () => {
    await expect(page.getByRole("button", { name: `Role of ${owner.name}` })).toBeDisabled();
    await selectOption(role, "Admin");
    await expect(role).toHaveText("Admin");
    await expect(anaPage.getByRole("main")).toContainText("Can see all projects and manage people.");
    await selectOption(role, "Member");
    await expect(anaPage.getByRole("main")).not.toContainText("Can see all projects and manage people.");
  });

  await test.step("a disabled account is signed out immediately and cannot sign in until it is enabled", async () => {
    pageErrors.allow(statusError(401));
    pageErrors.allow(statusError(403));
    await railProject(anaPage, project.name).click();
    await expect(composer(anaPage)).toBeVisible();
    await chooseMenuItem("Disable");
    await dialog(page, `Disable ${ana.name}?`).getByRole("button", { name: "Disable" }).click();
    await expect(page.getByRole("listitem").filter({ hasText: ana.name })).toContainText("Disabled");
    await expect(anaPage.getByText("You have been signed out")).toBeVisible();
    await anaPage.getByRole("textbox", { name: "Email or username" }).fill(ana.email);
    await anaPage.getByLabel("Password", { exact: true }).fill(ana.password);
    await anaPage.getByRole("button", { name: "Sign in" }).click();
    await expect(anaPage.getByRole("alert")).toBeVisible();
    await chooseMenuItem("Enable");
    await expect(page.getByRole("listitem").filter({ hasText: ana.name })).not.toContainText("Disabled");
    await anaPage.getByRole("button", { name: "Sign in" }).click();
    await expect(composer(anaPage)).toBeVisible();
  });

  const createResetLink = async () => {
    await chooseMenuItem("Password reset link");
    const linkDialog = dialog(page, `Reset link for ${ana.name}`);
    const link = await linkDialog.getByRole("textbox", { name: "Reset link" }).inputValue();
    await linkDialog.getByRole("button", { name: "Done" }).click();
    return link;
  };
  const pendingResets = page.locator("section").filter({ has: page.getByRole("heading", { name: "Pending password resets" }) });

  await test.step("a pending reset link is listed and can be revoked", async () => {
    await createResetLink();
    const row = pendingResets.getByRole("listitem").filter({ hasText: `For ${ana.name}` });
    await expect(row).toContainText(`Created by ${owner.name}`);
    await expectAccessible(page);
    await row.getByRole("button", { name: `Revoke reset link for ${ana.name}` }).click();
    await expect(pendingResets).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Invite", exact: true })).toBeFocused();
  });

  await test.step("a reset link sets a new password, once, and revokes the API tokens", async () => {
    await call(await signIn(ana.url, ana.email), createToken, { body: { name: "Exporter", scopes: ["chat:read"] } });
    const link = await createResetLink();
    const resetPage = await open(null, link);
    await expect(resetPage.getByRole("button", { name: "Save and sign in" })).toBeVisible();
    await expect(resetPage.getByText("Your API tokens and connected apps will be revoked too.")).toBeVisible();
    await expectAccessible(resetPage);
    await resetPage.getByLabel("New password").fill("another long secret");
    await resetPage.getByRole("button", { name: "Save and sign in" }).click();
    await expect(resetPage.getByRole("navigation", { name: "Projects" })).toBeVisible();
    await expect(anaPage.getByText("You have been signed out")).toBeVisible();
    await resetPage.goto(`${ana.url}/settings/tokens`);
    await expect(resetPage.getByText("No API tokens yet")).toBeVisible();

    pageErrors.allow(/status of 4\d\d/);
    await anaPage.goto(link);
    await expect(anaPage.getByRole("heading", { name: "This reset link is no longer valid" })).toBeVisible();
  });
});

test("a member sees the others but has no way to manage them", async ({ pair: { ana, ben }, open }) => {
  const page = await open(ana, "/settings/members");
  await expect(page.getByText(ben.email)).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Invite|More for)|Role of/ })).toHaveCount(0);
});
