import { createPasswordReset, createToken, listTokens } from "../../../contract/operations/accounts.ts";
import { call, createMessage, joinByInvite, signIn } from "../../fixtures/api.ts";
import { expectAccessible } from "../../fixtures/axe.ts";
import { statusError } from "../../fixtures/page-errors.ts";
import { message, rail } from "../../fixtures/pages.ts";
import { expect, test } from "../../fixtures/test.ts";

test("a new name shows for others immediately, as author and in earlier mentions; a taken email shows an error on its field", async ({
  pair: { ana, ben, project },
  open,
  pageErrors,
}) => {
  await createMessage(ana, project.id, "who am I");
  await createMessage(ben, project.id, `ask <@${ana.id}> herself`);
  const benPage = await open(ben, `/projects/${project.id}/chat`);
  await expect(message(benPage, "who am I")).toContainText(ana.name);
  const page = await open(ana, "/settings/profile");
  await page.getByRole("textbox", { name: "Your name" }).fill(`${ana.name} Kovač`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await expect(rail(page)).toContainText(`${ana.name} Kovač`);
  await expect(message(benPage, "who am I")).toContainText(`${ana.name} Kovač`);
  await expect(message(benPage, `ask @${ana.name} Kovač herself`)).toBeVisible();

  await test.step("a taken email shows an error on its field", async () => {
    pageErrors.allow(statusError(409));
    await page.getByRole("textbox", { name: "Email" }).fill(ben.email);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Email" })).toHaveAttribute("aria-invalid", "true");
  });
});

test("a new password revokes the API tokens only if asked to, and a reset link of one's own unless told not to", async ({
  organization: { owner },
  pair: { ana },
  open,
  pageErrors,
}) => {
  // The reset link signs out the first window.
  pageErrors.allow(statusError(401));
  const rita = await joinByInvite(owner, `Rita ${ana.id}`, "admin");
  const addToken = async (password: string) =>
    call(await signIn(rita.url, rita.email, password), createToken, { body: { name: "Exporter", scopes: ["chat:read"] } });
  const countTokens = async (password: string) => (await call(await signIn(rita.url, rita.email, password), listTokens)).data.length;
  const page = await open(rita, "/settings/profile");
  const revoke = page.getByRole("checkbox", { name: "Also revoke API tokens" });
  const change = async (current: string, next: string) => {
    await page.getByLabel("Current password").fill(current);
    await page.getByLabel("New password").fill(next);
    await page.getByRole("button", { name: "Change password" }).click();
  };

  await test.step("without tokens the form does not ask", async () => {
    await change(rita.password, "the second secret");
    await expect(page.getByText("Password changed.", { exact: false })).toBeVisible();
    await expect(revoke).toHaveCount(0);
  });

  await test.step("tokens stay unless the box is checked", async () => {
    await addToken("the second secret");
    await page.reload();
    await expect(revoke).not.toBeChecked();
    await expectAccessible(page);
    await change("the second secret", "the third secret");
    await expect(page.getByText("Password changed.", { exact: false })).toBeVisible();
    expect(await countTokens("the third secret")).toBe(1);
    await revoke.check();
    await change("the third secret", "the fourth secret");
    await expect(page.getByText("your API tokens and connected apps have been revoked", { exact: false })).toBeVisible();
    await expect(revoke).toHaveCount(0);
    expect(await countTokens("the fourth secret")).toBe(0);
  });

  await test.step("the page of a reset link offers to revoke them, checked at first", async () => {
    await addToken("the fourth secret");
    const admin = await signIn(rita.url, rita.email, "the fourth secret");
    const { url } = (await call(admin, createPasswordReset, { params: { account_id: rita.id } })).data;
    const resetPage = await open(null, url);
    const box = resetPage.getByRole("checkbox", { name: "Also revoke API tokens" });
    await expect(box).toBeChecked();
    await expect(resetPage.getByText("You have one token or connected app.", { exact: false })).toBeVisible();
    await expectAccessible(resetPage);
    await box.uncheck();
    await resetPage.getByLabel("New password").fill("the fifth secret");
    await resetPage.getByRole("button", { name: "Save and sign in" }).click();
    await expect(resetPage.getByRole("navigation", { name: "Projects" })).toBeVisible();
    expect(await countTokens("the fifth secret")).toBe(1);
  });
});
